"""Every compiled text is SPARQL (1.1, but for triples as terms), and its source map covers it."""

from __future__ import annotations

import zlib
from itertools import pairwise

import pyoxigraph as ox
import pytest
from rdflib.plugins.sparql import prepareQuery

from compilers.compile import CompiledQuery
from compilers.errors import UnsupportedProgram
from compilers.probes import compile_counts, compile_examples, set_steps
from connectors.guard import require_read_only
from connectors.plain import require_plain_select
from connectors.rdf12 import without_rdf12
from connectors.sparql_text import tokenize
from tests.compiler.cases import OPTIONS, compiled, compiling, grounded, pairs

# rdflib takes some hundred times as long as all the rest: it reads the probes of one query in so many.
PARSED_ONE_IN = 4


def _require_sparql(text: str, layout: str) -> None:
    ox.Store().query(text)
    _require_rdflib(text, layout)


def _require_rdflib(text: str, layout: str) -> None:
    if layout in ("rdf12", "rdf_star"):
        text = "".join(token.text for token in without_rdf12(tokenize(text)))
    prepareQuery(text)


@pytest.mark.parametrize(("case", "layout"), compiling())
def test_two_parsers_take_the_query(case: str, layout: str) -> None:
    _require_sparql(compiled(case, layout).text, layout)


@pytest.mark.parametrize(("case", "layout"), compiling())
def test_the_guards_let_the_query_through(case: str, layout: str) -> None:
    text = compiled(case, layout).text
    require_plain_select(text)
    assert require_read_only(text) == "SELECT"


@pytest.mark.parametrize(("case", "layout"), pairs())
def test_two_parsers_take_the_probes(case: str, layout: str) -> None:
    program = grounded(case, layout)
    for form in (compile_counts, compile_examples):
        try:
            probe = form(program, set_steps(program), layout, OPTIONS[layout])
        except UnsupportedProgram:
            continue
        ox.Store().query(probe.text)
        if zlib.crc32(f"{case} {layout}".encode()) % PARSED_ONE_IN == 0:
            _require_rdflib(probe.text, layout)
        for step in probe.steps:
            assert f"# step {step + 1}: " in probe.text


def _stating_lines(query: CompiledQuery) -> list[tuple[int, int]]:
    """The ranges of the lines that some step states: all but the prefixes."""
    ranges, start = [], 0
    for line in query.text.splitlines(keepends=True):
        indent = len(line) - len(line.lstrip())
        if not line.startswith("PREFIX"):
            ranges.append((start + indent, start + len(line.rstrip("\n"))))
        start += len(line)
    return ranges


@pytest.mark.parametrize(("case", "layout"), compiling())
def test_spans_are_the_lines_of_each_step(case: str, layout: str) -> None:
    """Whole lines in order; every line is some step's, and a comment is its step's alone."""
    query = compiled(case, layout)
    lines = _stating_lines(query)
    starts, ends = {start for start, _ in lines}, {end for _, end in lines}
    for spans in query.spans:
        assert spans
        assert all(start in starts and end in ends and start < end for start, end in spans)
        assert all(before[1] < after[0] for before, after in pairwise(spans))
    for start, end in lines:
        assert any(a <= start and end <= b for spans in query.spans for a, b in spans), query.text[start:end]
    for number in range(1, len(query.program) + 1):
        comment = query.text.index(f"# step {number}: ")
        owners = [n for n, other in enumerate(query.spans, 1) if any(a <= comment < b for a, b in other)]
        assert owners == [number]


def test_the_source_map_counts_steps_from_one() -> None:
    query = compiled("count", "kqapro")
    entries = query.source_map()
    assert [entry["step"] for entry in entries] == [1, 2, 3, 4]
    assert query.text[slice(*query.spans[2][0])] == (
        "# step 3: FilterConcept(city)\n  ?city pred:instance_of ex:City ."
    )
