"""An endpoint's demonstrations, and their pool, which is rebuilt when more are confirmed."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from compilers.from_sparql import CannotState
from compilers.kopl.program import Program
from nlq_gateway.core.errors import TracesUnavailable
from nlq_gateway.core.types import Demonstration, FactsAround, Links, Progress
from nlq_gateway.drafts.demonstrations.adapt import Adapted, Adapter
from nlq_gateway.drafts.demonstrations.files import Read
from nlq_gateway.drafts.demonstrations.lesson import Lesson, Link, lesson_of
from nlq_gateway.drafts.demonstrations.pool import LessonPool
from nlq_gateway.drafts.demonstrations.queries import demonstration_of_query
from nlq_gateway.drafts.demonstrations.remembered import RememberedVectors
from nlq_gateway.drafts.demonstrations.select import select
from nlq_gateway.drafts.demonstrations.shots import Shot, Shots
from nlq_gateway.index import Index

LOOK_SECONDS = 2.0
# A smaller pool is rebuilt while a question waits.
QUICK_LESSONS = 2_000
MOST_LESSONS = 10_000


_log = logging.getLogger(__name__)


class Confirmed(Protocol):
    """A store of confirmed pairs of questions and programs; raises TracesUnavailable."""

    def feedback_version(self) -> int:
        """A number that changes with every feedback; cheap."""

    def confirmed(self, dataset: str) -> tuple[Demonstration, ...]:
        """The pairs that were confirmed for a dataset, oldest first."""


@dataclass(frozen=True, slots=True)
class _Made:
    """The products of the demonstrations, with the feedback version; None without demonstrations."""

    version: int
    confirmed: tuple[Demonstration, ...]
    adapter: Adapter | None = None
    shots: Shots | None = None


class Collection:
    """The demonstrations of one endpoint. Safe to share between threads.

    `unknown` counts those that name classes or predicates which the graph does not have; `warnings` name the
    queries without a program, with the reason.
    """

    def __init__(
        self,
        dataset: str,
        given: Sequence[Read],
        index: Index,
        link: Link,
        folder: Path,
        progress: Progress | None = None,
    ) -> None:
        """Make the pool. `folder` is for vectors, `link` finds the names in a question."""
        self.warnings: list[str] = []
        self._dataset = dataset
        self._index = index
        self._link = link
        self._encode = RememberedVectors(folder, index)
        stated = [*self._stated(given)]
        self._lessons = self._looked_up(stated, progress)
        self._confirmed: Confirmed | None = None
        self._building = threading.Lock()
        self._looked = 0.0
        self.unknown = len(stated) - len(self._lessons)
        self._made = self._make(0, ())

    def __len__(self) -> int:
        """The number of demonstrations in the pool."""
        adapter = self._made.adapter
        return len(adapter.pool.lessons) if adapter else 0

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions of the pool."""
        adapter = self._made.adapter
        return tuple(one.demonstration.question for one in adapter.pool.lessons) if adapter else ()

    def adapt(self, links: Links, surroundings: FactsAround) -> Adapted:
        """The programs of near demonstrations for a linked question; none without demonstrations."""
        self._refresh()
        adapter = self._made.adapter
        return adapter.adapt(links, surroundings) if adapter else Adapted()

    def nearest(self, links: Links, size: int) -> tuple[Shot, ...]:
        """The demonstrations for a prompt that are nearest to a linked question, nearest first."""
        self._refresh()
        shots = self._made.shots
        return shots.nearest(links, size) if shots else ()

    def like_program(self, program: Program, size: int) -> tuple[Shot, ...]:
        """The demonstrations for a prompt with the programs most similar to one, which need not be sound."""
        self._refresh()
        shots = self._made.shots
        return shots.like_program(program, size) if shots else ()

    def fixed(self, size: int) -> tuple[Shot, ...]:
        """The same demonstrations for prompts of every question: those that together use most functions."""
        self._refresh()
        shots = self._made.shots
        return shots.fixed(size) if shots else ()

    def listen(self, confirmed: Confirmed) -> None:
        """Take confirmed pairs from this store from now on."""
        self._confirmed = confirmed
        self._looked = 0.0

    def _refresh(self) -> None:
        """Look for new feedback every few seconds; while one thread rebuilds, others use the current pool."""
        if self._confirmed is None or time.monotonic() - self._looked < LOOK_SECONDS:
            return
        if not self._building.acquire(blocking=False):
            return
        if len(self) < QUICK_LESSONS:
            self._learn(self._confirmed)
        else:
            threading.Thread(target=self._learn, args=(self._confirmed,), daemon=True).start()

    def _learn(self, confirmed: Confirmed) -> None:
        """Rebuild the pool if there is new feedback; the caller holds the lock, which is released here."""
        try:
            version = confirmed.feedback_version()
            if version != self._made.version:
                self._made = self._make(version, confirmed.confirmed(self._dataset))
        except TracesUnavailable as error:
            _log.warning("%s: confirmed demonstrations cannot be read: %s", self._dataset, error.message)
        finally:
            self._looked = time.monotonic()
            self._building.release()

    def _make(self, version: int, confirmed: tuple[Demonstration, ...]) -> _Made:
        if version and confirmed == self._made.confirmed:
            return replace(self._made, version=version)
        lessons = [*self._lessons, *self._looked_up(confirmed)]
        if not lessons:
            return _Made(version, confirmed)
        if len(lessons) > MOST_LESSONS:
            chosen = select([one.demonstration for one in lessons], self._encode, MOST_LESSONS)
            lessons = [lessons[at] for at in chosen]
        pool = LessonPool.of(lessons, self._index, self._encode)
        self._encode.keep()
        return _Made(version, confirmed, Adapter(self._index, pool), Shots(self._index, pool))

    def _stated(self, given: Sequence[Read]) -> Iterator[Demonstration]:
        """The demonstrations, and the queries that have a program."""
        for read in given:
            yield from read.demonstrations
            for query in read.queries:
                try:
                    found = demonstration_of_query(query.question, query.sparql, self._index)
                    yield replace(found, source=query.source)
                except CannotState as error:
                    self.warnings.append(f"{query.place}: its query has no program: {error}")

    def _looked_up(self, given: Sequence[Demonstration], progress: Progress | None = None) -> list[Lesson]:
        found: list[Lesson] = []
        for number, one in enumerate(given, 1):
            lesson = lesson_of(one, self._index, self._link)
            found.extend([] if lesson is None else [lesson])
            if progress:
                progress("demonstrations", number, len(given))
        return found
