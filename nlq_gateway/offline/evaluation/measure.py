"""One question: ask, time, compare, and classify the mistake."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from compilers.answers import Answer, AnswerValue
from compilers.compile import CompiledQuery
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Type
from compilers.kopl.notations import NOTATIONS
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.core.types import Question as Asked
from nlq_gateway.index import Index
from nlq_gateway.offline.evaluation.gold import gold_of, gold_program
from nlq_gateway.offline.evaluation.mistakes import Mistake, MistakeEvidence, mistake_of
from nlq_gateway.offline.evaluation.questions import Gold, GoldQuestion
from nlq_gateway.offline.evaluation.score import WRONG, Score, score
from nlq_gateway.question.linking import Linker
from nlq_gateway.trace import Json, Trace

_KEPT = ("status", "bindings", "attempts", "warnings", "strategy", "diagnosis")
_MOST_ANSWERS = 50

Rows = list[list[list[str]]]


@dataclass(frozen=True, slots=True)
class QuestionFailure:
    """An error: its stable code, `internal` for a fault of the program, and its message."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Measurement:
    """The result of one question; plain data that is sent between processes.

    `score` is None without a comparison: the gold answer is empty, or `failure` is the reason. `ms` is the
    time of asking. `gold_program` is the program that the question is an example of. A wrong answer has a
    `mistake`, and a `trace` that shows the cause. `confidence` is that of an answer with values: a refusal
    claims nothing. `confidence_parts` are its features, of a refusal, too. `text` is the answer in
    words.
    """

    question: GoldQuestion
    gold: Gold = ()
    score: Score | None = None
    ms: float | None = None
    failure: QuestionFailure | None = None
    gold_program: GroundedProgram | None = None
    mistake: Mistake | None = None
    trace: Json | None = None
    confidence: float | None = None
    confidence_parts: Mapping[str, float] = field(default_factory=dict)
    text: str = ""


class Measurer:
    """Asks the questions of one endpoint, which is ready. Safe to share between threads."""

    def __init__(self, pipeline: Pipeline, strategy: str = "", *, only: bool = False) -> None:
        """Keep what the questions are asked of; with `only` the strategy answers alone."""
        self.pipeline = pipeline
        self.only = only
        self.strategy = strategy

    def measure(self, question: GoldQuestion) -> Measurement:
        """Ask one question and compare; an error is part of the result."""
        measured = Measurement(question)
        try:
            endpoint = self.pipeline.endpoint(None)
            measured = replace(measured, gold=gold_of(question, endpoint.connector))
            measured = replace(measured, gold_program=gold_program(question, endpoint))
        except Exception as error:
            return replace(measured, failure=failure_of(error))
        return self._ask(measured) if measured.gold or question.unanswerable else measured

    def _ask(self, measured: Measurement) -> Measurement:
        question = measured.question
        request = Ask(question.text, language=question.language, strategy=self.strategy, only=self.only)
        begun = time.perf_counter()
        try:
            trace = self.pipeline.ask(request)
        except Exception as error:
            made = getattr(error, "made", None)
            return replace(
                measured,
                ms=_since(begun),
                score=WRONG,
                failure=failure_of(error),
                mistake=Mistake.EXECUTION,
                trace={"sparql": made.text} if isinstance(made, CompiledQuery) else {},
            )
        found = predicted(trace.answer)
        measured = replace(measured, ms=_since(begun), confidence=trace.confidence if found else None)
        measured = replace(measured, confidence_parts=dict(trace.confidence_parts), text=trace.text)
        measured = replace(measured, score=_score(question, found, measured.gold))
        if question.unanswerable:
            invented = measured.score == WRONG_ANSWER
            return replace(measured, mistake=Mistake.INVENTED, trace=_kept(trace)) if invented else measured
        return measured if measured.score == RIGHT else self._explained(measured, trace)

    def _explained(self, measured: Measurement, trace: Trace) -> Measurement:
        question = measured.question
        index = self.pipeline.endpoint(None).index
        links = Linker(index).link(Asked(question.text, question.language))
        program = None if trace.status == "unanswerable" else _grounded(trace, index)
        evidence = MistakeEvidence(links, program, measured.gold_program, question.topics)
        return replace(measured, mistake=mistake_of(evidence), trace=_kept(trace))


RIGHT = Score(1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
REFUSED_RIGHTLY = Score(1.0, 1.0, 1.0, 1.0, 1.0, 0.0)
WRONG_ANSWER = Score(answered=1.0)


def _score(question: GoldQuestion, found: Rows, gold: Gold) -> Score:
    """Score the rows of an answer; none is right for an unanswerable question."""
    if question.unanswerable:
        return WRONG_ANSWER if found else REFUSED_RIGHTLY
    return score(found, gold)


def failure_of(error: Exception) -> QuestionFailure:
    """Any error; one without a code is a fault of the program."""
    code = getattr(error, "code", None)
    if not isinstance(code, str):
        return QuestionFailure("internal", f"{type(error).__name__}: {error}")
    message = str(getattr(error, "message", error))
    endpoint = getattr(error, "endpoint", "")
    return QuestionFailure(
        code, f"{endpoint}: {message}" if endpoint and endpoint not in message else message
    )


def _since(begun: float) -> float:
    return (time.perf_counter() - begun) * 1000


def predicted(answer: Answer | None) -> Rows:
    """The rows of an answer, or its values as rows of one cell; of each cell the ways to write it."""
    if answer is None:
        return []
    if answer.output == Type.ROWS:
        return [[_ways(cell) for cell in row] for row in answer.rows]
    return [[_ways(value)] for value in answer.values]


def _ways(value: AnswerValue | None) -> list[str]:
    if value is None:
        return [""]
    return list(dict.fromkeys((str(value), value.value) if value.type == "iri" else (str(value),)))


def _grounded(trace: Trace, index: Index) -> GroundedProgram | None:
    """The program of a trace, with what its names were bound to."""
    if trace.program is None:
        return None
    choices = {(b.step, b.argument): (b.iri,) for b in trace.bindings if b.iri}
    return Grounder(index).ground(trace.program, choices=choices, near=False).grounded


def _kept(trace: Trace) -> dict[str, Any]:
    """Return the part of a trace for the report: its document without long and seldom read members."""
    document = trace.as_json()
    kept = {name: document[name] for name in _KEPT if name in document}
    rows = predicted(trace.answer)
    return {
        **kept,
        "answers": len(rows),
        "answer": [[ways[0] for ways in row] for row in rows[:_MOST_ANSWERS]],
        "program": NOTATIONS["steps"].write(trace.program) if trace.program else "",
        "sparql": trace.query.text if trace.query else "",
    }
