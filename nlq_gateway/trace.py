"""The whole story of one answer: what every stage made of the question, as one JSON document."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from compilers.answers import Answer, AnswerValue
from compilers.compile import CompiledQuery
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.program import Program
from connectors.results import Result

Json = dict[str, Any]

_USAGE = ("calls", "prompt_tokens", "completion_tokens")


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another IRI that an argument could have stood for."""

    iri: str
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class BindingTrace:
    """What one argument was taken for. `step` counts from 0 here and from 1 in JSON."""

    step: int
    argument: int
    mention: str
    kind: str
    iri: str
    label: str
    score: float
    how: str
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, slots=True)
class StepTrace:
    """How many entities, values or rows a step had, with up to five examples.

    None and () where that is not known: for numbers and verdicts, values on the way, and `FindAll` where a
    later step narrows it. `ms` is the step's share of the queries that asked about it.
    """

    step: int
    function: str
    count: int | None = None
    examples: tuple[str, ...] = ()
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A program that was tried, and what became of it."""

    program: str
    source: str
    score: float
    outcome: str


@dataclass(frozen=True, slots=True)
class Stage:
    """A query that was sent where the store gave up on the one for the whole program.

    `rows` is None where it gave up on this one, too; `outcome` is then why.
    """

    sparql: str
    rows: int | None
    ms: float
    outcome: str = "answered"


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A demonstration near to the question, with the cosine of their vectors."""

    question: str
    source: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Warning:
    """Something a reader of the answer should know."""

    code: str
    message: str


@dataclass(slots=True)
class Recorder:
    """Collects what the stages report while one question is being answered."""

    timings_ms: dict[str, float] = field(default_factory=dict)
    warnings: list[Warning] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    demonstrations: tuple[Retrieved, ...] = ()
    started: float = field(default_factory=time.perf_counter)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage; repeated stages add up."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - begun) * 1000
            self.timings_ms[name] = self.timings_ms.get(name, 0.0) + spent

    def warn(self, code: str, message: str) -> None:
        """Keep a warning once."""
        warning = Warning(code, message)
        if warning not in self.warnings:
            self.warnings.append(warning)

    def total_ms(self) -> float:
        """Milliseconds since the recorder was made."""
        return (time.perf_counter() - self.started) * 1000


@dataclass(frozen=True, slots=True)
class Trace:
    """One answered question. `status` is answered, empty, ambiguous or unanswerable.

    `result` is what the store sent, put together where it came in stages; the document leaves it out. `tuned`
    says when the ranking was adapted to the endpoint, "" where it was not.
    """

    id: str
    question: str
    dataset: str
    status: str
    text: str
    answer: Answer | None = None
    result: Result | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
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
    usage: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_USAGE, 0))
    index_version: str = ""

    def as_json(self) -> Json:
        """The document that `/nlq` answers with and `/traces` keeps; steps count from 1."""
        document: Json = {
            "id": self.id,
            "question": self.question,
            "dataset": self.dataset,
            "status": self.status,
            "answer": {"text": self.text, "values": [_value(v) for v in self._values()]},
            "table": {"columns": list(self.columns), "rows": [list(row) for row in self.rows]},
            "truncated": self.truncated,
            "program": program_json(self.program) if self.program else None,
            "bindings": [_binding(binding) for binding in self.bindings],
            "sparql": sparql_json(self.query) if self.query else None,
            "steps": [_step(step) for step in self.steps],
            "confidence": {"score": round(self.confidence, 4), "parts": _rounded(self.confidence_parts)},
            "strategy": self.strategy,
            "attempts": [_attempt(attempt) for attempt in self.attempts],
            "warnings": [{"code": w.code, "message": w.message} for w in self.warnings],
            "timings_ms": _rounded(self.timings_ms),
            "usage": dict(self.usage),
            "index_version": self.index_version,
        }
        if self.demonstrations:
            document["demonstrations"] = [_retrieved(one) for one in self.demonstrations]
        if self.tuned:
            document["tuned"] = self.tuned
        if self.stages:
            document["stages"] = [_stage(stage) for stage in self.stages]
        if self.diagnosis:
            document["diagnosis"] = self.diagnosis
        if self.answer and self.answer.evidence:
            document["answer"]["evidence"] = [_value(v) for v in self.answer.evidence]
        return document

    def _values(self) -> tuple[AnswerValue, ...]:
        return self.answer.values if self.answer else ()


def new_trace_id() -> str:
    """A fresh identifier that cannot be guessed: 16 URL-safe characters."""
    return secrets.token_urlsafe(12)


def program_json(program: Program) -> Json:
    """A program as the HTTP interface shows it, with its steps notation."""
    steps = [
        {"function": s.function, "inputs": list(s.inputs), "dependencies": list(s.dependencies)}
        for s in program.steps
    ]
    return {"steps": steps, "text": NOTATIONS["steps"].write(program)}


def sparql_json(query: CompiledQuery) -> Json:
    """A query with its source map."""
    return {"text": query.text, "source_map": query.source_map()}


def _value(value: AnswerValue) -> Json:
    parts = {
        "value": value.value,
        "type": value.type,
        "label": value.label,
        "datatype": value.datatype,
        "lang": value.language,
        "unit": value.unit,
    }
    return {key: part for key, part in parts.items() if part is not None}


def _binding(binding: BindingTrace) -> Json:
    return {
        "step": binding.step + 1,
        "argument": binding.argument,
        "mention": binding.mention,
        "kind": binding.kind,
        "iri": binding.iri,
        "label": binding.label,
        "score": round(binding.score, 4),
        "how": binding.how,
        "alternatives": [
            {"iri": a.iri, "label": a.label, "score": round(a.score, 4)} for a in binding.alternatives
        ],
    }


def _step(step: StepTrace) -> Json:
    return {
        "step": step.step + 1,
        "function": step.function,
        "count": step.count,
        "examples": list(step.examples),
        "ms": round(step.ms, 3),
    }


def _attempt(attempt: Attempt) -> Json:
    return {
        "program": attempt.program,
        "source": attempt.source,
        "score": round(attempt.score, 4),
        "outcome": attempt.outcome,
    }


def _retrieved(one: Retrieved) -> Json:
    return {"question": one.question, "source": one.source, "similarity": round(one.similarity, 4)}


def _stage(stage: Stage) -> Json:
    return {
        "sparql": stage.sparql,
        "rows": stage.rows,
        "ms": round(stage.ms, 3),
        "outcome": stage.outcome,
    }


def _rounded(numbers: dict[str, float]) -> dict[str, float]:
    return {name: round(number, 3) for name, number in numbers.items()}
