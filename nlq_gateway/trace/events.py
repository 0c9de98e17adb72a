"""What happens while a question is being answered, told as it happens.

Each event has a `name` and is a part like those of the document of `/nlq`. Several
programs may be tried: `attempt`, from 1, says which one an event is about. The last one told is the one that
the answer is of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar

from compilers.compile import CompiledQuery
from compilers.kopl.program import Program
from nlq_gateway.core.types import Hit, Links, LiteralMention, Mention
from nlq_gateway.trace.part import Count, Milliseconds, Part, Score, SentAs, Sparse, StepNumber
from nlq_gateway.trace.parts import ProgramTrace, SourceSpans, SparqlTrace
from nlq_gateway.trace.values import BindingTrace, StepTrace


@dataclass(frozen=True, slots=True)
class LinkAlternative(Part):
    """What a stretch of the question may stand for."""

    kind: str
    iri: str
    label: str
    score: Score

    @classmethod
    def of(cls, hit: Hit) -> LinkAlternative:
        """What the index found, as a part."""
        return cls(str(hit.kind), hit.iri, hit.label, hit.score)


@dataclass(frozen=True, slots=True)
class LinkedMention(Part):
    """A stretch of the question, and what it may stand for, best first."""

    text: str
    start: Count
    end: Count
    alternatives: tuple[Annotated[Hit, SentAs(LinkAlternative.of)], ...]

    @classmethod
    def of(cls, mention: Mention) -> LinkedMention:
        """The mention as a part."""
        return cls(mention.text, mention.start, mention.end, mention.hits)


@dataclass(frozen=True, slots=True)
class LinkedLiteral(Part):
    """A stretch of the question that states a value, or a range up to `until`."""

    text: str
    start: Count
    end: Count
    value: str
    until: Sparse[str | None]

    @classmethod
    def of(cls, literal: LiteralMention) -> LinkedLiteral:
        """The value as a part."""
        until = None if literal.until is None else str(literal.until)
        return cls(literal.text, literal.start, literal.end, str(literal.value), until)


@dataclass(frozen=True, slots=True)
class LinksEvent(Part):
    """`event: links`; offsets are into `question`."""

    links: Links

    name: ClassVar[str] = "links"
    MEMBERS: ClassVar = ("question", "mentions", "literals")

    @property
    def question(self) -> str:
        """The question as it was linked."""
        return self.links.question.text

    @property
    def mentions(self) -> tuple[LinkedMention, ...]:
        """The names in it."""
        return tuple(map(LinkedMention.of, self.links.mentions))

    @property
    def literals(self) -> tuple[LinkedLiteral, ...]:
        """The values in it."""
        return tuple(map(LinkedLiteral.of, self.links.literals))


@dataclass(frozen=True, slots=True)
class ProgramEvent(Part):
    """`event: program`: a program is tried; the last one told is the one that the answer is of."""

    attempt: StepNumber
    source: str
    program: Annotated[Program, SentAs(ProgramTrace.of)]

    name: ClassVar[str] = "program"


@dataclass(frozen=True, slots=True)
class GroundingEvent(Part):
    """`event: grounding`: what the program's arguments stand for."""

    attempt: StepNumber
    bindings: tuple[BindingTrace, ...]

    name: ClassVar[str] = "grounding"


@dataclass(frozen=True, slots=True)
class SparqlEvent(Part):
    """`event: sparql`: the query that the program became."""

    attempt: StepNumber
    query: CompiledQuery

    name: ClassVar[str] = "sparql"
    MEMBERS: ClassVar = ("attempt", "text", "source_map")

    @property
    def text(self) -> str:
        """The query."""
        return self.query.text

    @property
    def source_map(self) -> tuple[SourceSpans, ...]:
        """Where its steps are in it."""
        return SparqlTrace.of(self.query).source_map


@dataclass(frozen=True, slots=True)
class DoneEvent(Part):
    """`event: done`, the last one; `id` is that of the trace, where there is one."""

    id: Sparse[str | None]
    total_ms: Milliseconds

    name: ClassVar[str] = "done"


Event = LinksEvent | ProgramEvent | GroundingEvent | SparqlEvent | StepTrace
Listener = Callable[[Event], None]
