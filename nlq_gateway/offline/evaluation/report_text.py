"""The report of `nlq eval` as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from nlq_gateway.offline.evaluation.mistakes import MEANINGS, Mistake

MEASURES = {"hits_at_1": "hits@1", "f1": "F1", "exact": "exact", "answered": "answered"}
_GROUPS = {
    "by_kind": "by kind",
    "by_hops": "by number of relations in the gold program",
    "by_function": "by function of the gold program",
}

Report = Mapping[str, Any]


def report_lines(report: Report) -> Iterator[str]:
    """The averages as a whole and by group, the mistakes, and the figures beside them."""
    groups = {title: report[key] for key, title in _GROUPS.items() if report[key]}
    width = max(map(len, chain(["all"], *groups.values())))
    yield f"  {'':<{width}}  {'n':>6}" + "".join(f"{head:>10}" for head in MEASURES.values())
    yield _averages("all", report, width)
    for title, rows in groups.items():
        yield from ("", title, *(_averages(name, row, width) for name, row in rows.items()))
    wrong = {name: n for name, n in report["error_table"].items() if n}
    if wrong:
        yield from (
            "",
            "wrong answers",
            *(f"  {n:>6}  {name}: {MEANINGS[Mistake(name)]}" for name, n in wrong.items()),
        )
    yield from ("", *_figures(report))


def _averages(name: str, row: Report, width: int) -> str:
    return f"  {name:<{width}}  {row['n']:>6}" + "".join(f"{row[key]:>10.3f}" for key in MEASURES)


def _figures(report: Report) -> Iterator[str]:
    times = ", ".join(f"{name} {ms:.0f} ms" for name, ms in report["latency_ms"].items())
    yield f"time: {times}"
    yield f"calibration: expected error {report['calibration']['expected_error']:.3f}"
    if n := report["unanswerable"]["n"]:
        yield f"unanswerable questions: {n}, answered {report['unanswerable']['answered']}"
    if report["errors"]:
        codes = ", ".join(f"{n} {code}" for code, n in report["errors_by_code"].items())
        yield f"errors: {report['errors']} ({codes})"
    if report["empty_gold"]:
        yield f"left out, without a gold answer: {report['empty_gold']}"
