"""Compiled programs with extensions find what the interpreter finds, in every layout and dialect.

`NLQ_EXAMPLES` sets the number of examples for each layout.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from compilers.compile import CompiledQuery, compile_program
from compilers.dialects import DIALECTS, Dialect
from compilers.errors import UnsupportedProgram
from compilers.grounded import GroundedProgram
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from compilers.kopl.values import Date, Quantity, String, Year
from compilers.shares import counting, uncounted_share, with_count
from tests.compiler.rdf import answer, asks_for_qualifiers, mixes_concepts_in
from tests.compiler.shapes import SHAPES, Shape
from tests.kopl.extension_strategies import (
    REFUSALS,
    agreed,
    cutting,
    extended_programs,
    only_shows,
    without_cuts,
)
from tests.kopl.strategies import graphs
from tests.oracle.graph import AttributeFact, Entity, Graph, RelationFact
from tests.oracle.interpret import interpret

PROFILE = settings(
    max_examples=int(os.environ.get("NLQ_EXAMPLES", "20")),
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
# Facts are no plain triples there.
WITHOUT_PATHS = ("statements alone", "singleton", "graph_per_fact", "graphs of a class")
DIALECT = st.sampled_from(sorted(DIALECTS))


@pytest.mark.parametrize("name", SHAPES)
@PROFILE
@given(data=st.data(), dialect=DIALECT, staged=st.booleans())
def test_a_compiled_program_means_what_the_interpreter_says(
    name: str, data: st.DataObject, dialect: str, staged: bool
) -> None:
    """As one query, and with its shares counted before."""
    shape = SHAPES[name]
    graph = shape.prepare(data.draw(graphs()))
    program = data.draw(extended_programs(graph))
    assume(shape.layout != "direct" or not asks_for_qualifiers(program))
    assume(not mixes_concepts_in(program, graph))
    shape = replace(shape, options=replace(shape.options, dialect=answered_here(dialect)))
    try:
        require_alike(shape, program, graph, staged=staged)
    except UnsupportedProgram as error:
        event("refused")
        if not any(reason in error.message for reason in REFUSALS):
            raise


def answered_here(name: str) -> Dialect:
    """A dialect for the store that answers here: the sum of nothing is 0 there, and 0/1.25 is none."""
    return replace(DIALECTS[name], empty_sums=False, double_division=True)


def require_alike(shape: Shape, program: Program, graph: Graph, *, staged: bool) -> None:
    """The store gives the interpreter's rows; of a cut table so many, each among those of the whole one."""
    held, grounded = shape.write(graph), shape.bind(program, graph)
    if staged:
        grounded = with_shares_counted(grounded, shape, held)
    query = compile_program(grounded, shape.layout, shape.options)
    assert all(query.spans)
    found = agreed(program, answer(held, query).strings)
    expected = interpret(program, graph)
    cuts = cutting(program, expected.steps)
    if program.steps[-1].function == "Sum" and not expected.answers:
        # Where no fact has the attribute, the interpreter does not know that it holds numbers.
        assert found in (Counter(), Counter({"0": 1})), _report(query.text, program)
    elif not cuts:
        assert found == agreed(program, expected.answers), _report(query.text, program)
    elif all(only_shows(program, cut) for cut in cuts):
        whole = agreed(program, interpret(without_cuts(program), graph).answers)
        assert found.total() == len(expected.answers), _report(query.text, program)
        assert found <= whole, _report(query.text, program)


def with_shares_counted(grounded: GroundedProgram, shape: Shape, held: ox.Store) -> GroundedProgram:
    while (step := uncounted_share(grounded)) is not None:
        query = compile_program(counting(grounded, step), shape.layout, shape.options)
        (count,) = answer(held, query).strings
        grounded = with_count(grounded, step, int(count))
    return grounded


def _report(text: str, program: Program) -> str:
    """The message of a failure: the program with the inputs of each step, and the query."""
    steps = (f"{i}: {s} <- {s.dependencies}" for i, s in enumerate(program.steps))
    return "\n".join((*steps, text))


