"""A program asked in parts finds what the interpreter finds, wherever it is cut."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from compilers import staging
from compilers.answers import Answer, AnswerValue
from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.errors import UnsupportedProgram
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Type
from compilers.kopl.notations import read_program
from compilers.layouts import Options
from compilers.read_answers import read_answer
from connectors.results import Result
from tests.compiler.rdf import answer, asks_for_qualifiers, mixes_concepts_in, run
from tests.compiler.shapes import SHAPES
from tests.kopl.extension_strategies import extended_programs, without_cuts
from tests.kopl.strategies import graphs, programs
from tests.oracle.interpret import interpret

PROFILE = settings(
    max_examples=int(os.environ.get("NLQ_EXAMPLES", "30")),
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
DIALECT = st.sampled_from(sorted(DIALECTS))
LAYOUTS = ("kqapro", "direct", "reification", "wikidata")


@pytest.mark.parametrize(
    ("text", "cuts"),
    [
        ("Find(a)->What()", ()),
        ("Find(a)->Relate(r, forward)->Relate(r, forward)->Relate(r, forward)->Count()", (1, 2, 3)),
        ("Find(a)->Relate(r, forward)->QFilterStr(q, x)->What()", (2,)),
        ("FindAll()->FilterNum(n, 1, >)->FilterConcept(c)->What()", (1, 2)),
        ("FindAll()->FilterConcept(c)->SelectAmong(n, largest)", (1,)),
        ("FindAll()\nFilterConcept(c)\nRelate(r, forward)\nAnd() <- 2, 3\nWhat()", (1, 3)),
        # What is behind the cut leads to another step as well.
        (
            "FindAll()\nRelate(r, forward)\nFilterConcept(c)\nRelate(r, forward)\nAnd() <- 2, 4\nWhat()",
            (1, 4),
        ),
        # Each row has the member that another one came from.
        ("FindAll()\nFilterConcept(c)\nRelate(r, forward)\nTable() <- 2, 3", (1,)),
        # An average takes a member once for each way that leads to it.
        ("FindAll()\nFilterConcept(c)\nRelate(r, forward)\nQueryAttr(n)\nAverage()\nTable() <- 3, 5", (1,)),
        ("FindAll()\nFilterConcept(c)\nRelate(r, forward)\nQueryAttr(n)\nAverage()", (1, 2)),
        # From one start, and no other, there is one way to each member, however deep it is.
        ("Find(<urn:a>)\nRelateTransitive(r, forward)\nQueryAttr(n)\nTable() <- 2, 3", (1,)),
        ("Find(<urn:a>)\nRelateTransitive(r, forward)\nQueryAttr(n)\nTable() <- 1, 3", ()),
        ("FindAll()\nRelateTransitive(r, forward)\nQueryAttr(n)\nTable() <- 2, 3", ()),
    ],
)
def test_where_a_program_may_be_cut(text: str, cuts: tuple[int, ...]) -> None:
    lines = [f"Step {number}: {line}" for number, line in enumerate(text.split("\n"), 1)]
    program = read_program(text if "->" in text else "\n".join(lines))
    assert sorted(staging.cuts(GroundedProgram(program))) == list(cuts)


def test_the_middle_comes_first() -> None:
    program = read_program("FindAll()" + "->Relate(r, forward)" * 7 + "->What()")
    assert staging.cuts(GroundedProgram(program))[:3] == (3, 4, 2)


@dataclass(frozen=True, slots=True)
class Store:
    """An embedded store, asked as a gateway asks."""

    store: ox.Store
    layout: str
    options: Options

    def rows(self, grounded: GroundedProgram) -> Result:
        return run(self.store, compile_program(grounded, self.layout, self.options).text)

    def answer(self, grounded: GroundedProgram) -> Answer:
        return answer(self.store, compile_program(grounded, self.layout, self.options))

    def staged(self, grounded: GroundedProgram) -> Iterator[Answer]:
        """The program's answers by every way of asking in parts."""
        query = compile_program(grounded, self.layout, self.options)
        columns = [column.name for column in query.columns]
        for step in staging.cuts(grounded):
            members = self.answer(grounded.prefix(step)).values
            part = staging.resumed(grounded, step, [member.value for member in members])
            stage, found = compile_program(part, self.layout, self.options), self.rows(part)
            yield read_answer(query, columns, staging.aligned(query, stage, found.columns, found.rows))
        if (part := staging.candidates(grounded)) is not None:
            stage, found = compile_program(part, self.layout, self.options), self.rows(part)
            chosen = staging.chosen(grounded.program.steps[-1], stage, found.columns, found.rows)
            yield read_answer(query, columns, staging.aligned(query, stage, found.columns, chosen))
        if sides := staging.branches(grounded):
            yield self._united(query.output, sides)

    def _united(self, output: Type, sides: Iterable[GroundedProgram]) -> Answer:
        members = {member.value: member for side in sides for member in self.answer(side).values}
        count = AnswerValue(str(len(members)), "number")
        return Answer(output, (count,) if output == Type.NUMBER else tuple(members.values()))


@pytest.mark.parametrize("name", LAYOUTS)
@PROFILE
@given(data=st.data(), dialect=DIALECT)
def test_parts_of_a_program_find_what_it_finds(name: str, data: st.DataObject, dialect: str) -> None:
    shape = SHAPES[name]
    graph = shape.prepare(data.draw(graphs()))
    program = data.draw(programs(graph))
    assume(not mixes_concepts_in(program, graph))
    assume(shape.layout != "direct" or not asks_for_qualifiers(program))
    options = replace(shape.options, dialect=DIALECTS[dialect])
    store = Store(shape.write(graph), shape.layout, options)
    expected = sorted(interpret(program, graph).answers)
    for found in store.staged(shape.bind(program, graph)):
        assert sorted(found.strings) == expected


@pytest.mark.parametrize("name", ["kqapro", "direct"])
@PROFILE
@given(data=st.data(), dialect=DIALECT)
def test_parts_of_an_extended_program(name: str, data: st.DataObject, dialect: str) -> None:
    shape = SHAPES[name]
    graph = shape.prepare(data.draw(graphs()))
    program = without_cuts(data.draw(extended_programs(graph)))
    assume(not mixes_concepts_in(program, graph))
    assume(shape.layout != "direct" or not asks_for_qualifiers(program))
    options = replace(shape.options, dialect=DIALECTS[dialect])
    store = Store(shape.write(graph), shape.layout, options)
    grounded = shape.bind(program, graph)
    assume(_is_stated(grounded, store))
    expected = sorted(interpret(program, graph).answers)
    for found in store.staged(grounded):
        assert sorted(found.strings) == expected, program


def _is_stated(grounded: GroundedProgram, store: Store) -> bool:
    """True if the layout can state it: the units of calculated values must go together."""
    try:
        compile_program(grounded, store.layout, store.options)
    except UnsupportedProgram:
        return False
    return True
