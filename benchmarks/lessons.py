"""The effect of a demonstration ("lesson"): changes of other questions' answers once it is confirmed.

Each lesson is taught alone, and its nearest other questions are asked before and after; then all lessons of a
graph together, and the same questions again. An answer is worse if its F1 falls, or if a wrong answer
replaces a missing one.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from benchmarks.answers import DATA
from benchmarks.facts import rooms
from benchmarks.rooms import Room
from connectors.errors import EndpointError
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.errors import GatewayError
from nlq_gateway.core.types import Demonstration
from nlq_gateway.offline.evaluation import GoldQuestion
from nlq_gateway.offline.evaluation.gold import gold_of, gold_program
from nlq_gateway.offline.evaluation.measure import predicted
from nlq_gateway.offline.evaluation.questions import Gold
from nlq_gateway.offline.evaluation.score import score
from nlq_gateway.settings import Settings

SEED = 11
LESSONS, NEAR = 100, 4
_REFUSED, _WRONG = 0.0, -1.0
_ROW = "{:<26} {:<9} {:>8} {:>10} {:>7} {:>7}"
_VERSIONS = count(1)


@dataclass(frozen=True, slots=True)
class Taught:
    """Confirmed demonstrations, as traces keep them."""

    lessons: tuple[Demonstration, ...]
    version: int

    def feedback_version(self) -> int:
        """Another number for each."""
        return self.version

    def confirmed(self, dataset: str) -> tuple[Demonstration, ...]:
        """All of them, for any dataset."""
        del dataset
        return self.lessons


@dataclass(frozen=True, slots=True)
class Change:
    """The score of a question's answer before and after lessons: its F1, or -1."""

    question: str
    lesson: str
    before: float
    after: float


class Pupil:
    """A graph with its last lessons."""

    def __init__(self, gateway: Pipeline) -> None:
        self._gateway = gateway
        self._gold: dict[str, Gold] = {}
        self.endpoint = gateway.endpoint(None)

    def teach(self, *lessons: Demonstration) -> None:
        """Take these for all that is confirmed."""
        self.endpoint.learn_from(Taught(lessons, next(_VERSIONS)))

    def lesson(self, question: GoldQuestion) -> Demonstration | None:
        """A question with its right program, where there is one."""
        known = gold_program(question, self.endpoint)
        if known is None:
            return None
        choices = {place: binding.iris for place, binding in known.bindings.items()}
        return Demonstration(question.text, known.program, "confirmed", choices)

    def worth(self, question: GoldQuestion) -> float:
        """The F1 of the answer; 0 without an answer, and -1 for a wrong one."""
        try:
            if question.text not in self._gold:
                self._gold[question.text] = gold_of(question, self.endpoint.connector)
            trace = self._gateway.ask(Ask(question.text, language=question.language))
        except (EndpointError, GatewayError):
            return _REFUSED
        found = predicted(trace.answer)
        return (score(found, self._gold[question.text]).f1 or _WRONG) if found else _REFUSED


def changes(room: Room, lessons: int, near: int) -> Iterator[tuple[str, int, list[Change]]]:
    """The changes by lessons, each alone and all together, and the number of lessons."""
    with closing(Pipeline(Settings.for_data(room.data))) as gateway:
        gateway.endpoint(None).prepare()
        pupil = Pupil(gateway)
        questions = random.Random(SEED).sample(room.questions, len(room.questions))
        taught: list[tuple[Demonstration, GoldQuestion]] = []
        for one in questions[: len(questions) // 2]:
            if len(taught) < lessons and (lesson := pupil.lesson(one)) is not None:
                taught.append((lesson, one))
        others = questions[len(questions) // 2 :]
        asked = [_nearest(pupil, lesson.question, others, near) for lesson, _ in taught]
        pupil.teach()
        before = {one.text: pupil.worth(one) for group in asked for one in group}
        yield "one", len(taught), list(_alone(pupil, [lesson for lesson, _ in taught], asked, before))
        pupil.teach(*(lesson for lesson, _ in taught))
        some = {one.text: one for group in asked for one in group}.values()
        yield (
            "together",
            len(taught),
            [Change(one.text, "", before[one.text], pupil.worth(one)) for one in some],
        )


def _alone(
    pupil: Pupil,
    lessons: Sequence[Demonstration],
    asked: Sequence[Sequence[GoldQuestion]],
    before: dict[str, float],
) -> Iterator[Change]:
    for lesson, group in zip(lessons, asked, strict=True):
        pupil.teach(lesson)
        for one in group:
            yield Change(one.text, lesson.question, before[one.text], pupil.worth(one))


def _nearest(pupil: Pupil, text: str, others: Sequence[GoldQuestion], size: int) -> list[GoldQuestion]:
    """The other questions whose words are most like these."""
    vectors = pupil.endpoint.index.encode([one.text for one in others])
    likeness = vectors @ pupil.endpoint.index.encode([text])[0]
    order = sorted(range(len(others)), key=lambda at: -likeness[at])
    return [others[at] for at in order[:size]]


def main(arguments: Sequence[str]) -> None:
    """Print how many answers lessons change, for better and for worse, and those that are worse."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks lessons", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument("--lessons", type=int, default=LESSONS, help=f"of all graphs together ({LESSONS})")
    parser.add_argument("--near", type=int, default=NEAR, help=f"questions asked for each lesson ({NEAR})")
    parser.add_argument("--only", nargs="+", help="names of graphs; all of them")
    options = parser.parse_args(arguments)
    worse: list[tuple[str, Change]] = []
    print(_ROW.format("graph", "lessons", "taught", "questions", "better", "worse"))
    with tempfile.TemporaryDirectory() as folder:
        wanted = [
            one for one in rooms(options.data, Path(folder)) if not options.only or one.name in options.only
        ]
        each = -(-options.lessons // max(1, len(wanted)))
        for room in wanted:
            for how, taught, seen in changes(room, each, options.near):
                lost = [one for one in seen if one.after < one.before]
                better = sum(one.after > one.before for one in seen)
                print(_ROW.format(room.name, how, taught, len(seen), better, len(lost)), flush=True)
                worse.extend((room.name, one) for one in lost)
    for graph, one in worse:
        print(f"\n{graph}: {one.question}\n  {one.before:.2f} → {one.after:.2f}", one.lesson)
