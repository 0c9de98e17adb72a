"""The cases in `fixtures/`: a program, what its names are bound to, and the query expected of each layout.

`bindings.json` lists `{step, argument, iris, ...}` with indices from 0; a case without one is compiled
from bare names. A layout that names things in its own way has the cases with bindings named after it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from compilers.compile import CompiledQuery, compile_program
from compilers.errors import CompilerError
from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.functions import ValueType
from compilers.kopl.notations import read_program
from compilers.layouts import Options

FIXTURES = Path(__file__).parent / "fixtures"
CASES = tuple(sorted(path.parent.name for path in FIXTURES.glob("*/program.json")))
_PREFIXES = (("ex", "http://example.org/"),)
OPTIONS = {
    "kqapro": Options(
        plain_labels=True, prefixes=(("ex", "http://example.org/"), ("kb", "http://kqapro.example/"))
    ),
    "direct": Options(prefixes=_PREFIXES, number_texts=frozenset({"http://example.org/runningTime"})),
    "reification": Options(prefixes=_PREFIXES),
    "rdf12": Options(prefixes=_PREFIXES),
    "rdf_star": Options(prefixes=_PREFIXES),
    "singleton": Options(prefixes=_PREFIXES),
    "graph_per_fact": Options(prefixes=_PREFIXES),
    "wikidata": Options(),
}
_OWN_BINDINGS = ("wikidata",)
# What the layouts that only state facts in another way than `direct` have golden files for.
_ABOUT_FACTS = (
    "find_all",
    "relate",
    "query_relation",
    "qfilter_str",
    "qfilter_num",
    "qfilter_year",
    "qfilter_date",
    "query_attr_under_condition",
    "query_attr_qualifier",
    "query_relation_qualifier",
    "except",
    "relate_transitive",
    "filter_compare",
    "select_top",
    "table",
)


def pairs() -> tuple[tuple[str, str], ...]:
    """Every pair of case and layout that there is a golden file for."""
    return tuple((case, layout) for case in CASES for layout in OPTIONS if _has_golden(case, layout))


def _has_golden(case: str, layout: str) -> bool:
    if layout in _OWN_BINDINGS:
        return (FIXTURES / case / f"{layout}.json").exists()
    return layout in ("direct", "kqapro") or case in _ABOUT_FACTS


def grounded(case: str, layout: str = "bindings") -> GroundedProgram:
    """The case's program with its bindings, for a layout that names things in its own way with those."""
    folder = FIXTURES / case
    program = read_program(json.loads((folder / "program.json").read_text(encoding="utf-8")))
    bindings = folder / f"{layout if layout in _OWN_BINDINGS else 'bindings'}.json"
    rows = json.loads(bindings.read_text(encoding="utf-8")) if bindings.exists() else []
    return GroundedProgram(program, {(row["step"], row["argument"]): _binding(row) for row in rows})


def _binding(row: dict) -> Binding:
    return Binding(
        tuple(row["iris"]),
        row["label"],
        tuple(row.get("subconcepts", ())),
        tuple(map(ValueType, row.get("value_types", ()))),
        tuple(row.get("units", ())),
        subject=row.get("subject", ""),
        object=row.get("object", ""),
    )


def compiled(case: str, layout: str) -> CompiledQuery:
    """The case in one layout; raises what the compiler raises."""
    return compile_program(grounded(case, layout), layout, OPTIONS[layout])


@dataclass(frozen=True, slots=True)
class Expected:
    """The content of a golden file: its ending and its text."""

    ending: str
    text: str


def outcome(case: str, layout: str) -> Expected:
    """The compiled text, or the error in the form that an `.error` file has."""
    try:
        return Expected("rq", compiled(case, layout).text)
    except CompilerError as error:
        return Expected("error", f"{error.code}\n{error.message}\n{error.hint}\n")


def compiling() -> tuple[tuple[str, str], ...]:
    """Every pair of case and layout that has a query."""
    return tuple((path.parent.name, path.stem) for path in sorted(FIXTURES.glob("*/*.rq")))
