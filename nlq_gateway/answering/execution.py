"""The rows of a program: from one query, or from several where the store gives up on the one.

What may help is tried in order: to go on from the members of a set in the middle, to decide a Select here
over the values of its members, to fetch the branches of an Or apart. Each part may be cut again. The rows are
those that the one query has, and the trace lists the queries. A part that cannot be stated, or that the store
refuses, is no help; where nothing helps, the first error stands. An outage is one whichever query meets it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from compilers import staging
from compilers.compile import CompiledQuery, compile_program
from compilers.errors import UnsupportedProgram
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Type
from compilers.kopl.program import Step
from compilers.layouts import Options
from compilers.layouts.vocabulary import XSD
from connectors.errors import (
    EndpointError,
    EndpointRefusedQuery,
    EndpointTimeout,
    EndpointTooComplex,
    IncompleteResult,
)
from connectors.results import Result, Term
from nlq_gateway.trace import Stage

QUERIES = 16
CUTS = 4
# Less time than this is none: a store answers no query in it that it did not answer before.
LEAST_MS = 50
# The outcome of a stage that did not fail.
ANSWERED = "answered"

GIVES_UP = (EndpointTooComplex, EndpointTimeout)
_NO_PART = (EndpointRefusedQuery, EndpointTimeout, IncompleteResult, UnsupportedProgram)


class QuerySender(Protocol):
    """Sends one compiled query to the store."""

    def __call__(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        """The rows; raises EndpointError."""


@dataclass(frozen=True, slots=True)
class Store:
    """The target of queries, and the options to compile programs for it."""

    select: QuerySender
    layout: str
    options: Options


@dataclass(frozen=True, slots=True)
class ExecutedQuery:
    """The rows of a query, and the queries that they were put together from, perhaps that one alone.

    `attempts` is how often the query was sent that was sent most often; `typed` is that of all results.
    """

    result: Result
    stages: tuple[Stage, ...]
    attempts: int = 1
    typed: bool = True


def execute(
    grounded: GroundedProgram,
    query: CompiledQuery,
    store: Store,
    timeout_ms: int,
    max_rows: int | None = None,
) -> ExecutedQuery:
    """Run a compiled program within the time for all of its queries.

    Raises:
        EndpointError: that of the one query, where its parts do not help; an outage that a part meets.
    """
    execution = Execution.within(store, timeout_ms)
    result = execution.rows(grounded, query, max_rows)
    return ExecutedQuery(result, tuple(execution.stages), execution.attempts, execution.typed)


@dataclass(slots=True)
class Execution:
    """The queries for one program, until a deadline; each query is a stage."""

    store: Store
    deadline: float
    stages: list[Stage] = field(default_factory=list)
    attempts: int = 1
    typed: bool = True

    @classmethod
    def within(cls, store: Store, timeout_ms: int) -> Execution:
        """One that begins now."""
        return cls(store, time.monotonic() + timeout_ms / 1000)

    def rows(self, grounded: GroundedProgram, query: CompiledQuery, max_rows: int | None = None) -> Result:
        """The rows of a query, put together from parts where the store gives up on it."""
        try:
            return self._part(query, max_rows)
        except GIVES_UP as error:
            for plan in self._plans(grounded, query):
                if self._is_spent():
                    break
                with suppress(*_NO_PART):
                    return _first(plan(), max_rows)
            raise error

    def _plans(self, grounded: GroundedProgram, query: CompiledQuery) -> Iterator[Callable[[], Result]]:
        for step in staging.cuts(grounded)[:CUTS]:
            yield partial(self._resumed, grounded, query, step)
        if (asked := staging.candidates(grounded)) is not None:
            yield partial(self._decided, grounded.program.steps[-1], query, asked)
        if sides := staging.branches(grounded):
            yield partial(self._united, query, sides)

    def _part(self, query: CompiledQuery, max_rows: int | None) -> Result:
        if self.stages and self._is_spent():
            raise EndpointTooComplex("no time, or no query, is left for more parts")
        return self.ask(query.text, max_rows)

    def ask(self, text: str, max_rows: int | None = None) -> Result:
        """The rows of one query; raises EndpointError."""
        left_ms = self.left_ms()
        begun = time.perf_counter()
        rows, outcome = None, ANSWERED
        try:
            result = self.store.select(text, timeout_ms=left_ms, max_rows=max_rows)
            rows = len(result.rows)
            self.attempts = max(self.attempts, result.attempts)
            self.typed = self.typed and result.typed
        except EndpointError as error:
            outcome = error.message
            raise
        finally:
            self.stages.append(Stage(text, rows, (time.perf_counter() - begun) * 1000, outcome))
        return result

    def _is_spent(self) -> bool:
        """True if there is no time, or no query, for one more part."""
        return len(self.stages) >= QUERIES or self.left_ms() < LEAST_MS

    def left_ms(self) -> int:
        """The time that is left."""
        return math.ceil((self.deadline - time.monotonic()) * 1000)

    def _resumed(self, grounded: GroundedProgram, query: CompiledQuery, step: int) -> Result:
        """Going on from the members of a set."""
        members = self.members(grounded.prefix(step))
        if len(members) > staging.MAX_MEMBERS:
            raise IncompleteResult(f"a set of {len(members)} is too large to go on from")
        rest = staging.resumed(grounded, step, members)
        stage = self._compiled(rest)
        return _as_of(query, stage, self.rows(rest, stage))

    def _decided(self, select: Step, query: CompiledQuery, asked: GroundedProgram) -> Result:
        """Deciding a Select over the values of its members."""
        stage, found = self._whole(asked)
        rows = staging.chosen(select, stage, found.columns, found.rows)
        return _as_of(query, stage, replace(found, rows=rows))

    def _united(self, query: CompiledQuery, sides: Sequence[GroundedProgram]) -> Result:
        """Fetching both branches of an Or."""
        if query.output == Type.NUMBER:
            members = {iri for side in sides for iri in self.members(side)}
            number = Term("literal", str(len(members)), XSD + "integer")
            return Result((query.columns[0].name,), ((number,),))
        results = [_as_of(query, *self._whole(side)) for side in sides]
        return replace(results[0], rows=tuple(dict.fromkeys(row for found in results for row in found.rows)))

    def members(self, grounded: GroundedProgram) -> tuple[str, ...]:
        """The IRIs of a whole set."""
        stage, found = self._whole(grounded)
        name = next(column.name for column in stage.columns if column.role == "entity")
        terms = tuple(dict.fromkeys(found.column(name)))
        if any(term.kind != "iri" for term in terms):
            raise IncompleteResult("a member without an IRI cannot be asked for again")
        return tuple(term.value for term in terms)

    def _whole(self, grounded: GroundedProgram) -> tuple[CompiledQuery, Result]:
        """A part's query, and all of its rows."""
        stage = self._compiled(grounded)
        found = self.rows(grounded, stage)
        if found.truncated or len(found.rows) >= self.store.options.limit:
            raise IncompleteResult("a part has more rows than are fetched")
        return stage, found

    def _compiled(self, grounded: GroundedProgram) -> CompiledQuery:
        return compile_program(grounded, self.store.layout, self.store.options)


def _as_of(query: CompiledQuery, stage: CompiledQuery, found: Result) -> Result:
    """The rows of a stage under the columns of the one query."""
    rows = staging.aligned(query, stage, found.columns, found.rows)
    return replace(found, columns=tuple(column.name for column in query.columns), rows=rows)


def _first(result: Result, max_rows: int | None) -> Result:
    """The rows that are wanted."""
    if max_rows is None or len(result.rows) <= max_rows:
        return result
    return replace(result, rows=result.rows[:max_rows], truncated=True)
