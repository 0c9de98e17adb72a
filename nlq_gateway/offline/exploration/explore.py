"""The loop of an exploration: plan units, have them grounded, keep new programs, until a budget is spent.

A unit is planned when all units up to `AHEAD` before it are in the corpus, and no later ones: so the corpus
does not depend on how many processes there are, or how fast.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.offline.exploration.corpus import Corpus
from nlq_gateway.offline.exploration.planner import UNIT, Planner, Slot
from nlq_gateway.offline.exploration.pools import UnitPool
from nlq_gateway.offline.exploration.schema import SchemaItems
from nlq_gateway.offline.exploration.sketch import pattern_of, written
from nlq_gateway.offline.exploration.unit import ALLOWANCE, FoundProgram
from nlq_gateway.offline.exploration.worker import Done, Task, UnitFailure

AHEAD = 16
PER_PATTERN = 5
# A query may be split and repeated, so the maximum of a unit is unknown; each gets this allowance.
_UNIT_QUERIES = 2 * UNIT * ALLOWANCE

# The number of programs that a model words at once, and of questions kept for each.
_AT_ONCE = 8
_QUESTIONS = 4

Progress = Callable[[int, int], None]
Worded = Callable[[FoundProgram, float], Sequence[str]]


@dataclass(frozen=True, slots=True)
class ExplorationBudget:
    """The limits of a run: programs in the corpus, and seconds and queries of this run."""

    programs: int = 2_000
    seconds: float | None = None
    queries: int | None = None


@dataclass
class Exploration:
    """One run over a prepared endpoint's schema; the corpus may hold the units of earlier ones.

    `progress` is called with the programs in the corpus, and the queries sent in this run. `worded` returns
    questions for a program besides those by rules, within a number of seconds.
    """

    schema: SchemaItems
    corpus: Corpus
    pool: UnitPool
    seed: int
    budget: ExplorationBudget
    progress: Progress = lambda _programs, _queries: None
    worded: Worded | None = None
    failure: UnitFailure | None = None
    queries: int = 0
    programs: int = 0
    _planner: Planner = field(init=False)
    _planned: deque[tuple[int, tuple[Slot, ...]]] = field(default_factory=deque)
    _sent: deque[tuple[int, int]] = field(default_factory=deque)
    _units: int = 0
    _idle: int = 0
    _patterns: Counter[str] = field(default_factory=Counter)
    _known: set[tuple[str, str]] = field(default_factory=set)
    _begun: float = field(default_factory=time.time)

    def __post_init__(self) -> None:
        self._planner = Planner(self.schema, self.seed)

    def run(self) -> str:
        """Explore, and say why it ended: programs, seconds, queries, exhausted or unanswered."""
        if not self._resume():
            return "programs"
        while (reason := self._reason()) is None:
            self._plan()
            self._send()
            try:
                done = self.pool.done(self._seconds_left())
            except TimeoutError:
                return "seconds"
            self._take(done)
        return reason

    def _reason(self) -> str | None:
        """Return the reason to stop now; None to go on."""
        if self.failure is not None and not self.failure.spent:
            return "unanswered"
        if self.programs >= self.budget.programs:
            return "programs"
        left = self._seconds_left()
        if left is not None and left <= 0:
            return "seconds"
        if self.budget.queries is not None and self.queries >= self.budget.queries:
            return "queries"
        if self.failure is not None:
            return self.failure.spent
        return "exhausted" if self._idle >= AHEAD else None

    def _seconds_left(self) -> float | None:
        return None if self.budget.seconds is None else self._begun + self.budget.seconds - time.time()

    def _resume(self) -> bool:
        """Replay the units in the corpus; False if it is already large enough."""
        lines = list(self.corpus.lines())
        if len(lines) >= self.budget.programs:
            self.programs = len(lines)
            return False
        self.corpus.drop_cut()
        for line in self.corpus.lines():
            self._note(line)
        for record in self.corpus.records:
            self._plan()
            self._learn(record.found)
        self.progress(self.programs, 0)
        return True

    def _plan(self) -> None:
        while len(self._planned) < AHEAD:
            self._planned.append((self._units, self._planner.plan()))
            self._units += 1

    def _learn(self, found: tuple[int, ...]) -> None:
        number, _ = self._planned.popleft()
        self._planner.learn(number, found)
        self._idle = 0 if any(found) else self._idle + 1

    def _send(self) -> None:
        """Have as many units under way as the pool is wide, and the queries allow."""
        for number, slots in list(self._planned)[len(self._sent) : self.pool.width]:
            most = self._allowed()
            if not most:
                return
            until = None if self.budget.seconds is None else self._begun + self.budget.seconds
            self.pool.submit(Task(number, slots, self.seed, most, until))
            self._sent.append((number, most))

    def _allowed(self) -> int:
        """The number of queries that the next unit may send: its need, or the rest for the only one."""
        if self.budget.queries is None:
            return _UNIT_QUERIES
        left = self.budget.queries - self.queries - sum(most for _, most in self._sent)
        return min(left, _UNIT_QUERIES) if left >= _UNIT_QUERIES or not self._sent else 0

    def _take(self, done: Done) -> None:
        """Keep the new programs of a unit, up to the size of the corpus."""
        self._sent.popleft()
        self.queries += done.queries
        self.failure = done.failure
        found: list[int] = []
        lines: list[tuple[dict[str, Any], FoundProgram]] = []
        for programs in done.found:
            kept = list(self._kept(programs))
            found.append(len(kept))
            lines.extend(kept)
        whole = done.failure is None and self.programs <= self.budget.programs
        surplus = max(0, self.programs - self.budget.programs)
        self.programs -= surplus
        written = self._worded(lines[: len(lines) - surplus])
        self.corpus.add(found, written, done.queries, done.seconds, whole)
        self._learn(tuple(found))
        self.progress(self.programs, self.queries)

    def _worded(self, lines: Sequence[tuple[dict[str, Any], FoundProgram]]) -> list[dict[str, Any]]:
        """The lines with the questions that are written for their programs besides those by rules."""
        worded, left = self.worded, self._seconds_left()
        if worded is None or (left is not None and left <= 0):
            return [line for line, _ in lines]
        seconds = math.inf if left is None else left
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            questions = pool.map(lambda pair: worded(pair[1], seconds), lines)
            return [_with(line, written) for (line, _), written in zip(lines, questions, strict=True)]

    def _kept(self, programs: tuple[FoundProgram, ...]) -> Iterator[tuple[dict[str, Any], FoundProgram]]:
        """The lines of programs that are new, of patterns that are not full."""
        for one in programs:
            line = self._line(one)
            if _identity(line) not in self._known and self._patterns[line["pattern"]] < PER_PATTERN:
                self._note(line)
                yield line, one

    def _note(self, line: dict[str, Any]) -> None:
        self._known.add(_identity(line))
        self._patterns[line["pattern"]] += 1
        self.programs += 1

    def _line(self, found: FoundProgram) -> dict[str, Any]:
        line: dict[str, Any] = {
            "id": f"explored-{self.programs + 1:05}",
            "questions": list(found.questions),
            "program": written(found.program),
        }
        if found.choices:
            line["bindings"] = [
                {"step": step + 1, "argument": argument, "iri": iri}
                for (step, argument), iris in found.choices
                for iri in iris
            ]
        return {
            **line,
            "source": "explored",
            "pattern": pattern_of(found.program),
            "count": found.count,
            "answers": list(found.answers),
        }


def _with(line: dict[str, Any], written: Sequence[str]) -> dict[str, Any]:
    """The line with these questions before its own; `by_model` is how many they are."""
    if not written:
        return line
    questions = list(dict.fromkeys((*written, *line["questions"])))[:_QUESTIONS]
    return {**line, "questions": questions, "by_model": len(written)}


def _identity(line: dict[str, Any]) -> tuple[str, str]:
    return line["program"], repr(line.get("bindings"))


def schema_digest(items: tuple[SchemaItem, ...]) -> str:
    """A short text that changes with the schema or its counts."""
    return hashlib.sha256(repr(items).encode()).hexdigest()[:16]
