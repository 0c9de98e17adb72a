"""Events while a question is being answered.

Each event has a `name` and is a part like those of the document of `/nlq`. Several
programs may be tried: `attempt`, from 1, is the number of the event's program. The last program gives the
answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar

from compilers.kopl.values import Value
from nlq_gateway.core.types import Hit, LiteralMention, Mention
from nlq_gateway.trace.part import Count, DocumentPart, Milliseconds, Score, SentAs, Sparse, StepNumber
from nlq_gateway.trace.parts import ShownProgram, SparqlTrace
from nlq_gateway.trace.values import BindingTrace, StepTrace


@dataclass(frozen=True, slots=True)
class LinkAlternative(DocumentPart):
    """A candidate for a span of the question."""

    kind: str
    iri: str
    label: str
    score: Score


@dataclass(frozen=True, slots=True)
class LinkedMention(DocumentPart):
    """A span of the question, and its candidates, best first."""

    text: str
    start: Count
    end: Count
    hits: tuple[Annotated[Hit, SentAs(LinkAlternative)], ...]

    MEMBERS: ClassVar = ("text", "start", "end", "alternatives=hits")


def _in_words(value: Value) -> str:
    return str(value)


@dataclass(frozen=True, slots=True)
class LinkedLiteral(DocumentPart):
    """A stretch of the question that states a value, or a range up to `until`."""

    text: str
    start: Count
    end: Count
    value: Annotated[Value, SentAs(_in_words)]
    until: Sparse[Annotated[Value, SentAs(_in_words)] | None]


@dataclass(frozen=True, slots=True)
class LinksEvent(DocumentPart):
    """`event: links`; offsets are into `question`."""

    question: str
    mentions: tuple[Annotated[Mention, SentAs(LinkedMention)], ...]
    literals: tuple[Annotated[LiteralMention, SentAs(LinkedLiteral)], ...]

    name: ClassVar[str] = "links"


@dataclass(frozen=True, slots=True)
class ProgramEvent(DocumentPart):
    """`event: program`: a program is tried; the last one told is the one that the answer is of."""

    attempt: StepNumber
    source: str
    program: ShownProgram

    name: ClassVar[str] = "program"


@dataclass(frozen=True, slots=True)
class GroundingEvent(DocumentPart):
    """`event: grounding`: the entities and items of the program's arguments."""

    attempt: StepNumber
    bindings: tuple[BindingTrace, ...]

    name: ClassVar[str] = "grounding"


@dataclass(frozen=True, slots=True)
class SparqlEvent(SparqlTrace):
    """`event: sparql`: the query that the program became."""

    attempt: StepNumber

    name: ClassVar[str] = "sparql"
    MEMBERS: ClassVar[tuple[str, ...]] = ("attempt", *SparqlTrace.MEMBERS)


@dataclass(frozen=True, slots=True)
class DoneEvent(DocumentPart):
    """`event: done`, the last one; `id` is that of the trace, where there is one."""

    id: Sparse[str | None]
    total_ms: Milliseconds

    name: ClassVar[str] = "done"


Event = LinksEvent | ProgramEvent | GroundingEvent | SparqlEvent | StepTrace
Listener = Callable[[Event], None]