_RED, _BLUE = (frozenset({("note", String(text))}) for text in ("red", "blue"))
_BOTH = _RED | _BLUE
FRIENDS = Graph(
    {name: Entity(name) for name in ("Ada", "Bo", "Cyd", "Dee")},
    {},
    frozenset(
        {
            AttributeFact("Ada", "height", Quantity(180.0, "centimetre"), _RED),
            AttributeFact("Ada", "height", Quantity(180.0, "centimetre"), _BLUE),
            AttributeFact("Bo", "height", Quantity(170.0, "centimetre")),
            AttributeFact("Dee", "height", Quantity(180.0, "centimetre")),
            AttributeFact("Ada", "code", String("a")),
            AttributeFact("Dee", "code", String("d")),
            AttributeFact("Ada", "motto", String("know")),
            AttributeFact("Ada", "motto", String("dare")),
        }
    ),
    frozenset(
        {
            RelationFact("Ada", "friend of", "Bo", _RED),
            RelationFact("Ada", "friend of", "Bo", _BLUE),
            RelationFact("Ada", "friend of", "Cyd", _BOTH),
            RelationFact("Bo", "friend of", "Dee"),
        }
    ),
)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(
    ("text", "answers"),
    [
        # A fact that is stated several times, with other qualifiers, gives one row.
        ("FindAll()->QueryAttr(height)->Table()", ["170", "180", "180"]),
        ("Find(Ada)->Relate(friend of, forward)->Table()", ["Bo", "Cyd"]),
        # A text with its datatype and without is one text.
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(code)\nStep 3: Table() <- 1, 2\n"
            "Step 4: FilterTable(2, a, =)\nStep 5: DropColumn(2)",
            ["Ada"],
        ),
        # A known entity beside a number: there is nothing to hand out of what is said of it.
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(height)\nStep 3: Minimum()\nStep 4: Find(Ada)\n"
            "Step 5: QueryAttr(height)\nStep 6: FilterCompare(!=) <- 5, 3\n"
            "Step 7: Relate(friend of, forward)\nStep 8: What()",
            ["Bo", "Cyd"],
        ),
        # Parts of texts and of names, in capitals or not.
        ("FindAll()->FilterContains(motto, AR)->FilterContains(motto, kn)->What()", ["Ada"]),
        ("FindAll()->FilterNameContains(D)->Count()", ["3"]),
        ("FindAll()->FilterNameContains(E)->QueryAttr(code)", ["d"]),
        # What is missing leaves its cell empty, and what is behind it, too.
        (
            "Step 1: FindAll()\nStep 2: Relate(friend of, forward) <- 1\nStep 3: QueryAttr(code) <- 2\n"
            "Step 4: OptionalTable() <- 1, 2, 3",
            ["Ada\tBo\t", "Ada\tCyd\t", "Bo\tDee\td", "Cyd\t\t", "Dee\t\t"],
        ),
        # A member that is reached in two ways has two rows.
        (
            "Step 1: FindAll()\nStep 2: Relate(friend of, backward)\nStep 3: FilterCount(5, <=) <- 2, 1\n"
            "Step 4: OptionalTable() <- 3",
            ["Ada", "Ada", "Bo"],
        ),
        # What is calculated of a column is missing where that is.
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(height)\nStep 3: Round(0)\n"
            "Step 4: OptionalTable() <- 1, 2, 3",
            ["Ada\t180\t180", "Bo\t170\t170", "Cyd\t\t", "Dee\t180\t180"],
        ),
        # Nothing is a number, too, and divides into nothing.
        (
            "Step 1: FindAll()\nStep 2: FilterStr(code, z)\nStep 3: Count()\nStep 4: Number(1.25)\n"
            "Step 5: Calculate(/) <- 3, 4",
            ["0"],
        ),
        # What is missing comes first in an order, and is cut with its row.
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(code)\nStep 3: OptionalTable() <- 1, 2\n"
            "Step 4: SortTable(1, ascending)\nStep 5: SortTable(2, ascending)\nStep 6: LimitTable(3)",
            ["Bo\t", "Cyd\t", "Ada\ta"],
        ),
        # What is missing compares with nothing, before the rows are cut and after.
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(code)\nStep 3: OptionalTable() <- 1, 2\n"
            "Step 4: SortTable(2, descending)\nStep 5: LimitTable(3)\nStep 6: FilterTable(2, b, >)",
            ["Dee\td"],
        ),
        # A label is that of what is there.
        (
            "Step 1: Find(Cyd)\nStep 2: Relate(friend of, forward) <- 1\nStep 3: OptionalTable() <- 1, 2\n"
            "Step 4: Find(Bo)\nStep 5: Relate(friend of, forward) <- 4\nStep 6: Table() <- 4, 5\n"
            "Step 7: OrTable() <- 6, 3",
            ["Bo\tDee", "Cyd\t"],
        ),
        # A set in the order of what its members lead to, those that lead nowhere left out.
        (
            "Step 1: FindAll()\nStep 2: Relate(friend of, forward)\nStep 3: QueryAttr(height)\n"
            "Step 4: SelectTopBy(smallest, 1) <- 1, 3\nStep 5: What()",
            ["Ada"],
        ),
        (
            "Step 1: FindAll()\nStep 2: Relate(friend of, forward)\nStep 3: QueryAttr(height)\n"
            "Step 4: SelectTopBy(largest, 5) <- 1, 3\nStep 5: QueryAttr(height)\nStep 6: Table() <- 4, 5",
            ["Ada\t180", "Bo\t170"],
        ),
        # What is calculated of counts orders the rows.
        (
            "Step 1: FindAll()\nStep 2: Count() <- 1\nStep 3: Calculate(-) <- 2, 2\nStep 4: Table() <- 1, 3\n"
            "Step 5: SortTable(2, ascending)\nStep 6: DropColumn(1)",
            ["0", "0", "0", "0"],
        ),
        # Texts of a table have an order.
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(code)\nStep 3: Table() <- 1, 2\n"
            "Step 4: FilterTable(2, b, <)\nStep 5: DropColumn(2)",
            ["Ada"],
        ),
        # A union whose branch is everything but some is evaluated before what is around it.
        (
            "Step 1: FindAll()\nStep 2: FindAll()\nStep 3: FilterStr(code, d) <- 2\n"
            "Step 4: Except() <- 1, 3\nStep 5: Find(Bo)\nStep 6: SelectBetween(height, greater) <- 4, 5",
            ["Ada"],
        ),
        # What is left out is of a union with a known entity, which is bound around it already.
        (
            "Step 1: FindAll()\nStep 2: FilterHasAttr(height) <- 1\nStep 3: FindAll()\n"
            "Step 4: FilterStr(code, a) <- 3\nStep 5: Find(Dee)\nStep 6: Or() <- 4, 5\n"
            "Step 7: Except() <- 2, 6\nStep 8: What()",
            ["Bo"],
        ),
        # A known entity is counted, not only used.
        (
            "Step 1: Find(Ada)\nStep 2: Relate(friend of, forward)\nStep 3: Relate(friend of, forward)\n"
            "Step 4: FilterCount(1, =) <- 3, 1\nStep 5: What()",
            ["Dee"],
        ),
        # A set that is two columns of one table and not of the other.
        (
            "Step 1: Find(Ada)\nStep 2: Relate(friend of, forward) <- 1\nStep 3: Table() <- 1, 2\n"
            "Step 4: And() <- 1, 1\nStep 5: Table() <- 1, 4\nStep 6: OrTable() <- 5, 3",
            ["Ada\tAda", "Ada\tBo", "Ada\tCyd"],
        ),
        # Rows in order, cut, and without what they were ordered by.
        (
            "Step 1: FindAll()\nStep 2: Relate(friend of, forward)\nStep 3: Count()\n"
            "Step 4: Table() <- 1, 3\nStep 5: SortTable(2, descending)\nStep 6: LimitTable(1)\n"
            "Step 7: DropColumn(2)",
            ["Ada"],
        ),
        (
            "Step 1: FindAll()\nStep 2: FilterHasAttr(height)\nStep 3: QueryAttr(height)\n"
            "Step 4: Table() <- 2, 3\nStep 5: SortTable(1, descending)\nStep 6: SortTable(2, ascending)\n"
            "Step 7: DropColumn(2)\nStep 8: LimitTable(2)",
            ["Bo", "Dee"],
        ),
        # Groups are cut, then ordered by a value in its unit.
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(height) <- 1\nStep 3: Count() <- 1\n"
            "Step 4: Table() <- 2, 3\nStep 5: LimitTable(9)\nStep 6: SortTable(1, descending)",
            ["180\t2", "170\t1"],
        ),
        # The later order of a column counts.
        (
            "Step 1: FindAll()\nStep 2: FilterHasAttr(code)\nStep 3: Table()\n"
            "Step 4: SortTable(1, ascending)\nStep 5: SortTable(1, descending)",
            ["Dee", "Ada"],
        ),
        # A pair of values that is compared in both ways counts once.
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(motto) <- 1\nStep 3: QueryAttr(motto) <- 1\n"
            "Step 4: FilterCompare(!=) <- 2, 3\nStep 5: QueryAttr(height)\nStep 6: Sum()",
            ["180"],
        ),
        # Groups in the order of a value that each has one of.
        (
            "Step 1: FindAll()\nStep 2: FilterHasAttr(height)\nStep 3: QueryAttr(height)\n"
            "Step 4: Relate(friend of, forward) <- 2\nStep 5: Count()\nStep 6: Table() <- 2, 3, 5\n"
            "Step 7: SortTable(2, ascending)\nStep 8: DropColumn(2)",
            ["Bo\t1", "Ada\t2"],
        ),
    ],
)
def test_rows_of_a_small_graph(name: str, text: str, answers: list[str]) -> None:
    """In every dialect; in order where they are sorted, which `answers` are in any case."""
    shape = SHAPES[name]
    program, graph = read_program(text), shape.prepare(FRIENDS)
    held = shape.write(graph)
    # Many dialects have the same text.
    queries = {query.text: query for query in map(partial(compiled_for, shape, program, graph), DIALECTS)}
    for query in queries.values():
        rows = [row.replace(" centimetre", "") for row in answer(held, query).strings]
        assert (rows if "SortTable" in text else sorted(rows)) == answers, query.text


