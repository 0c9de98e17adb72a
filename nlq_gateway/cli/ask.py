"""`nlq ask`: one question, and its answer as people read it or as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from nlq_gateway.cli.source import opened
from nlq_gateway.errors import InvalidRequest
from nlq_gateway.pipeline import Ask
from nlq_gateway.trace import Trace

SHOWN_EXAMPLES = 3
LONGEST_EXAMPLES = 60


def ask(options: argparse.Namespace) -> int:
    """Answer the question; a question without an answer is no failure."""
    try:
        options.question.encode()
    except UnicodeEncodeError:
        raise InvalidRequest("the question is not text in UTF-8") from None
    if not options.question.strip():
        raise InvalidRequest("the question is empty", hint="ask something")
    with opened(options) as gateway:
        trace = gateway.ask(Ask(options.question, strategy=options.strategy))
    if options.json:
        print(json.dumps(trace.as_json(), ensure_ascii=False, indent=2))
    else:
        print("\n".join(readable(trace)))
    return 0


def readable(trace: Trace) -> Iterator[str]:
    """The lines that `nlq ask` prints: the answer, the program with counts, the SPARQL."""
    yield trace.text or f"No answer ({trace.status})."
    if trace.diagnosis:
        yield trace.diagnosis
    yield from (f"Note: {warning.message}" for warning in trace.warnings)
    if trace.program:
        yield from ("", "Program")
        yield from _steps(trace)
    if trace.query:
        yield from ("", "SPARQL", trace.query.text.rstrip("\n"))
    yield from (
        "",
        f"{trace.dataset}, {trace.timings_ms.get('total', 0):.0f} ms, confidence {trace.confidence:.2f}",
    )


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
        examples = ", ".join(step.examples[:SHOWN_EXAMPLES])
        shown = examples if len(examples) <= LONGEST_EXAMPLES else examples[:LONGEST_EXAMPLES] + "…"
        yield f"  {index + 1:>2}  {call:<{width}}  {step.count:>6}  {shown}".rstrip()
