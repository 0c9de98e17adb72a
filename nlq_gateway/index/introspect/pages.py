"""Asks a store for rows, page by page and within the time left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from connectors.base import Connector
from connectors.errors import EndpointRefusedQuery, EndpointTimeout, EndpointTooComplex, IncompleteResult
from connectors.results import Result, Row, Term
from nlq_gateway.core.types import Progress
from nlq_gateway.index.introspect.budget import StageBudget
from nlq_gateway.index.manifest import BuildLimits

TooMuch = EndpointTimeout | EndpointTooComplex | IncompleteResult

_SMALLEST_PAGE = 500
_COMMON_CAP = 10_000
_LEAST_S = 1.0
# Queries that a smaller page makes no easier.
_TAKES_ALL = re.compile(r" GROUP BY |SELECT DISTINCT ")
# Errors of a store that finds a query too much; it may answer another.
TOO_MUCH = (EndpointTimeout, EndpointTooComplex, IncompleteResult)
# Errors of a store that does not answer what it may lack; others are outages.
NOT_TOLD = (EndpointTimeout, EndpointRefusedQuery, IncompleteResult)
WRITABLE = re.compile(r"[^\x00-\x20<>\"{}|^`\\]+")


def silent(_stage: str, _done: int, _total: int) -> None:
    """Ignore the progress of the reading."""


class StageBudgetSpent(EndpointTimeout):
    """The time for a stage of the reading is used up; the store was not asked."""


@dataclass(slots=True)
class Pages:
    """The answers of one store; `sampled` maps incomplete parts to the reason."""

    connector: Connector
    limits: BuildLimits
    progress: Progress = silent
    sampled: dict[str, str] = field(default_factory=dict)
    budget: StageBudget = field(init=False)
    _page_rows: int = 0
    _unwritable: int = 0
    _has_answered: bool = False

    def __post_init__(self) -> None:
        """Start the clock."""
        self.budget = StageBudget(self.limits.seconds)

    @property
    def over_budget(self) -> bool:
        """True if the time for the current stage is used up."""
        return self.budget.left_s < 0

    def gives_up(self, error: TooMuch) -> bool:
        """True if an error ends the reading: the store has answered no query so far."""
        return not self._has_answered and not isinstance(error, StageBudgetSpent)

    def rows(self, text: str, *, within_s: float | None = None) -> Iterator[Row]:
        """All rows of a SELECT without LIMIT, page by page, each query within `within_s` seconds.

        Plain patterns come in the order of an index. Groups come in an order that may change from one query
        to the next (seen in Virtuoso), so results of several pages are read anew, sorted.
        """
        _, grouped, variables = text.rpartition(" GROUP BY ")
        page, is_last = self._page(text, 0, within_s)
        if grouped and not is_last:
            text = f"{text} ORDER BY {variables}"
            page, is_last = self._page(text, 0, within_s)
        yield from self._writable(page)
        if not is_last:
            yield from self._further(text, len(page), within_s)

    def filtered(self, text: str, outside: str) -> Iterator[Row]:
        """The rows of a listing that pass a filter.

        Virtuoso's estimate of a filter grows with the listing, so that it refuses queries that take no time:
        then each page is listed first, and filtered after that.
        """
        if not outside:
            yield from self.rows(text)
            return
        listing = text.removesuffix(" }")
        try:
            page, is_last = self._page(f"{listing} {outside} }}", 0, None)
        except EndpointTooComplex:
            yield from self._filtered_pages(text, outside)
            return
        yield from self._writable(page)
        if not is_last:
            yield from self._further(f"{listing} {outside} }}", len(page), None)

    def _filtered_pages(self, text: str, outside: str) -> Iterator[Row]:
        variables = text[: text.index(" WHERE ")]
        for offset in count(0, _COMMON_CAP):
            page = f"{{ {text} LIMIT {_COMMON_CAP} OFFSET {offset} }}"
            yield from self.some(f"{variables} WHERE {{ {page} {outside} }}", _COMMON_CAP)
            listed = self.some(f"SELECT (COUNT(*) AS ?n) WHERE {{ {page} }}", 1)
            if not listed or integer(listed[0][0]) < _COMMON_CAP:
                return

    def _further(self, text: str, offset: int, within_s: float | None) -> Iterator[Row]:
        """The pages from an offset on."""
        is_last = False
        while not is_last:
            page, is_last = self._page(text, offset, within_s)
            offset += len(page)
            yield from self._writable(page)

    def _page(self, text: str, offset: int, within_s: float | None) -> tuple[tuple[Row, ...], bool]:
        """The next page, and True if it is the last; smaller where the store cannot answer the whole.

        A store may silently cap its answers below the page size. Caps are round numbers, so a short page ends
        the listing only where its length is not round. Virtuoso sorts no further than its cap, 10 000 rows
        unless configured otherwise.
        """
        size = self._page_rows or self.limits.page_rows
        if " ORDER BY " in text and offset < _COMMON_CAP:
            size = min(size, _COMMON_CAP - offset)
        while True:
            try:
                result = self._ask(f"{text} LIMIT {size} OFFSET {offset}", size, within_s)
                rows = len(result.rows)
                return result.rows, not rows or (rows < size and rows % 100 != 0 and not result.truncated)
            except TOO_MUCH as error:
                smaller = min(size // 4, _COMMON_CAP)
                # A smaller page does not change the store's estimate for the query.
                takes_all_rows = isinstance(error, EndpointTooComplex) or (
                    isinstance(error, EndpointTimeout) and bool(_TAKES_ALL.search(text))
                )
                if takes_all_rows or smaller < _SMALLEST_PAGE:
                    raise
                size = self._page_rows = smaller

    def listed(self, text: str, what: str) -> list[Row]:
        """The rows of a SELECT without LIMIT, as many as the store gives within the stage's time.

        Raises:
            EndpointError: the store has answered no query so far.
        """
        found: list[Row] = []
        try:
            found.extend(self.rows(text))
        except TOO_MUCH as error:
            if self.gives_up(error):
                raise
            self.sampled[what] = f"the first {len(found)} rows: {error.message}"
        return found

    def examples(self, text: str, count: int) -> tuple[Row, ...]:
        """At most `count` rows of a SELECT without LIMIT; () where the store needs too long."""
        try:
            return self.some(f"{text} LIMIT {count}", count)
        except TOO_MUCH as error:
            self.sampled["examples"] = f"incomplete: {error.message}"
            return ()

    def some(self, text: str, max_rows: int) -> tuple[Row, ...]:
        """The rows of one query; raises the store's errors."""
        return tuple(self._writable(self._ask(text, max_rows).rows))

    def _ask(self, text: str, max_rows: int, within_s: float | None = None) -> Result:
        left = self.budget.left_s
        if left <= 0:
            raise StageBudgetSpent("the limit of time was reached", endpoint=self.connector.address)
        seconds = max(_LEAST_S, min(left, left if within_s is None else within_s))
        timeout_ms = int(min(self.limits.query_ms, seconds * 1_000))
        result = self.connector.query(text, timeout_ms=timeout_ms, max_rows=max_rows)
        self._has_answered = True
        return result

    def _writable(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows without IRIs that SPARQL cannot write, which some stores hold."""
        for row in rows:
            if all(one is None or one.kind != "iri" or WRITABLE.fullmatch(one.value) for one in row):
                yield row
            else:
                self._unwritable += 1
                self.sampled["IRIs"] = f"without {self._unwritable} rows with IRIs that SPARQL cannot write"


def value(term: Term | None) -> str:
    """The value of a term; an unbound variable is an empty string."""
    return term.value if term is not None else ""


def integer(term: Term | None) -> int:
    """A count as a number; stores write it as integer, decimal or double."""
    return int(float(term.value)) if term is not None else 0


def values_block(name: str, iris: Iterable[str]) -> str:
    """A VALUES block with IRIs from the store."""
    return f"VALUES ?{name} {{ {' '.join(f'<{one}>' for one in iris)} }}"
