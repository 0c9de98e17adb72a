"""Explored programs: each is right and new, says something, and together they cover the graph."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from compilers.kopl.check import check
from compilers.kopl.functions import FUNCTIONS
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from nlq_gateway.answering import Pin, Pipeline
from nlq_gateway.offline.exploration import coverage
from nlq_gateway.offline.exploration.explore import PER_PATTERN
from nlq_gateway.offline.exploration.sketch import pattern_of

GRAPHS = ("sample", "plain", "statements")
Corpora = dict[str, list[dict[str, Any]]]


def pins_of(line: dict[str, Any]) -> tuple[Pin, ...]:
    return tuple(Pin(b["step"] - 1, b["argument"], b["iri"]) for b in line.get("bindings", ()))


def count_of(gateway: Pipeline, graph: str, program: Program, line: dict[str, Any]) -> int:
    trace = gateway.run(program, graph, pins=pins_of(line), probes=False)
    assert trace.answer is not None
    return len(trace.answer.strings)


def members(gateway: Pipeline, graph: str, line: dict[str, Any], step: int) -> int:
    """The number of members of a step's set."""
    trace = gateway.run(read_program(line["program"]), graph, pins=pins_of(line))
    return trace.steps[step].count or 0


def test_the_graphs_have_different_layouts(gateway: Pipeline) -> None:
    assert [gateway.endpoint(name).layout for name in GRAPHS] == ["kqapro", "direct", "reification"]


@pytest.mark.parametrize("graph", GRAPHS)
def test_every_line_is_a_sound_program_with_the_answers_it_tells(
    gateway: Pipeline, corpora: Corpora, graph: str
) -> None:
    for line in corpora[graph]:
        program = read_program(line["program"])
        assert not check(program), line
        trace = gateway.run(program, graph, pins=pins_of(line), probes=False)
        assert trace.answer is not None
        assert len(trace.answer.strings) == line["count"], line
        assert set(line["answers"]) <= set(trace.answer.strings), line
        assert not [w for w in trace.warnings if w.code in ("unknown-name", "pin-ignored")], line


@pytest.mark.parametrize("graph", GRAPHS)
def test_no_program_comes_twice_and_no_pattern_often(corpora: Corpora, graph: str) -> None:
    lines = corpora[graph]
    assert len({(line["program"], str(line.get("bindings"))) for line in lines}) == len(lines)
    assert max(Counter(line["pattern"] for line in lines).values()) <= PER_PATTERN
    assert [line["id"] for line in lines] == [f"explored-{n:05}" for n in range(1, len(lines) + 1)]


def test_a_pattern_keeps_functions_and_the_schema_alone() -> None:
    program = read_program("Find(Ann)->Relate(child, forward)->FilterNum(age, 7 year, >)->Count()")
    assert pattern_of(program) == "Find(_)->Relate(child, forward)->FilterNum(age, _, >)->Count()"


@pytest.mark.parametrize("graph", GRAPHS)
def test_all_of_the_schema_is_covered(gateway: Pipeline, corpora: Corpora, graph: str) -> None:
    covered = coverage(gateway.endpoint(graph).index, corpora[graph])
    kinds = ("relations forward", "relations backward", "attributes", "classes")
    assert {kind: covered.missing().get(kind, []) for kind in kinds} == {kind: [] for kind in kinds}
    assert covered.table()["relations forward"][1] > 3


def test_most_functions_are_covered(gateway: Pipeline, corpora: Corpora) -> None:
    covered = coverage(gateway.endpoint("sample").index, corpora["sample"])
    # What explored programs do not have yet: the reasoner does not grow it.
    later = frozenset(
        "FilterContains FilterNameContains RelateTransitive FilterAggregate SelectPlaces SelectShare"
        " SelectTopBy OptionalTable SkipTable Number Round Period".split()
    )
    grown = FUNCTIONS.keys() - later
    extensions = {name for name in grown if FUNCTIONS[name].extension}
    assert len(covered.functions) >= 0.65 * len(grown)
    assert len(extensions & covered.functions.keys()) >= 0.6 * len(extensions)
    assert not later & covered.functions.keys()


@pytest.mark.parametrize("graph", GRAPHS)
def test_programs_take_up_to_four_relations(corpora: Corpora, graph: str) -> None:
    lengths = Counter(
        sum(step.function == "Relate" for step in read_program(line["program"]).steps)
        for line in corpora[graph]
    )
    assert {1, 2, 3} <= lengths.keys()
    assert max(lengths) <= 4


@pytest.mark.parametrize("graph", GRAPHS)
def test_superlatives_choose_among_several(gateway: Pipeline, corpora: Corpora, graph: str) -> None:
    chosen = [
        (line, index)
        for line in corpora[graph]
        for index, step in enumerate(read_program(line["program"]).steps)
        if step.function in ("SelectAmong", "SelectTop", "SelectNth")
    ]
    assert len(chosen) >= 3
    for line, index in chosen:
        (source,) = read_program(line["program"]).steps[index].dependencies
        assert members(gateway, graph, line, source) > 1, line


@pytest.mark.parametrize("graph", GRAPHS)
def test_conditions_leave_some_out(gateway: Pipeline, corpora: Corpora, graph: str) -> None:
    """Besides those right after a class, by which a walk may begin at what has a value."""
    narrowed = [
        (line, index)
        for line in corpora[graph]
        for index, step in enumerate(read_program(line["program"]).steps)
        if step.function in ("FilterNum", "FilterYear", "FilterDate", "FilterCount") and index > 2
    ]
    assert narrowed
    for line, index in narrowed:
        source = read_program(line["program"]).steps[index].dependencies[0]
        left, before = members(gateway, graph, line, index), members(gateway, graph, line, source)
        assert 0 < left < before, line


@pytest.mark.parametrize("graph", GRAPHS)
def test_counts_count_several_and_lists_are_not_endless(corpora: Corpora, graph: str) -> None:
    for line in corpora[graph]:
        assert 0 < line["count"] <= 100
        assert len(line["answers"]) == min(line["count"], 5)
        if line["program"].endswith("Count()"):
            assert float(line["answers"][0]) > 1, line


def test_who_is_asked_about_is_not_among_the_others(corpora: Corpora) -> None:
    """A walk straight back is about others than where it began."""
    programs = [read_program(line["program"]).steps for lines in corpora.values() for line in lines]
    returning = 0
    for steps in programs:
        for start, first, second in zip(steps, steps[1:], steps[2:], strict=False):
            relates = start.function == "Find" and first.function == second.function == "Relate"
            if relates and first.inputs[0] == second.inputs[0] and first.inputs[1] != second.inputs[1]:
                returning += 1
                position = steps.index(second)
                assert [step.function for step in steps[position + 1 : position + 3]] == ["Find", "Except"]
                assert steps[position + 1].inputs == start.inputs
    assert returning


def test_an_ambiguous_name_says_what_is_meant(gateway: Pipeline, corpora: Corpora) -> None:
    index = gateway.endpoint("sample").index
    bound = [line for line in corpora["sample"] if "bindings" in line]
    assert bound
    for line in bound:
        for binding in line["bindings"]:
            step = read_program(line["program"]).steps[binding["step"] - 1]
            kind = step.signature.parameters[binding["argument"]].kind
            name = step.inputs[binding["argument"]]
            known = index.entities_named(name) if kind == "entity" else index.named(kind, name)
            assert [item.iri for item in known] != [binding["iri"]]
