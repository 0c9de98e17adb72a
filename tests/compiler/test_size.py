"""Programs whose steps feed the next one twice: a query states each of them twice as often as the next."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from compilers.compile import compile_program
from compilers.errors import UnsupportedProgram
from compilers.grounded import GroundedProgram
from compilers.kopl.check import DEFAULT_LIMITS, check
from compilers.kopl.functions import FUNCTIONS
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from compilers.layouts import Options
from compilers.probes import compile_probes
from tests.oracle.graph import Graph, graph_from_kopl_json
from tests.oracle.interpret import interpret

TINY = Path(__file__).parents[1] / "kopl" / "fixtures" / "tiny.json"
HEIGHT = "<http://www.wikidata.org/entity/P2048>"
MOST_TEXT = 300_000
# The steps before, the step that is repeated, with the ones before it as `-1` and `-2`, and the steps after.
DOUBLING = {
    "And": ("FindAll()", "And() <- -1, -1", "What()"),
    "Or": ("FindAll()", "Or() <- -1, -1", "What()"),
    "Except": ("FindAll()", "Except() <- -1, -1", "Count()"),
    "FilterCount": ("FindAll()", "FilterCount(1, >) <- -1, -1", "What()"),
    "SelectTop": ("FindAll()", f"SelectTop({HEIGHT}, largest, 3)", "What()"),
    "SelectNth": ("FindAll()", f"SelectNth({HEIGHT}, smallest, 3)", "What()"),
    "SelectTopBy": ("FindAll()", f"QueryAttr({HEIGHT}); SelectTopBy(largest, 3) <- -2, -1", "What()"),
    "FilterCompare": ("FindAll()", f"QueryAttr({HEIGHT}); FilterCompare(>) <- -1, -1", "Count()"),
    "Calculate values": (f"FindAll(); QueryAttr({HEIGHT})", "Calculate(+) <- -1, -1", "Sum()"),
    "Calculate parts": (f"FindAll(); QueryAttr({HEIGHT})", "Calculate(/) <- -1, -1", ""),
    "Calculate numbers": ("FindAll(); Count()", "Calculate(*) <- -1, -1", ""),
    "Calculate groups": (
        f"FindAll(); QueryAttr({HEIGHT}); Sum()",
        "Calculate(-) <- -1, -1",
        "Table() <- 0, -1",
    ),
    "Table": ("FindAll(); Count()", "Calculate(+) <- -1, -1", "Table() <- -1, -1"),
    "AndTable": ("FindAll(); Table()", "AndTable() <- -1, -1", "CountTable()"),
    "OrTable": (f"FindAll(); QueryAttr({HEIGHT}); Table() <- 0, -1", "OrTable() <- -1, -1", ""),
    "ExceptTable": ("FindAll(); Table()", "ExceptTable() <- -1, -1", "CountTable()"),
}


def _doubled(name: str, times: int) -> Program:
    """The program that repeats the step so often."""
    before, repeated, after = DOUBLING[name]
    calls = "; ".join(part for part in (before, *[repeated] * times, after) if part).split("; ")
    lines = (
        f"Step {number}: "
        + call.replace("-1", str(number - 1)).replace("-2", str(number - 2)).replace("<- 0", "<- 1")
        for number, call in enumerate(calls, 1)
    )
    return read_program("\n".join(lines))


@cache
def _most(name: str) -> int:
    """The most repetitions of the step by the checker's limits."""
    return max(times for times in range(DEFAULT_LIMITS.steps) if check(_doubled(name, times)) == ())


@pytest.fixture(scope="module")
def graph() -> Graph:
    return graph_from_kopl_json(json.loads(TINY.read_text(encoding="utf-8")))


def test_every_function_that_can_be_fed_twice_is_here() -> None:
    """By what it gives itself: a function of two inputs, and those that look at their input twice."""
    twice = {
        function.name
        for function in FUNCTIONS.values()
        if len(function.inputs) == 2 and all(function.accepts(side, function.output) for side in (0, 1))
    }
    assert twice | {"SelectTop", "SelectNth", "FilterCompare"} <= {name.split()[0] for name in DOUBLING}


def _texts(program: Program, layout: str) -> list[str]:
    """The query, and those about its steps."""
    grounded = GroundedProgram(program)
    probes = compile_probes(grounded, layout, Options())
    return [compile_program(grounded, layout, Options()).text, *(probe.text for probe in probes)]


@pytest.mark.parametrize("layout", ["direct", "kqapro", "wikidata"])
@pytest.mark.parametrize("name", DOUBLING)
def test_queries_are_of_bounded_size(name: str, layout: str) -> None:
    assert all(_texts(_doubled(name, 2), layout))
    for times in {6, 8, _most(name)}:
        with suppress(UnsupportedProgram):
            assert max(map(len, _texts(_doubled(name, times), layout))) < MOST_TEXT


@pytest.mark.parametrize("name", sorted({*DOUBLING} - {"Or", "OrTable", "Except", "FilterCompare"}))
def test_queries_that_would_be_larger_are_refused(name: str) -> None:
    """The checker lets no more than eight unions pass; the two others double nothing."""
    with pytest.raises(UnsupportedProgram, match="more than 250 times") as caught:
        compile_program(GroundedProgram(_doubled(name, _most(name))), "direct", Options())
    assert "ask in parts" in caught.value.hint


@pytest.mark.parametrize("name", DOUBLING)
def test_the_interpreter_finds_each_step_once(name: str, graph: Graph) -> None:
    """A query that would take twice as long with every step comes to an end."""
    most = _most(name)
    found = interpret(_doubled(name, most), graph)
    assert len(found.steps) == len(_doubled(name, most))