def compiled_for(shape: Shape, program: Program, graph: Graph, dialect: str) -> CompiledQuery:
    options = replace(shape.options, dialect=answered_here(dialect))
    return compile_program(shape.bind(program, graph), shape.layout, options)


# Two members lead to several along each of two relations; their own values differ in parts that others lack.
BRANCHES = Graph(
    {name: Entity(name) for name in ("Ada", "Bo", "Cyd", "Dee", "Eve", "Flo")},
    {},
    frozenset(
        {
            AttributeFact("Ada", "population", Quantity(150.0)),
            AttributeFact("Bo", "population", Quantity(150.0, "metre")),
            AttributeFact("Ada", "born", Year(1960)),
            AttributeFact("Bo", "born", Date(1960, 2, 29)),
            AttributeFact("Ada", "code", String("a")),
            AttributeFact("Ada", "code", String("b")),
            AttributeFact("Bo", "code", String("b")),
            *(
                AttributeFact(name, "height", Quantity(height, "centimetre"))
                for name, height in (
                    ("Ada", 5.0),
                    ("Bo", 7.0),
                    ("Cyd", 1.0),
                    ("Dee", 2.0),
                    ("Eve", 40.0),
                    ("Flo", 60.0),
                )
            ),
        }
    ),
    frozenset(
        {
            RelationFact("Ada", "friend of", "Cyd"),
            RelationFact("Ada", "friend of", "Dee"),
            RelationFact("Ada", "member of", "Eve"),
            RelationFact("Ada", "member of", "Flo"),
            RelationFact("Bo", "friend of", "Dee"),
            RelationFact("Bo", "member of", "Eve"),
            RelationFact("Bo", "member of", "Flo"),
            RelationFact("Ada", "part of", "Flo"),
            RelationFact("Bo", "part of", "Flo"),
        }
    ),
)
_SUMS = """Step 1: FindAll()
Step 2: Relate(friend of, forward) <- 1
Step 3: QueryAttr(height) <- 2
Step 4: Sum() <- 3
Step 5: Relate(member of, forward) <- 1
Step 6: QueryAttr(height) <- 5
"""
_OF_KEY = "Sum() <- 6; {}; Table() <- 8, 4, 7"


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(
    ("steps", "answers"),
    [
        ("Sum() <- 6; Table() <- 1, 4, 7", ["Ada\t3\t100", "Bo\t2\t100"]),
        ("Average() <- 6; Count() <- 5; Table() <- 7, 4, 1, 8", ["50\t2\tBo\t2", "50\t3\tAda\t2"]),
        ("Sum() <- 6; Calculate(-) <- 7, 4; Table() <- 1, 8", ["Ada\t97", "Bo\t98"]),
        (
            "Sum() <- 6; QueryAttr(height) <- 1; Calculate(-) <- 7, 8; Table() <- 1, 8, 4, 9",
            ["Ada\t5\t3\t95", "Bo\t7\t2\t93"],
        ),
        ("Maximum() <- 6; Table() <- 1, 4, 7", ["Ada\t3\t60", "Bo\t2\t60"]),
        # Beside a column of the second branch only the members' own values would be taken several times.
        ("QueryAttr(height) <- 1; Sum() <- 7; Table() <- 6, 4, 8", ["40\t5\t12", "60\t5\t12"]),
        # A condition of one number does not filter the others.
        (
            "FilterNum(height, 1 centimetre, >) <- 2; QueryAttr(height) <- 7; Sum() <- 8; Sum() <- 6; "
            "Table() <- 1, 4, 9, 10",
            ["Ada\t3\t2\t100", "Bo\t2\t2\t100"],
        ),
        (_OF_KEY.format("QueryAttr(code) <- 1"), ["a\t3\t100", "b\t5\t200"]),
        (_OF_KEY.format("Relate(part of, forward) <- 1"), ["Flo\t5\t200"]),
        (_OF_KEY.format("QueryAttr(born) <- 1"), ["1960\t3\t100", "1960-02-29\t2\t100"]),
        (
            "Sum() <- 6; QueryAttr(born) <- 1; Period(year) <- 8; Table() <- 9, 4, 7",
            ["1960\t5\t200"],
        ),
        (_OF_KEY.format("QueryAttr(code) <- 1") + "; FilterTable(3, 150 centimetre, <)", ["a\t3\t100"]),
        (_OF_KEY.format("QueryAttr(code) <- 1") + "; FilterTable(1, b, =)", ["b\t5\t200"]),
        (_OF_KEY.format("QueryAttr(born) <- 1") + "; FilterTable(1, 1960-02-01, >)", ["1960-02-29\t2\t100"]),
        (
            _OF_KEY.format("QueryAttr(born) <- 1") + "; SortTable(1, descending); LimitTable(1)",
            ["1960-02-29\t2\t100"],
        ),
        (
            "Sum() <- 6; Table() <- 4, 7, 1; SortTable(1, ascending); DropColumn(1); LimitTable(1)",
            ["100\tBo"],
        ),
    ],
)
def test_numbers_of_two_branches_do_not_multiply_each_other(
    name: str, steps: str, answers: list[str]
) -> None:
    """In every dialect; the interpreter says so, too."""
    more = "\n".join(f"Step {at}: {step}" for at, step in enumerate(steps.split("; "), 7))
    shape = SHAPES[name]
    program, graph = read_program(_SUMS + more), shape.prepare(BRANCHES)
    held = shape.write(graph)
    queries = {query.text: query for query in map(partial(compiled_for, shape, program, graph), DIALECTS)}
    for query in queries.values():
        assert _sorted(answer(held, query).strings) == answers, query.text
    assert _sorted(interpret(program, graph).answers) == answers


