"""The whole story of one answer."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, TypeAlias

from compilers.answers import Answer, AnswerValue
from connectors.results import Result
from nlq_gateway.trace.part import Count, DocumentPart, Meaning, Milliseconds, Probability, Rounded, Sparse
from nlq_gateway.trace.parts import AnswerText, ShownProgram, ShownQuery
from nlq_gateway.trace.table import Cells, Table, texts_of
from nlq_gateway.trace.values import (
    Attempt,
    BindingTrace,
    Look,
    ModelCall,
    PossibleReading,
    Repairs,
    Retrieved,
    Stage,
    StepTrace,
    SubQuestion,
    Warning,
)

Status: TypeAlias = Annotated[
    Literal["answered", "empty", "ambiguous", "unanswerable"],
    Meaning(
        "empty: nothing in the graph matches, a finding; ambiguous: another reading is about as likely; "
        "unanswerable: the graph does not speak of this, or no reading is sure enough"
    ),
]


@dataclass(frozen=True, slots=True)
class Confidence(DocumentPart):
    """The probability that the answer is right, and the features behind it."""

    score: Annotated[Probability, Meaning("the probability that the answer is right")]
    parts: dict[str, Rounded]


@dataclass(frozen=True, slots=True)
class UsageTrace(DocumentPart):
    """The cost of the language model; `seconds` and the number of cached replies only if it was called."""

    calls: Count
    prompt_tokens: Count
    completion_tokens: Count
    seconds: Sparse[Rounded | None] = None
    cached: Sparse[Count | None] = None


@dataclass(frozen=True, slots=True)
class Trace(DocumentPart):
    """An answer with its whole trace.

    `tuned` says when the judge was adapted to the endpoint. `reading` is the program as a question,
    where there are words for it. `ignored` are words of the question that the program takes no account of.
    `repairs` are those of the program that is shown, `facts` what the language model was told, `model` its
    name where it was asked.
    """

    id: str
    question: str
    dataset: str
    status: Status
    text: str
    answer: Answer | None = None
    # The store's result, joined if it came in stages; no part of the document.
    result: Result | None = None
    columns: tuple[str, ...] = ()
    # The cells of the table, row by row.
    cells: Cells = ()
    truncated: Annotated[bool, Meaning("true if the store has more rows than were fetched")] = False
    program: ShownProgram | None = None
    query: ShownQuery | None = None
    bindings: tuple[BindingTrace, ...] = ()
    steps: tuple[StepTrace, ...] = ()
    diagnosis: Annotated[Sparse[str | None], Meaning("why there is no answer")] = None
    confidence: float = 0.0
    confidence_parts: dict[str, float] = field(default_factory=dict)
    strategy: str = ""
    tuned: Sparse[str] = ""
    attempts: tuple[Attempt, ...] = ()
    demonstrations: Sparse[tuple[Retrieved, ...]] = ()
    stages: Sparse[tuple[Stage, ...]] = ()
    warnings: tuple[Warning, ...] = ()
    timings_ms: dict[str, Milliseconds] = field(default_factory=dict)
    reading: Annotated[Sparse[str], Meaning("the question as it was understood")] = ""
    reading_language: Annotated[
        Sparse[str], Meaning("the language of `reading` and `readings` where it is not English")
    ] = ""
    readings: Annotated[
        Sparse[tuple[PossibleReading, ...]],
        Meaning(
            "where none is sure enough: up to three readings, likeliest first, that find different things"
        ),
    ] = ()
    ignored: Sparse[tuple[str, ...]] = ()
    repairs: Sparse[Repairs] = ()
    facts: Sparse[tuple[str, ...]] = ()
    sub_questions: Sparse[tuple[SubQuestion, ...]] = ()
    looks: Sparse[tuple[Look, ...]] = ()
    model: Sparse[str] = ""
    model_calls: Sparse[tuple[ModelCall, ...]] = ()
    index_version: str = ""

    MEMBERS: ClassVar = (
        "id", "question", "dataset", "status", "answer=told", "table", "truncated", "program", "bindings",
        "sparql=query", "steps", "confidence=sureness", "strategy", "attempts", "warnings", "timings_ms",
        "usage", "index_version", "demonstrations", "reading", "reading_language", "readings", "ignored",
        "tuned", "stages", "repairs", "facts", "sub_questions", "looks", "model", "model_calls", "diagnosis",
    )  # fmt: skip

    @property
    def told(self) -> AnswerText:
        """The answer as the document has it."""
        return AnswerText(self.text, self.values, self.answer.evidence if self.answer else ())

    @property
    def table(self) -> Table:
        """The table as the document has it."""
        return Table.of(self.columns, self.cells)

    @property
    def sureness(self) -> Confidence:
        """The confidence as the document has it."""
        return Confidence(self.confidence, self.confidence_parts)

    @property
    def usage(self) -> UsageTrace:
        """The cost of the language model."""
        made = [call for call in self.model_calls if not call.cached]
        return UsageTrace(
            len(made),
            sum(call.prompt_tokens for call in made),
            sum(call.completion_tokens for call in made),
            sum(call.ms for call in made) / 1000 if self.model_calls else None,
            len(self.model_calls) - len(made) if self.model_calls else None,
        )

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The table's rows as texts; an empty cell is ""."""
        return texts_of(self.cells)

    @property
    def values(self) -> tuple[AnswerValue, ...]:
        """The answer's values; none without an answer."""
        return self.answer.values if self.answer else ()


def new_trace_id() -> str:
    """A fresh identifier that cannot be guessed: 16 URL-safe characters."""
    return secrets.token_urlsafe(12)
