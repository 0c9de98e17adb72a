"""The whole story of one answer."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from compilers.answers import Answer, AnswerValue
from compilers.compile import CompiledQuery
from compilers.kopl.program import Program
from compilers.kopl.repair import Repair
from connectors.results import Result
from nlq_gateway.trace import parts
from nlq_gateway.trace.parts import Json
from nlq_gateway.trace.table import Cells, table_json, texts_of
from nlq_gateway.trace.values import (
    Attempt,
    BindingTrace,
    Look,
    ModelCall,
    Retrieved,
    Stage,
    StepTrace,
    SubQuestion,
    Warning,
)


@dataclass(frozen=True, slots=True)
class Trace:
    """One answered question. `status` is answered, empty, ambiguous or unanswerable.

    `cells` are those of the table, row by row. `result` is what the store sent, put together where it came in
    stages; the document leaves it out. `tuned` says when the judge was adapted to the endpoint, "" where it
    was not. `reading` is the program as an English question, "" where there are no words for it. `ignored`
    are words of the question that the program takes no account of. `repairs` are those of the program that is
    shown, `facts` what the language model was told, `model` its name where it was asked.
    """

    id: str
    question: str
    dataset: str
    status: str
    text: str
    answer: Answer | None = None
    result: Result | None = None
    columns: tuple[str, ...] = ()
    cells: Cells = ()
    truncated: bool = False
    program: Program | None = None
    query: CompiledQuery | None = None
    bindings: tuple[BindingTrace, ...] = ()
    steps: tuple[StepTrace, ...] = ()
    diagnosis: str | None = None
    confidence: float = 0.0
    confidence_parts: dict[str, float] = field(default_factory=dict)
    strategy: str = ""
    tuned: str = ""
    attempts: tuple[Attempt, ...] = ()
    demonstrations: tuple[Retrieved, ...] = ()
    stages: tuple[Stage, ...] = ()
    warnings: tuple[Warning, ...] = ()
    timings_ms: dict[str, float] = field(default_factory=dict)
    reading: str = ""
    ignored: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    facts: tuple[str, ...] = ()
    sub_questions: tuple[SubQuestion, ...] = ()
    looks: tuple[Look, ...] = ()
    model: str = ""
    model_calls: tuple[ModelCall, ...] = ()
    index_version: str = ""

    def as_json(self) -> Json:
        """The document that `/nlq` answers with and `/traces` keeps; steps count from 1."""
        answer: Json = {"text": self.text, "values": [parts.value_json(one) for one in self.values]}
        if self.answer and self.answer.evidence:
            answer["evidence"] = [parts.value_json(one) for one in self.answer.evidence]
        return {
            "id": self.id,
            "question": self.question,
            "dataset": self.dataset,
            "status": self.status,
            "answer": answer,
            "table": table_json(self.columns, self.cells),
            "truncated": self.truncated,
            "program": parts.program_json(self.program) if self.program else None,
            "bindings": [parts.binding_json(one) for one in self.bindings],
            "sparql": parts.sparql_json(self.query) if self.query else None,
            "steps": [parts.step_json(one) for one in self.steps],
            "confidence": {
                "score": round(self.confidence, 4),
                "parts": parts.rounded(self.confidence_parts),
            },
            "strategy": self.strategy,
            "attempts": [parts.attempt_json(one) for one in self.attempts],
            "warnings": [parts.warning_json(one) for one in self.warnings],
            "timings_ms": parts.rounded(self.timings_ms),
            "usage": self.usage,
            "index_version": self.index_version,
            **{name: part for name, part in self._optional().items() if part},
        }

    def _optional(self) -> Json:
        """What the document has only where there is something to tell."""
        return {
            "demonstrations": [parts.retrieved_json(one) for one in self.demonstrations],
            "reading": self.reading,
            "ignored": list(self.ignored),
            "tuned": self.tuned,
            "stages": [parts.stage_json(one) for one in self.stages],
            "repairs": [parts.repair_json(one) for one in self.repairs],
            "facts": list(self.facts),
            "sub_questions": [parts.sub_question_json(one) for one in self.sub_questions],
            "looks": [parts.look_json(one) for one in self.looks],
            "model": self.model,
            "model_calls": [parts.model_call_json(one) for one in self.model_calls],
            "diagnosis": self.diagnosis,
        }

    @property
    def usage(self) -> dict[str, float]:
        """What the language model cost; with seconds and the replies that were kept, where it was asked."""
        made = [call for call in self.model_calls if not call.cached]
        found: dict[str, float] = {
            "calls": len(made),
            "prompt_tokens": sum(call.prompt_tokens for call in made),
            "completion_tokens": sum(call.completion_tokens for call in made),
        }
        if self.model_calls:
            found["seconds"] = round(sum(call.ms for call in made) / 1000, 3)
            found["cached"] = len(self.model_calls) - len(made)
        return found

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The table's rows as people read them; an empty cell is ""."""
        return texts_of(self.cells)

    @property
    def values(self) -> tuple[AnswerValue, ...]:
        """The answer's values; none without an answer."""
        return self.answer.values if self.answer else ()


def new_trace_id() -> str:
    """A fresh identifier that cannot be guessed: 16 URL-safe characters."""
    return secrets.token_urlsafe(12)
