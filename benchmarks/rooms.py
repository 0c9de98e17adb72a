"""Graphs with answerable and unanswerable questions, and the outcomes of asking them."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.absent import Asked, asked_of, foreign, left_out, mixed, reworded, swapped
from connectors.errors import EndpointError
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.errors import GatewayError
from nlq_gateway.endpoints.data_store import files_of
from nlq_gateway.judging.confidence import SURE_ENOUGH
from nlq_gateway.offline.evaluation import GoldQuestion
from nlq_gateway.offline.evaluation.gold import gold_of
from nlq_gateway.offline.evaluation.measure import predicted
from nlq_gateway.offline.evaluation.score import score
from nlq_gateway.settings import Settings

SEED = 3
# Few graphs have questions that name a thing: so many times as many of these are reworded there.
_NAMED = 4


@dataclass(frozen=True, slots=True)
class Room:
    """A graph in some data files, and questions with gold about it."""

    name: str
    data: tuple[str, ...]
    questions: tuple[GoldQuestion, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a question. `right` is 1 if all rows are right and none is missing, else 0.

    `answered` is True if the likeliest reading has values, `refused` if the gateway withholds them.
    """

    graph: str
    question: GoldQuestion
    answered: bool
    refused: bool
    right: float
    confidence: float
    features: dict[str, float]


def outcomes(
    room: Room, size: int, absent: int, others: Sequence[Asked] = (), strange_words: int = 0
) -> Iterator[Outcome]:
    """Ask up to `size` questions, and up to `absent` of each kind about what the graph lacks.

    `strange_words` is the limit of those that are reworded and name no thing, a fourth of that of the others.
    """
    rng = random.Random(SEED)
    with opened(room.data) as gateway:
        some = rng.sample(room.questions, min(size, len(room.questions)))
        yield from _ask_all(gateway, room.name, some)
        endpoint = gateway.endpoint(None)
        asked = list(asked_of(room.questions, endpoint))
        for strange in (
            list(foreign(others, endpoint.index)),
            list(swapped(asked, others, endpoint.index, SEED)),
            list(mixed(asked, endpoint.index, SEED)),
        ):
            yield from _ask_all(gateway, room.name, rng.sample(strange, min(absent, len(strange))))
        retold = rng.sample(found := list(reworded(asked, others, endpoint.index, SEED)), len(found))
        for kind, most in (("reworded", strange_words), ("reworded, named", _NAMED * strange_words)):
            alike = [one for one in retold if one.kind == kind]
            yield from _ask_all(gateway, room.name, alike[:most])
    lacking = left_out(files_of(room.data), asked, absent, SEED)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lacking.nt"
        lacking.write(file)
        with opened((str(file),)) as gateway:
            yield from _ask_all(gateway, room.name, lacking.questions)


def needs_of(room: Room) -> list[Asked]:
    """The room's questions with the items they need, to be asked elsewhere."""
    with opened(room.data) as gateway:
        return list(asked_of(room.questions, gateway.endpoint(None)))


@contextmanager
def opened(data: tuple[str, ...]) -> Iterator[Pipeline]:
    """Open a gateway on the data files, and close it at the end."""
    with closing(Pipeline(Settings.for_data(data))) as gateway:
        gateway.endpoint(None).prepare()
        yield gateway


def _ask_all(gateway: Pipeline, name: str, questions: Sequence[GoldQuestion]) -> Iterator[Outcome]:
    for question in questions:
        outcome = _ask(gateway, name, question)
        if outcome is not None:
            yield outcome


def _ask(gateway: Pipeline, name: str, question: GoldQuestion) -> Outcome | None:
    """None where there is nothing to compare with, or the store failed."""
    try:
        gold = () if question.unanswerable else gold_of(question, gateway.endpoint(None).connector)
        if not gold and not question.unanswerable:
            return None
        trace = gateway.ask(Ask(question.text, language=question.language, guess=True))
    except (EndpointError, GatewayError):
        return None
    found = predicted(trace.answer)
    right = score(found, gold).exact if gold and found else 0.0
    refused = trace.program is None or trace.confidence < SURE_ENOUGH
    return Outcome(name, question, bool(found), refused, right, trace.confidence, trace.confidence_parts)
