"""A trace as a message in Markdown: the answer, a short table, a link to the trace, the query.

Names are untrusted text: markup of links, tags and lists in them is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nlq_gateway.answering.response.template import SHOWN
from nlq_gateway.language.wording.english import cell_text
from nlq_gateway.trace import Trace

SHOWN_ROWS = 20
LONGEST_CELL = 100

_SPECIAL = re.compile(r"[\\`*\[\]<|]")
# https://spec.commonmark.org/0.31.2/: headings, quotes, lists, breaks and fences, at the beginning of a line.
_BLOCK = re.compile(r"^(?=[#>+-](?:\s|$)|[-=~_]{3}|#{2,6}\s)")
_NUMBERED = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")


def escaped(text: str) -> str:
    """Escape text for Markdown, on one line."""
    line = _SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))
    return _NUMBERED.sub(r"\1\\\2", _BLOCK.sub(r"\\", line))


def message(trace: Trace, link: str) -> str:
    """The whole message; `link` is the address of the trace on the page."""
    return "\n\n".join(_blocks(trace, link)) + "\n"


def _blocks(trace: Trace, link: str) -> Iterator[str]:
    yield escaped(trace.text) or f"No answer ({trace.status})."
    if len(trace.rows) > 1 and (len(trace.columns) > 1 or len(trace.rows) > SHOWN):
        yield "\n".join(_table(trace.columns, trace.rows))
        if hidden := max(len(trace.rows) - SHOWN_ROWS, 0):
            yield f"and {'at least ' if trace.truncated else ''}{hidden} more rows"
    if trace.diagnosis:
        yield escaped(trace.diagnosis)
    if trace.status == "ambiguous" and trace.reading:
        yield f"Read as: {escaped(trace.reading)}"
    yield from (f"Note: {escaped(warning.message)}" for warning in trace.warnings)
    sure = f", confidence {trace.confidence:.2f}" if trace.answer is not None else ""
    yield f"[How this was answered]({link}){sure}"
    if trace.query is not None:
        yield f"```sparql\n{trace.query.text.rstrip()}\n```"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield _line(columns)
    yield _line(["---"] * len(columns))
    yield from (_line([escaped(_clipped(cell_text(cell))) for cell in row]) for row in rows[:SHOWN_ROWS])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else text[:LONGEST_CELL] + "…"
