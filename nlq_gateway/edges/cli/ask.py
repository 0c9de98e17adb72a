"""`nlq ask`: one question, and its answer as text or as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from compilers.kopl.repair import Repair
from nlq_gateway.answering import Ask
from nlq_gateway.client.plain import clipped, plain, table_lines
from nlq_gateway.core.errors import InvalidRequest
from nlq_gateway.edges.cli.source import opened
from nlq_gateway.language.detection import ENGLISH, language_of
from nlq_gateway.language.sentences import saying
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
    with opened(options, model=True) as pipeline:
        asked = Ask(options.question, language=options.language, strategy=options.strategy, only=options.only)
        trace = pipeline.ask(asked)
    if options.json:
        print(json.dumps(trace.as_json(), ensure_ascii=False, indent=2))
    else:
        print("\n".join(map(plain, readable(trace, options.language or language_of(trace.question)))))
    return 0


def readable(trace: Trace, language: str = ENGLISH) -> Iterator[str]:
    """The lines that `nlq ask` prints: the answer, the program with repairs and counts, the SPARQL."""
    yield from answer_lines(trace, language)
    if trace.program:
        yield from ("", "Program" if trace.status != "unanswerable" else "Program that came closest")
        yield from _steps(trace)
        yield from (f"Repaired: {_repair(repair)}" for repair in trace.repairs)
    yield from query_lines(trace)
    took = f"{trace.timings_ms.get('total', 0):.0f} ms"
    yield from ("", ", ".join((trace.dataset, took, f"confidence {trace.confidence:.2f}", *_model(trace))))


def query_lines(trace: Trace) -> Iterator[str]:
    """The lines of the SPARQL, if there is some."""
    if trace.query:
        yield from ("", "SPARQL", trace.query.text.rstrip("\n"))


def answer_lines(trace: Trace, language: str = ENGLISH) -> Iterator[str]:
    """The lines of the answer, with its table, how the question was read, and remarks."""
    yield trace.text or f"No answer ({trace.status})."
    if len(trace.columns) > 1 and len(trace.rows) > 1:
        yield from ("", *table_lines(trace.columns, trace.rows))
    if trace.diagnosis:
        yield trace.diagnosis
    if trace.reading:
        yield f"Read as: {trace.reading}"
    if trace.ignored:
        yield f"Not taken into account: {', '.join(f'“{words}”' for words in trace.ignored)}"
    if trace.readings:
        yield from ("", saying(language)("did_you_mean"), *(f"  {one.reading}" for one in trace.readings))
    yield from (f"Note: {warning.message}" for warning in trace.warnings)


def _repair(repair: Repair) -> str:
    """Describe a repair: its place, the change, and the reason."""
    before, after = repr(repair.before), repr(repair.after)
    changed = f"{before} → {after}" if repair.before else f"added {after}"
    return f"step {repair.step + 1}, {changed if repair.after else f'left out {before}'}: {repair.why}"


def _model(trace: Trace) -> Iterator[str]:
    """The model of the answer, if any, and its cost."""
    if trace.model:
        used = trace.usage
        calls = "1 call" if used.calls == 1 else f"{used.calls} calls"
        tokens = used.prompt_tokens + used.completion_tokens
        yield f"{trace.model}: {calls}, {tokens} tokens, {used.seconds or 0:.1f} s"


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
        shown = clipped(", ".join(step.examples[:SHOWN_EXAMPLES]), LONGEST_EXAMPLES)
        yield f"  {index + 1:>2}  {call:<{width}}  {step.count:>6}  {shown}".rstrip()
