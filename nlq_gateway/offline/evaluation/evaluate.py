"""The loop of `nlq eval` in one process: ask, score, average."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from nlq_gateway.answering import Gateway
from nlq_gateway.offline.evaluation.measure import Measurer, QuestionFailure
from nlq_gateway.offline.evaluation.questions import GoldQuestion
from nlq_gateway.offline.evaluation.tally import Tally


def evaluate(
    gateway: Gateway,
    questions: Iterable[GoldQuestion],
    *,
    strategy: str = "",
    dataset: str | None = None,
    failed: Callable[[GoldQuestion, QuestionFailure], None] | None = None,
    progress: Callable[[Tally], None] | None = None,
) -> dict[str, Any]:
    """Ask every question and report; `failed` hears of each failure, `progress` follows each question."""
    tally = Tally()
    measurer = Measurer(gateway, strategy, dataset)
    for question in questions:
        measured = measurer.measure(question)
        tally.add(measured)
        if measured.failure and failed:
            failed(question, measured.failure)
        if progress:
            progress(tally)
    return tally.report()
