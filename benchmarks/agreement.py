"""The factor by which the agreement of another method changes the confidence of an answer.

The reasoner alone answers, with its confidence; the drafter's likeliest program is the other method. The
factor is the one by which the other's vote must multiply or divide the odds for the confidences to fit the
right answers best (maximum likelihood): `nlq_gateway/judging/confidence/agreement.py` has it.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.answers import DATA
from benchmarks.facts import rooms
from benchmarks.rooms import Room
from compilers.errors import CompilerError
from connectors.errors import EndpointError
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.attempt import BOTTOM_UP, Ask, carry_out
from nlq_gateway.core.types import Question as Asked
from nlq_gateway.drafts.drafter import Drafter
from nlq_gateway.judging.confidence.agreement import INDEPENDENT
from nlq_gateway.offline.evaluation import GoldQuestion
from nlq_gateway.offline.evaluation.gold import gold_of
from nlq_gateway.offline.evaluation.measure import predicted
from nlq_gateway.offline.evaluation.score import score
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.settings import Settings
from nlq_gateway.trace import Recorder

SEED = 7
STEP, LARGEST = 0.05, 4.0
_SURE = 0.999
_ROW = "{:<14} {:>9} {:>11} {:>8}"


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer with its confidence, whether the other method came to the same, and whether it is right."""

    confidence: float
    agrees: bool
    right: bool


def heard(room: Room, size: int) -> Iterator[Heard]:
    """The questions of a graph that both methods have an answer for."""
    with closing(Pipeline(Settings.for_data(room.data))) as gateway:
        gateway.endpoint(None).prepare()
        drafter = Drafter(gateway.endpoint(None).index)
        for question in random.Random(SEED).sample(room.questions, min(size, len(room.questions))):
            try:
                found = _heard(gateway, drafter, question)
            except (CompilerError, EndpointError):
                continue
            if found is not None:
                yield found


def _heard(gateway: Pipeline, drafter: Drafter, question: GoldQuestion) -> Heard | None:
    endpoint = gateway.endpoint(None)
    gold = gold_of(question, endpoint.connector)
    trace = gateway.ask(Ask(question.text, strategy=BOTTOM_UP, guess=True))
    reading = QuestionReading.of(Linker(endpoint.index).link(Asked(question.text)), endpoint.index)
    drafts = drafter.draft(reading)
    if not gold or not drafts or trace.answer is None or trace.answer.nothing:
        return None
    other = carry_out(endpoint, Ask(question.text), drafts[0], {}, Recorder()).answer
    if other is None or other.nothing:
        return None
    right = score(predicted(trace.answer), gold).f1 > 1 / 2
    return Heard(trace.confidence, set(trace.answer.strings) == set(other.strings), right)


def fitted(found: Sequence[Heard]) -> float:
    """The factor, in logits, with the maximum likelihood of the right answers."""
    tried = [STEP * number for number in range(int(LARGEST / STEP))]
    return max(tried, key=lambda factor: sum(_log_likelihood(one, factor) for one in found))


def _log_likelihood(one: Heard, factor: float) -> float:
    sure = min(_SURE, max(1 - _SURE, one.confidence))
    odds = math.log(sure / (1 - sure)) + (factor if one.agrees else -factor)
    return -math.log1p(math.exp(-odds if one.right else odds))


def main(arguments: Sequence[str]) -> None:
    """Print how right answers are with and without the other's, and the factor."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks agreement", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument("--size", type=int, default=60, help="questions of each graph (60)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        found = [one for room in rooms(options.data, Path(folder)) for one in heard(room, options.size)]
    print("Answers of the reasoner, and the drafter's beside them\n")
    print(_ROW.format("the other", "answers", "confidence", "right"))
    for agrees in (True, False):
        some = [one for one in found if one.agrees == agrees]
        if some:
            confidence = sum(one.confidence for one in some) / len(some)
            right = sum(one.right for one in some) / len(some)
            name = "agrees" if agrees else "does not"
            print(_ROW.format(name, len(some), f"{confidence:.3f}", f"{right:.3f}"))
    print(f"\nFactor that fits: {fitted(found):.2f} logits; in use: {INDEPENDENT:.2f}")
