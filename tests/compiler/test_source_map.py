"""The source map is exact to the character, whatever the program and the names in it."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from compilers.compile import CompiledQuery, compile_program
from compilers.dialects import DIALECTS
from compilers.grounded import GroundedProgram
from compilers.layouts import Options
from tests.compiler.rdf import asks_for_qualifiers, bound, for_direct, for_kqapro
from tests.kopl.strategies import graphs, programs

PROFILE = settings(derandomize=True)
COMMENT = re.compile(r"# step (\d+): ")


def _require_exact(query: CompiledQuery) -> None:
    lines = _lines(query.text)
    whole = {line for line in lines if not query.text[slice(*line)].startswith("PREFIX ")}
    starts, ends = {start for start, _ in whole}, {end for _, end in whole}
    for step, spans in enumerate(query.spans, 1):
        assert spans, f"step {step} stands nowhere"
        assert all(0 <= start < end <= len(query.text) for start, end in spans)
        assert all(start in starts and end in ends for start, end in spans), "spans are whole lines"
        assert all(before[1] < after[0] for before, after in pairwise(spans)), "disjoint and in order"
    assert _covered(query) == whole
    _require_comments(query, lines)


def _lines(text: str) -> list[tuple[int, int]]:
    """The range of each line, from its first to its last character that is no blank."""
    ranges, start = [], 0
    assert text.endswith("\n")
    for line in text[:-1].split("\n"):
        ranges.append((start + len(line) - len(line.lstrip(" ")), start + len(line)))
        start += len(line) + 1
    return ranges


def _covered(query: CompiledQuery) -> set[tuple[int, int]]:
    """The lines that some span covers from end to end."""
    spans = [span for found in query.spans for span in found]
    return {(a, b) for a, b in _lines(query.text) if any(start <= a and b <= end for start, end in spans)}


def _require_comments(query: CompiledQuery, lines: list[tuple[int, int]]) -> None:
    """Each step has one comment, which lies in a span of that step and in no other."""
    numbered = [(int(found[1]), line) for line in lines if (found := COMMENT.match(query.text, *line))]
    assert sorted(number for number, _ in numbered) == list(range(1, len(query.program) + 1))
    for number, (start, end) in numbered:
        owners = {
            step
            for step, spans in enumerate(query.spans, 1)
            if any(a <= start and end <= b for a, b in spans)
        }
        assert owners == {number}, query.text[start:end]


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@PROFILE
@given(data=st.data(), with_bindings=st.booleans())
def test_kqapro(dialect: str, data: st.DataObject, with_bindings: bool) -> None:
    graph = for_kqapro(data.draw(graphs()))
    program = data.draw(programs(graph))
    grounded = bound(program, graph) if with_bindings else GroundedProgram(program)
    assume(with_bindings or not any("<http" in text for step in program.steps for text in step.inputs))
    _require_exact(compile_program(grounded, "kqapro", Options(dialect=DIALECTS[dialect], plain_labels=True)))


@PROFILE
@given(data=st.data())
def test_direct(data: st.DataObject) -> None:
    graph = for_direct(data.draw(graphs()))
    program = data.draw(programs(graph))
    assume(not asks_for_qualifiers(program))
    _require_exact(compile_program(bound(program, graph), "direct", Options()))
