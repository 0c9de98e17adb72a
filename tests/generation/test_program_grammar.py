"""Grammars of programs: whatever is derived from them is a sound program over the given names."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest

from compilers.kopl.check import DEFAULT_LIMITS, check
from compilers.kopl.functions import FUNCTIONS, TEXT, Kind, Parameter, ValueType
from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program, Step
from compilers.kopl.values import possible_values
from nlq_gateway.drafts.generation.grammar import grammar_of, program_grammar
from nlq_gateway.drafts.generation.grammar.calls import LEFT_OUT
from nlq_gateway.drafts.generation.grammar.expressions import (
    NOTHING,
    Alternation,
    Expression,
    Grammar,
    references,
)
from nlq_gateway.drafts.generation.known import AllowedNames
from tests.generation.derivations import accepts, derive, longest, renumbered
from tests.generation.given_names import HOSTILE, SMALL, names_in, random_names
from tests.oracle.graph import Graph, graph_from_kopl_json

FIXTURES = Path(__file__).parent / "fixtures"
MINI = Path(__file__).parents[3] / "shared" / "data" / "kqapro" / "mini"
WRITTEN = ("steps", "code")
_STRING, _QUANTITY, _YEAR, _DATE = ValueType


def _derived(grammar: Grammar, notation: str, random: Random) -> Program:
    return NOTATIONS[notation].read(renumbered(derive(grammar, random)))


def _names_of(names: AllowedNames) -> dict[Kind, set[str]]:
    return {
        Kind.ENTITY: set(names.entities),
        Kind.CONCEPT: set(names.concepts),
        Kind.RELATION: set(names.relations),
        Kind.ATTRIBUTE: set(names.attributes),
        Kind.QUALIFIER: set(names.qualifiers),
    }


@pytest.mark.parametrize("notation", WRITTEN)
def test_random_programs_are_sound_and_name_only_what_is_given(notation: str) -> None:
    random = Random(notation)
    for _ in range(30):
        names = random_names(random)
        grammar, known = grammar_of(names, notation), _names_of(names)
        for _ in range(25):
            program = _derived(grammar, notation, random)
            assert check(program) == (), program
            for step in program.steps:
                for parameter, text in zip(step.signature.parameters, step.inputs, strict=True):
                    assert parameter.kind not in known or text in known[parameter.kind], (step, names)


@pytest.mark.parametrize("notation", WRITTEN)
def test_free_names_are_any_text_and_types_still_hold(notation: str) -> None:
    random = Random(notation)
    grammar = grammar_of(AllowedNames(), notation, free_names=True)
    seen: set[str] = set()
    for _ in range(800):
        program = _derived(grammar, notation, random)
        assert check(program) == (), program
        seen.update(step.function for step in program.steps)
    assert seen == set(FUNCTIONS) - set(LEFT_OUT)


@pytest.mark.parametrize("notation", WRITTEN)
def test_a_program_is_written_as_the_notation_writes_it(notation: str) -> None:
    random = Random(notation)
    names = replace(
        random_names(random), strings=HOSTILE, quantities=("5",), years=("1960",), dates=("1960-02-01",)
    )
    grammar = grammar_of(names, notation)
    for _ in range(500):
        text = renumbered(derive(grammar, random))
        program = NOTATIONS[notation].read(text)
        written = NOTATIONS[notation].write(program)
        # Any text may be quoted where it need not be, and a set that feeds several keeps its expression.
        free = any(TEXT in step.signature.parameters for step in program.steps) or (
            notation == "code" and _feeds_several(program)
        )
        assert NOTATIONS[notation].read(written) == program if free else written == text


def _feeds_several(program: Program) -> bool:
    fed = [source for step in program.steps for source in step.dependencies]
    return len(fed) > len(set(fed))


@pytest.mark.parametrize("notation", WRITTEN)
def test_every_function_is_reachable_or_left_out_for_a_reason(notation: str) -> None:
    written = str.upper if notation == "code" else str
    text = program_grammar(SMALL, notation)
    reached = {name for name in FUNCTIONS if f'"{written(name)}(' in text}
    assert reached == set(FUNCTIONS) - set(LEFT_OUT)


@pytest.mark.parametrize("notation", WRITTEN)
def test_the_longest_program_is_within_the_limit_of_the_checker(notation: str) -> None:
    branches, stop = longest(grammar_of(SMALL, notation), "START"), notation == "code"
    lines = longest(grammar_of(SMALL, notation), "\n") + 1
    assert lines - branches - stop <= DEFAULT_LIMITS.steps


@pytest.mark.parametrize("notation", WRITTEN)
def test_nothing_in_a_grammar_leads_nowhere(notation: str) -> None:
    random = Random(7)
    for _ in range(100):
        names = random_names(random)
        kept = {field: getattr(names, field) for field in names.__slots__ if random.random() < 0.6}
        grammar = grammar_of(AllowedNames(**kept), notation)
        assert {name for rule in grammar.rules.values() for name in references(rule)} <= set(grammar.rules)
        assert not any(_has_nothing(rule) for rule in grammar.rules.values())
        assert check(_derived(grammar, notation, random)) == ()


def _has_nothing(expression: Expression) -> bool:
    options = expression.options if isinstance(expression, Alternation) else ()
    return expression == NOTHING or any(map(_has_nothing, options))


@pytest.mark.parametrize(
    ("names", "calls"),
    [
        (AllowedNames(), {"FindAll", "And", "Or", "What", "Count", "VerifyNum", "QueryRelation"}),
        (
            AllowedNames(concepts=("person",), relations=("knows",)),
            {
                "FindAll",
                "FilterConcept",
                "Relate",
                "And",
                "Or",
                "What",
                "Count",
                "VerifyNum",
                "QueryRelation",
            },
        ),
        (
            AllowedNames(entities=("Ada",), attributes={"code": ()}),
            {
                "FindAll",
                "Find",
                "FilterStr",
                "And",
                "Or",
                "What",
                "Count",
                "QueryAttr",
                "QueryRelation",
                "VerifyNum",
                "VerifyStr",
            },
        ),
    ],
)
def test_functions_whose_names_are_missing_are_missing(names: AllowedNames, calls: set[str]) -> None:
    text = program_grammar(names, "steps")
    called = {name for name, function in FUNCTIONS.items() if f'"{name}(' in text and not function.extension}
    assert called == calls


TYPED = AllowedNames(
    entities=("Ada", "Bo, Jr."),
    attributes={
        "height": (_QUANTITY,),
        "population": (_QUANTITY,),
        "born": (_DATE, _YEAR),
        "founded": (_YEAR,),
        "code": (_STRING,),
    },
    qualifiers={"start": (_DATE,), "share": (_QUANTITY,)},
    relations=("knows",),
    units={"height": ("centimetre", "metre"), "population": ("1",)},
    strings=("A-1",),
    quantities=("2 metre", "180", "7 feet of sand"),
)


@pytest.mark.parametrize(
    ("chain", "allowed"),
    [
        ("FindAll()->FilterStr(code, A-1)->Count()", True),
        ("FindAll()->FilterStr(code, B-2)->Count()", False),
        ("FindAll()->FilterStr(height, A-1)->Count()", False),
        ("FindAll()->FilterNum(height, 2 metre, >)->Count()", True),
        ("FindAll()->FilterNum(height, 180 centimetre, >)->Count()", True),
        ("FindAll()->FilterNum(height, 180 metre, >)->Count()", True),
        ("FindAll()->FilterNum(height, 7 metre, >)->Count()", True),
        ("FindAll()->FilterNum(height, 180, >)->Count()", False),
        ("FindAll()->FilterNum(population, 180, >)->Count()", True),
        ("FindAll()->FilterNum(population, 2 metre, >)->Count()", False),
        ("FindAll()->FilterNum(born, 180, >)->Count()", False),
        ("FindAll()->FilterYear(born, 1960, >)->Count()", True),
        ("FindAll()->FilterYear(founded, 1960, >)->Count()", True),
        ("FindAll()->FilterDate(founded, 1960-02-01, >)->Count()", False),
        ("FindAll()->FilterDate(born, 1960-02-30, >)->Count()", False),
        ('Find("Bo, Jr.")->What()', True),
        ("Find(Cyd)->What()", False),
        ("Find(Ada)", False),
        ("Find(Ada)->QFilterYear(start, 1960, =)->What()", False),
        ("Find(Ada)->Relate(knows, forward)->QFilterYear(start, 1960, =)->What()", True),
        ("Find(Ada)->QueryAttr(height)->VerifyNum(180 centimetre, =)", True),
        ("Find(Ada)->QueryAttr(height)->VerifyYear(1960, =)", False),
        ("Find(Ada)->QueryAttr(code)->VerifyStr(A-1)", True),
        ("Find(Ada)->QueryAttrQualifier(born, 1960-02-01, share)->VerifyNum(2 metre, >)", True),
        ("Find(Ada)->QueryAttrQualifier(born, 1960-02-01, start)->VerifyNum(2 metre, >)", False),
        ("FindAll()->SelectAmong(height, largest)", True),
        ("FindAll()->SelectAmong(code, largest)", False),
        ("FindAll()->SelectTop(code, largest, 3)->What()", True),
        ("FindAll()->FilterContains(code, whatever)->Count()", True),
        ("FindAll()->FilterContains(height, 1)->Count()", False),
        ("FindAll()->FilterNameContains(whatever)->What()", True),
        ("FindAll()->QueryAttr(height)->Average()", True),
        ("FindAll()->QueryAttr(born)->Average()", False),
        ("FindAll()->QueryAttr(born)->Minimum()", True),
        ("FindAll()->QueryAttr(code)->CountValues()", True),
        (
            "Find(Ada)->QueryAttr(height)->FindAll()->QueryAttr(height)->Average()->FilterCompare(>)->What()",
            True,
        ),
        ("Find(Ada)->QueryAttr(height)->FindAll()->QueryAttr(born)->FilterCompare(>)->What()", False),
        ("Find(Ada)->QueryAttr(height)->FindAll()->QueryAttr(height)->Maximum()->Calculate(-)", True),
        ("Find(Ada)->QueryAttr(height)->FindAll()->QueryAttr(population)->Calculate(-)", False),
        ("Find(Ada)->QueryAttr(height)->FindAll()->QueryAttr(population)->Calculate(/)", True),
        ("Find(Ada)->QueryAttr(founded)->FindAll()->QueryAttr(founded)->Calculate(-)", True),
        ("Find(Ada)->QueryAttr(founded)->FindAll()->QueryAttr(founded)->Calculate(+)", False),
        ("FindAll()->QueryAttr(height)->Table()->SortTable(1, descending)->LimitTable(3)", True),
        ("FindAll()->QueryAttr(height)->Table()->FilterTable(1, 180 centimetre, >)->CountTable()", True),
        ("FindAll()->Table()->FilterTable(1, 180 centimetre, >)", False),
        ("FindAll()->Count()->FindAll()->QueryAttr(height)->Average()->Table()", True),
        ("FindAll()->Count()->Count()", False),
        (
            "Step 1: FindAll()\nStep 2: Relate(knows, backward)\nStep 3: FilterCount(2, >) <- 1, 2\n"
            "Step 4: What()",
            True,
        ),
        (
            "Step 1: FindAll()\nStep 2: FilterNameContains(a)\nStep 3: Relate(knows, backward)\n"
            "Step 4: QueryAttr(height)\nStep 5: FilterAggregate(average, 180 centimetre, >=) <- 2, 4\n"
            "Step 6: Count()",
            True,
        ),
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(born)\nStep 3: FilterAggregate(minimum, 1960, <) <- 1, 2\n"
            "Step 4: What()",
            True,
        ),
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(born)\nStep 3: FilterAggregate(sum, 1960, <) <- 1, 2\n"
            "Step 4: What()",
            False,
        ),
        (
            "Step 1: FindAll()\nStep 2: Relate(knows, forward)\nStep 3: QueryAttr(height)\n"
            "Step 4: SelectTopBy(largest, 2) <- 1, 3\nStep 5: QueryAttr(code)",
            True,
        ),
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(height)\nStep 3: SelectTopBy(largest, 2) <- 2, 1\n"
            "Step 4: What()",
            False,
        ),
        (
            "Step 1: FindAll()\nStep 2: Relate(knows, forward)\nStep 3: QueryAttr(height)\n"
            "Step 4: QueryAttr(code) <- 1\nStep 5: OptionalTable() <- 1, 3, 4\n"
            "Step 6: SortTable(3, ascending)",
            True,
        ),
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(height)\nStep 3: OptionalTable() <- 1, 2\n"
            "Step 4: SortTable(3, ascending)",
            False,
        ),
        ("Step 1: FindAll()\nStep 2: Count() <- 1\nStep 3: OptionalTable() <- 1, 2", False),
        (
            "Step 1: FindAll()\nStep 2: Relate(knows, forward)\nStep 3: Count()\nStep 4: Table() <- 1, 3\n"
            "Step 5: FilterTable(2, 2 metre, >)\nStep 6: SortTable(2, descending)\nStep 7: LimitTable(5)\n"
            "Step 8: DropColumn(2)",
            False,
        ),
        (
            "Step 1: FindAll()\nStep 2: Relate(knows, forward)\nStep 3: Count()\nStep 4: Table() <- 1, 3\n"
            "Step 5: FilterTable(2, 180, >)\nStep 6: SortTable(2, descending)\nStep 7: LimitTable(5)\n"
            "Step 8: DropColumn(2)",
            True,
        ),
    ],
)
@pytest.mark.parametrize("notation", WRITTEN)
def test_only_what_is_well_typed_is_accepted(notation: str, chain: str, allowed: bool) -> None:
    text = NOTATIONS[notation].write(read_program(chain))
    assert accepts(grammar_of(TYPED, notation), text) == allowed


@pytest.mark.parametrize("notation", WRITTEN)
@pytest.mark.parametrize("name", [name for name in HOSTILE if name.strip()])
def test_a_hostile_name_is_written_as_one_argument(notation: str, name: str) -> None:
    names = AllowedNames(entities=(name,), concepts=HOSTILE)
    grammar = grammar_of(names, notation)
    program = read_program([{"function": "Find", "inputs": [name]}, {"function": "What", "inputs": []}])
    assert accepts(grammar, NOTATIONS[notation].write(program))
    assert len(program_grammar(names, notation).splitlines()) == len(grammar.rules)


@pytest.mark.parametrize("notation", WRITTEN)
def test_a_grammar_of_a_hundred_names_is_small(notation: str) -> None:
    def some(stem: str, most: int) -> tuple[str, ...]:
        return tuple(f"{stem} of some length {number}" for number in range(most))

    attributes = dict(zip(some("attribute", 24), [(kind,) for kind in ValueType] * 6, strict=True))
    names = AllowedNames(
        some("entity", 20),
        some("concept", 20),
        some("relation", 24),
        attributes,
        dict.fromkeys(some("qualifier", 12), (_DATE,)),
        {name: (f"unit {at % 3}",) for at, name in enumerate(attributes)},
    )
    assert len(program_grammar(names, notation)) < 74_000


@pytest.mark.parametrize("notation", WRITTEN)
def test_the_text_of_a_small_grammar(notation: str, pytestconfig: pytest.Config) -> None:
    path, text = FIXTURES / f"{notation}.gbnf", program_grammar(SMALL, notation)
    if pytestconfig.getoption("--update-goldens"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.data
@pytest.mark.skipif(not MINI.is_dir(), reason="needs the benchmark data: kqapro/mini")
@pytest.mark.parametrize("notation", WRITTEN)
def test_every_program_of_the_benchmark_can_be_written(notation: str) -> None:
    with gzip.open(MINI / "kb.json.gz", "rt", encoding="utf-8") as file:
        graph = graph_from_kopl_json(json.load(file))
    with gzip.open(MINI / "programs.jsonl.gz", "rt", encoding="utf-8") as file:
        programs = [read_program(json.loads(line)) for line in file]
    refused = [
        program
        for program in _one_of_each_kind(programs, graph)
        if not accepts(grammar_of(names_in(program, graph), notation), NOTATIONS[notation].write(program))
    ]
    assert len(programs) == 959
    assert refused == []


def _one_of_each_kind(programs: list[Program], graph: Graph) -> Iterable[Program]:
    """Some in which all kinds of steps occur, after all functions that feed them; all if more are wanted."""
    if "NLQ_EXAMPLES" in os.environ:
        yield from programs
        return
    seen: set[object] = set()
    for program in sorted(programs, key=lambda program: len(program.steps)):
        kinds = {
            (_kind(step, graph), *(program.steps[source].function for source in step.dependencies))
            for step in program.steps
        }
        if not kinds <= seen:
            seen |= kinds
            yield program


def _kind(step: Step, graph: Graph) -> tuple[object, ...]:
    """A step with the types in the place of names and values."""
    return step.function, *map(partial(_type, graph), step.signature.parameters, step.inputs)


def _type(graph: Graph, parameter: Parameter, text: str) -> object:
    match parameter.kind:
        case Kind.ATTRIBUTE:
            return graph.attribute_types[text]
        case Kind.QUALIFIER:
            return graph.qualifier_types[text]
        case Kind.VALUE | Kind.NUMBER:
            return tuple(type(value) for value in possible_values(text))
        case _:
            return None