@pytest.mark.parametrize("name", ["kqapro", "wikidata"])
def test_groups_of_a_number_with_a_unit_and_without_are_two(name: str) -> None:
    steps = _OF_KEY.format("QueryAttr(population) <- 1")
    test_numbers_of_two_branches_do_not_multiply_each_other(name, steps, ["150\t3\t100", "150 metre\t2\t100"])


def _sorted(rows: Iterable[str]) -> list[str]:
    return sorted(row.replace(" centimetre", "") for row in rows)


# Dee leads back to Bo, so that both, and not Ada, lead to themselves.
CIRCLE = replace(FRIENDS, relations=FRIENDS.relations | {RelationFact("Dee", "friend of", "Bo")})


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Find(Ada)->RelateTransitive(friend of, forward)->What()", ["Bo", "Cyd", "Dee"]),
        ("Find(Bo)->RelateTransitive(friend of, forward)->What()", ["Bo", "Dee"]),
        ("Find(Bo)->RelateTransitive(friend of, backward)->What()", ["Ada", "Bo", "Dee"]),
        ("FindAll()->RelateTransitive(friend of, forward)->Count()", ["3"]),
        (
            "Step 1: FindAll()\nStep 2: RelateTransitive(friend of, forward)\nStep 3: Table() <- 1, 2",
            ["Ada\tBo", "Ada\tCyd", "Ada\tDee", "Bo\tBo", "Bo\tDee", "Dee\tBo", "Dee\tDee"],
        ),
        (
            "Step 1: FindAll()\nStep 2: RelateTransitive(friend of, backward)\n"
            "Step 3: FilterCount(2, <=) <- 2, 1\nStep 4: OptionalTable() <- 3",
            ["Bo", "Bo", "Dee", "Dee"],
        ),
    ],
)
def test_a_relation_of_any_depth(name: str, dialect: str, text: str, answers: list[str]) -> None:
    shape = SHAPES[name]
    program, graph = read_program(text), shape.prepare(CIRCLE)
    assert sorted(interpret(program, graph).answers) == answers
    if dialect == "virtuoso" or name in WITHOUT_PATHS:
        with pytest.raises(UnsupportedProgram, match="any depth"):
            compiled_for(shape, program, graph, dialect)
        return
    query = compiled_for(shape, program, graph, dialect)
    assert sorted(answer(shape.write(graph), query).strings) == answers, query.text


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("FindAll()->Table()->SortTable(1, ascending)->LimitTable(50 %)", ["Ada", "Bo"]),
        ("FindAll()->Table()->SortTable(1, ascending)->LimitTable(51%)", ["Ada", "Bo", "Cyd"]),
        ("FindAll()->Table()->SortTable(1, descending)->SkipTable(50 %)", ["Bo", "Ada"]),
        ("FindAll()->Table()->SkipTable(100 %)", []),
        ("FindAll()->FilterStr(code, z)->Table()->LimitTable(10 %)", []),
        (
            "Step 1: FindAll()\nStep 2: Relate(friend of, forward)\nStep 3: Count()\n"
            "Step 4: Table() <- 1, 3\nStep 5: SortTable(2, descending)\nStep 6: LimitTable(10 %)",
            ["Ada\t2"],
        ),
        ("FindAll()->SelectShare(height, largest, 34)->What()", ["Ada", "Dee"]),
        ("FindAll()->SelectShare(height, smallest, 1)->What()", ["Bo"]),
        ("FindAll()->SelectShare(height, largest, 100)->What()", ["Ada", "Bo", "Dee"]),
        ("FindAll()->FilterStr(code, z)->SelectShare(height, largest, 10)->Count()", ["0"]),
    ],
)
def test_a_share_of_what_is_counted_first(name: str, text: str, answers: list[str]) -> None:
    program, graph = read_program(text), SHAPES[name].prepare(FRIENDS)
    assert list(interpret(program, graph).answers) == answers
    held = SHAPES[name].write(graph)
    for dialect in DIALECTS:
        options = replace(SHAPES[name].options, dialect=answered_here(dialect))
        shape = replace(SHAPES[name], options=options)
        grounded = with_shares_counted(shape.bind(program, graph), shape, held)
        assert uncounted_share(grounded) is None
        found = answer(held, compile_program(grounded, shape.layout, shape.options)).strings
        assert (list(found) if "SortTable" in text else sorted(found)) == answers, dialect


def test_a_share_of_rows_is_no_query_by_itself() -> None:
    program, shape = read_program("FindAll()->Table()->LimitTable(10 %)"), SHAPES["direct"]
    with pytest.raises(UnsupportedProgram, match="once they are counted"):
        compile_program(shape.bind(program, FRIENDS), "direct", shape.options)


def test_tables_of_unlike_columns_are_refused() -> None:
    """The filter after them is refused too, which is asked of each of the two."""
    program = read_program(
        "Step 1: Find(Ada)\nStep 2: QueryAttr(height)\nStep 3: Table() <- 2\nStep 4: Table() <- 1\n"
        "Step 5: OrTable() <- 3, 4\nStep 6: FilterTable(1, 180, =)"
    )
    shape = SHAPES["direct"]
    with pytest.raises(UnsupportedProgram, match="different kinds"):
        compile_program(shape.bind(program, FRIENDS), "direct", shape.options)
