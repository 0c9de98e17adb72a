"""`nlq ask`: one question, and its answer as people read it or as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from compilers.kopl.repair import Repair
from nlq_gateway.cli.source import opened
from nlq_gateway.errors import InvalidRequest
from nlq_gateway.pipeline import Ask
from nlq_gateway.trace import Trace

SHOWN_EXAMPLES = 3
LONGEST_EXAMPLES = 60
SHOWN_ROWS = 20
LONGEST_CELL = 50


def ask(options: argparse.Namespace) -> int:
    """Answer the question; a question without an answer is no failure."""
    try:
        options.question.encode()
    except UnicodeEncodeError:
        raise InvalidRequest("the question is not text in UTF-8") from None
    if not options.question.strip():
        raise InvalidRequest("the question is empty", hint="ask something")
    with opened(options, model=True) as gateway:
        trace = gateway.ask(Ask(options.question, strategy=options.strategy, only=options.only))
    if options.json:
        print(json.dumps(trace.as_json(), ensure_ascii=False, indent=2))
    else:
        print("\n".join(map(_plain, readable(trace))))
    return 0


def _plain(line: str) -> str:
    """A line without what a terminal would act on: labels are other people's text."""
    return "".join(one if one.isprintable() or one in "\n\t" else "�" for one in line)


def readable(trace: Trace) -> Iterator[str]:
    """The lines that `nlq ask` prints: the answer, the program with repairs and counts, the SPARQL."""
    yield trace.text or f"No answer ({trace.status})."
    if len(trace.columns) > 1 and len(trace.rows) > 1:
        yield from ("", *_table(trace))
    if trace.diagnosis:
        yield trace.diagnosis
    if trace.reading:
        yield f"Read as: {trace.reading}"
    yield from (f"Note: {warning.message}" for warning in trace.warnings)
    if trace.program:
        yield from ("", "Program" if trace.status != "unanswerable" else "Program that came closest")
        yield from _steps(trace)
        yield from (f"Repaired: {_repair(repair)}" for repair in trace.repairs)
    if trace.query:
        yield from ("", "SPARQL", trace.query.text.rstrip("\n"))
    took = f"{trace.timings_ms.get('total', 0):.0f} ms"
    yield from ("", ", ".join((trace.dataset, took, f"confidence {trace.confidence:.2f}", *_model(trace))))


def _repair(repair: Repair) -> str:
    """Where something was changed, from what to what, and why."""
    before, after = repr(repair.before), repr(repair.after)
    changed = f"{before} → {after}" if repair.before else f"added {after}"
    return f"step {repair.step + 1}, {changed if repair.after else f'left out {before}'}: {repair.why}"


def _model(trace: Trace) -> Iterator[str]:
    """The model that was asked, if any, and what it took."""
    if trace.model:
        used = trace.usage
        calls = "1 call" if used["calls"] == 1 else f"{used['calls']} calls"
        tokens = used["prompt_tokens"] + used["completion_tokens"]
        yield f"{trace.model}: {calls}, {tokens} tokens, {used['seconds']:.1f} s"


def _table(trace: Trace) -> Iterator[str]:
    """The first rows under the names of their columns."""
    shown = [[_clipped(cell, LONGEST_CELL) for cell in row] for row in trace.rows[:SHOWN_ROWS]]
    lines = [list(trace.columns), *shown]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
    if hidden := len(trace.rows) - len(shown):
        yield f"  and {hidden} more"


def _clipped(text: str, longest: int) -> str:
    """The text on one line, cut where it is longer."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[:longest] + "…"


def _steps(trace: Trace) -> Iterator[str]:
    assert trace.program is not None
    found = {step.step: step for step in trace.steps}
    calls = [str(step) for step in trace.program.steps]
    width = max(map(len, calls))
    for index, call in enumerate(calls):
        step = found.get(index)
        if step is None or step.count is None:
            yield f"  {index + 1:>2}  {call}"
            continue
        shown = _clipped(", ".join(step.examples[:SHOWN_EXAMPLES]), LONGEST_EXAMPLES)
        yield f"  {index + 1:>2}  {call:<{width}}  {step.count:>6}  {shown}".rstrip()
