"""The loop of `nlq eval`: ask, score, average."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from compilers.answers import Answer, AnswerValue
from compilers.errors import CompilerError
from compilers.kopl.functions import Type
from connectors.base import Connector
from connectors.errors import EndpointError, IncompleteResult
from connectors.guard import require_read_only
from connectors.results import Result, Term
from nlq_gateway.errors import GatewayError
from nlq_gateway.evaluation.questions import Gold, Question
from nlq_gateway.evaluation.score import WRONG, Score, averages, percentile, score
from nlq_gateway.index.errors import IndexProblem
from nlq_gateway.pipeline import Ask, Gateway

FAILURES = (GatewayError, CompilerError, EndpointError, IndexProblem)
_BOOLEANS = {"true": "yes", "1": "yes", "false": "no", "0": "no"}
_BOOLEAN = "http://www.w3.org/2001/XMLSchema#boolean"


@dataclass(slots=True)
class Tally:
    """What was counted so far; times in milliseconds."""

    scores: list[tuple[str, Score]] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    empty_gold: int = 0

    def report(self) -> dict[str, Any]:
        """The report of `nlq eval`; `errors` counts failures, of which `errors_by_code` tells more.

        A question that failed counts as wrong. Left out of the averages are those whose gold answer is
        empty (`empty_gold`) or could not be fetched.
        """
        kinds = sorted({kind for kind, _ in self.scores})
        shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
        return {
            **averages(score for _, score in self.scores),
            "by_kind": {kind: averages(s for k, s in self.scores if k == kind) for kind in kinds},
            "latency_ms": {
                name: round(percentile(self.times_ms, share), 1) for name, share in shares.items()
            },
            "errors": self.errors.total(),
            "errors_by_code": dict(self.errors),
            "empty_gold": self.empty_gold,
        }


def evaluate(
    gateway: Gateway,
    questions: Iterable[Question],
    *,
    strategy: str = "auto",
    dataset: str | None = None,
    failed: Callable[[Question, Exception], None] | None = None,
    progress: Callable[[Tally], None] | None = None,
) -> dict[str, Any]:
    """Ask every question and report; `failed` hears of each failure, `progress` follows each question."""
    tally = Tally()
    for question in questions:
        try:
            gold = gold_of(question, gateway.endpoint(dataset).connector)
            if gold:
                _ask(gateway, question, gold, strategy, dataset, tally)
            else:
                tally.empty_gold += 1
        except FAILURES as error:
            tally.errors[error.code] += 1
            if failed:
                failed(question, error)
        if progress:
            progress(tally)
    return tally.report()


def _ask(
    gateway: Gateway, question: Question, gold: Gold, strategy: str, dataset: str | None, tally: Tally
) -> None:
    """Score one question; one that fails is scored as wrong, and the error goes on."""
    result = WRONG
    begun = time.perf_counter()
    try:
        request = Ask(question.text, dataset, language=question.language, strategy=strategy)
        result = score(predicted(gateway.ask(request).answer), gold)
    finally:
        tally.times_ms.append((time.perf_counter() - begun) * 1000)
        tally.scores.append((question.kind, result))


def predicted(answer: Answer | None) -> list[list[list[str]]]:
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


def gold_of(question: Question, connector: Connector) -> Gold:
    """The gold answers: as given, or what the gold query finds in the same store.

    Raises:
        EndpointError: when the query fails, or its result is cut.
    """
    if question.answers is not None:
        return question.answers
    assert question.sparql is not None
    require_read_only(question.sparql)
    result = connector.query(question.sparql)
    if result.truncated:
        raise IncompleteResult("the gold query has more rows than are fetched", hint="raise limits.max_rows")
    return gold_of_result(result)


def gold_of_result(result: Result) -> Gold:
    """Strings of a single column, rows of several, yes or no of an ASK; unbound cells are ""."""
    if result.boolean is not None:
        return ("yes" if result.boolean else "no",)
    rows = [tuple(_text(term) for term in row) for row in result.rows]
    if len(result.columns) > 1:
        return tuple(rows)
    return tuple(text for row in rows for text in row if text)


def _text(term: Term | None) -> str:
    if term is None:
        return ""
    return _BOOLEANS.get(term.value, term.value) if term.datatype == _BOOLEAN else term.value
