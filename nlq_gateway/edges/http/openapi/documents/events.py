"""The data of the events of a stream."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from nlq_gateway.edges.http.openapi.documents.answer import Answer, Binding, Program, SourceSpans, Step
from nlq_gateway.edges.http.openapi.documents.numbers import Count, Milliseconds, StepNumber
from nlq_gateway.edges.http.openapi.documents.service import Problem


class LinkAlternative(TypedDict):
    """What a stretch of the question may stand for."""

    kind: str
    iri: str
    label: str
    score: float


class LinkedMention(TypedDict):
    """A stretch of the question, and what it may stand for, best first."""

    text: str
    start: Count
    end: Count
    alternatives: list[LinkAlternative]


class LinkedLiteral(TypedDict):
    """A stretch of the question that states a value, or a range up to `until`."""

    text: str
    start: Count
    end: Count
    value: str
    until: NotRequired[str]


class LinksEvent(TypedDict):
    """`event: links`; offsets are into `question`."""

    question: str
    mentions: list[LinkedMention]
    literals: list[LinkedLiteral]


class ProgramEvent(TypedDict):
    """`event: program`: a program is tried; the last one told is the one that the answer is of."""

    attempt: StepNumber
    source: str
    program: Program


class GroundingEvent(TypedDict):
    """`event: grounding`: what the program's arguments stand for."""

    attempt: StepNumber
    bindings: list[Binding]


class SparqlEvent(TypedDict):
    """`event: sparql`: the query that the program became."""

    attempt: StepNumber
    text: str
    source_map: list[SourceSpans]


class DoneEvent(TypedDict):
    """`event: done`, the last one; `id` is that of the trace, where there is one."""

    id: NotRequired[str]
    total_ms: Milliseconds


# The data of each event of a stream.
EVENTS: dict[str, Any] = {
    "links": LinksEvent,
    "program": ProgramEvent,
    "grounding": GroundingEvent,
    "sparql": SparqlEvent,
    "step": Step,
    "answer": Answer,
    "error": Problem,
    "done": DoneEvent,
}
