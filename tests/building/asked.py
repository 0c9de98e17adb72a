"""The building's questions: their programs carried out by a gateway, and what is to come of them."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.building import QUESTIONS
from compilers.kopl.notations import read_program
from connectors.base import Connector
from nlq_gateway.answering import Pipeline
from nlq_gateway.offline.evaluation import GoldQuestion, read_questions
from nlq_gateway.offline.evaluation.gold import gold_of_result
from nlq_gateway.trace import Trace

AREAS = "FindAll()->FilterConcept(Floor)->Relate(area, forward)"


def questions() -> tuple[GoldQuestion, ...]:
    """All of them, each with a gold program, gold answers and a gold query."""
    return tuple(read_questions(str(QUESTIONS)))


def run(gateway: Pipeline, program: str) -> Trace:
    """The trace of a program, its steps counted."""
    return gateway.run(read_program(program))


def wrong(gateway: Pipeline) -> dict[str, tuple[str, ...]]:
    """The answers of gold programs that are no gold answers, by question."""
    return {one.id: found for one in questions() if sorted(found := _found(gateway, one)) != _gold(one)}


def _found(gateway: Pipeline, question: GoldQuestion) -> tuple[str, ...]:
    assert question.program is not None
    answer = gateway.run(question.program).answer
    return answer.strings if answer is not None else ()


def _gold(question: GoldQuestion) -> list[str]:
    assert question.answers is not None
    return sorted("\t".join(one) if isinstance(one, tuple) else one for one in question.answers)


def misstated(store: Connector) -> Iterator[str]:
    """The questions whose gold query finds something else than the gold answers."""
    for one in questions():
        assert one.sparql is not None
        found = gold_of_result(store.query(one.sparql))
        if sorted(map(_plain, found)) != sorted(map(_plain, one.answers or ())):
            yield one.id


def _plain(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """Numbers as they are written shortest."""
    cells = (value,) if isinstance(value, str) else value
    return tuple(cell.removesuffix(".0") for cell in cells)
