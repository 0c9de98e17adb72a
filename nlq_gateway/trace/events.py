"""What happens while a question is being answered, told as it happens.

Each event has a `name` and gives its facts as JSON, in the same words as the document of `/nlq`. Several
programs may be tried: `attempt`, from 1, says which one an event is about. The last one told is the one that
the answer is of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from compilers.compile import CompiledQuery
from compilers.kopl.program import Program
from nlq_gateway.core.types import Links, LiteralMention, Mention
from nlq_gateway.trace import parts
from nlq_gateway.trace.parts import Json
from nlq_gateway.trace.values import BindingTrace, StepTrace


@dataclass(frozen=True, slots=True)
class Linked:
    """What the words of the question may stand for."""

    links: Links
    name: ClassVar[str] = "links"

    def as_json(self) -> Json:
        """Mentions with their alternatives, best first, and values; offsets are into `question`."""
        return {
            "question": self.links.question.text,
            "mentions": [_mention_json(one) for one in self.links.mentions],
            "literals": [_literal_json(one) for one in self.links.literals],
        }


@dataclass(frozen=True, slots=True)
class Drafted:
    """A program is tried; `source` says who proposed it."""

    attempt: int
    source: str
    program: Program
    name: ClassVar[str] = "program"

    def as_json(self) -> Json:
        """The program as in the document."""
        return {"attempt": self.attempt, "source": self.source, "program": parts.program_json(self.program)}


@dataclass(frozen=True, slots=True)
class Grounded:
    """What the arguments of the program stand for in the graph."""

    attempt: int
    bindings: tuple[BindingTrace, ...]
    name: ClassVar[str] = "grounding"

    def as_json(self) -> Json:
        """The bindings as in the document."""
        return {"attempt": self.attempt, "bindings": [parts.binding_json(one) for one in self.bindings]}


@dataclass(frozen=True, slots=True)
class Compiled:
    """The query that the program became."""

    attempt: int
    query: CompiledQuery
    name: ClassVar[str] = "sparql"

    def as_json(self) -> Json:
        """The query with its source map, as in the document."""
        return {"attempt": self.attempt, **parts.sparql_json(self.query)}


@dataclass(frozen=True, slots=True)
class Counted:
    """How many members a step has, as far as that will be known."""

    step: StepTrace
    name: ClassVar[str] = "step"

    def as_json(self) -> Json:
        """The step as in the document."""
        return parts.step_json(self.step)


Event = Linked | Drafted | Grounded | Compiled | Counted
Listener = Callable[[Event], None]


def _mention_json(mention: Mention) -> Json:
    alternatives = [
        {"kind": str(hit.kind), "iri": hit.iri, "label": hit.label, "score": round(hit.score, 4)}
        for hit in mention.hits
    ]
    return {**_place(mention), "alternatives": alternatives}


def _literal_json(literal: LiteralMention) -> Json:
    until = {} if literal.until is None else {"until": str(literal.until)}
    return {**_place(literal), "value": str(literal.value), **until}


def _place(mention: Mention | LiteralMention) -> Json:
    return {"text": mention.text, "start": mention.start, "end": mention.end}
