"""Reads a store in pages and within limits, for the introspection of every layout."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from connectors.base import Connector
from connectors.errors import EndpointTimeout, IncompleteResult
from connectors.results import Result, Row, Term
from nlq_gateway.index.manifest import BuildLimits
from nlq_gateway.types import EntityItem, SchemaItem

Progress = Callable[[str, int, int], None]
Counts = dict[str, Counter[str]]

FACTS = "%facts%"
_SMALLEST_PAGE = 500
_COMMON_CAP = 10_000
WRITABLE = re.compile(r"[^\x00-\x20<>\"{}|^`\\]+")


@dataclass(frozen=True, slots=True)
class Source:
    """Where facts stand: `pattern` binds ?s, ?p and ?o, and `predicates` binds every ?p at less cost."""

    pattern: str = "?s ?p ?o ."
    predicates: str = ""


TRIPLES = Source()


@dataclass(frozen=True, slots=True)
class Introspection:
    """What a graph contains: its schema, its entities (highest degree first), its languages (by use)."""

    schema: tuple[SchemaItem, ...]
    entities: tuple[EntityItem, ...]
    languages: tuple[str, ...]


@dataclass(slots=True)
class Reader:
    """Reads a store in pages, within a time budget.

    `sampled` collects what could not be read in full, and why.
    """

    connector: Connector
    limits: BuildLimits
    progress: Progress
    sampled: dict[str, str] = field(default_factory=dict)
    _page_rows: int = 0
    _unwritable: int = 0
    _started: float = field(default_factory=time.monotonic)
    _predicates: dict[Source, tuple[str, ...]] = field(default_factory=dict)

    @property
    def over_budget(self) -> bool:
        """Whether the time for listing is used up."""
        return time.monotonic() - self._started > self.limits.seconds

    def rows(self, text: str) -> Iterator[Row]:
        """All rows of a SELECT without LIMIT, page by page.

        Plain patterns come in the order of an index. Groups come in an order that may change from one
        query to the next (seen in Virtuoso), so what takes several pages is read anew, sorted.
        """
        _, grouped, variables = text.rpartition(" GROUP BY ")
        page, is_last = self._page(text, 0)
        if grouped and not is_last:
            text = f"{text} ORDER BY {variables}"
            page, is_last = self._page(text, 0)
        offset = len(page)
        yield from self._writable(page)
        while not is_last:
            page, is_last = self._page(text, offset)
            offset += len(page)
            yield from self._writable(page)

    def _page(self, text: str, offset: int) -> tuple[tuple[Row, ...], bool]:
        """The next page, and whether it is the last; smaller where the store cannot answer the whole.

        A store may cap its answers below the page that was asked for and not say so. Caps are round
        numbers, so a short page ends the listing only where its length is not round. Virtuoso sorts no
        further than its cap, 10 000 rows unless configured otherwise.
        """
        size = self._page_rows or self.limits.page_rows
        if " ORDER BY " in text and offset < _COMMON_CAP:
            size = min(size, _COMMON_CAP - offset)
        while True:
            try:
                result = self._ask(f"{text} LIMIT {size} OFFSET {offset}", size)
                count = len(result.rows)
                return result.rows, not count or (count < size and count % 100 != 0 and not result.truncated)
            except (EndpointTimeout, IncompleteResult) as error:
                smaller = min(size // 4, _COMMON_CAP)
                takes_all_rows = isinstance(error, EndpointTimeout) and " GROUP BY " in text
                if takes_all_rows or smaller < _SMALLEST_PAGE:
                    raise
                size = self._page_rows = smaller

    def first(self, text: str, count: int, what: str) -> tuple[Row, ...]:
        """At most `count` rows of a SELECT without LIMIT; none where the store needs too long."""
        try:
            return self.some(f"{text} LIMIT {count}", count)
        except EndpointTimeout:
            self.sampled[what] = "incomplete: the store did not answer in time"
            return ()

    def some(self, text: str, max_rows: int) -> tuple[Row, ...]:
        """The rows of one query, raising what the store raises."""
        return tuple(self._writable(self._ask(text, max_rows).rows))

    def _ask(self, text: str, max_rows: int) -> Result:
        return self.connector.query(text, timeout_ms=self.limits.query_ms, max_rows=max_rows)

    def _writable(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows without IRIs that SPARQL has no way to write, which some stores hold."""
        for row in rows:
            if all(one is None or one.kind != "iri" or WRITABLE.fullmatch(one.value) for one in row):
                yield row
            else:
                self._unwritable += 1
                self.sampled["IRIs"] = f"without {self._unwritable} rows with IRIs that SPARQL cannot write"

    def facts(self, text: str, what: str, source: Source = TRIPLES) -> Iterator[Row]:
        """The rows of an aggregate over facts; `%facts%` in `text` stands for the source's pattern.

        Where the store cannot aggregate all facts in time, each predicate's first facts are aggregated
        instead, and `sampled` says so.
        """
        try:
            yield from list(self.rows(text.replace(FACTS, source.pattern)))
        except EndpointTimeout:
            limit = self.limits.sample_facts
            self.sampled[what] = (
                f"from {limit} facts of each predicate, as the store did not count all in time"
            )
            for predicate in self._all_predicates(source):
                some = (
                    f"{{ SELECT * WHERE {{ VALUES ?p {{ <{predicate}> }} {source.pattern} }} LIMIT {limit} }}"
                )
                yield from self._writable(self._ask(text.replace(FACTS, some), limit).rows)

    def _all_predicates(self, source: Source) -> tuple[str, ...]:
        if source not in self._predicates:
            text = f"SELECT DISTINCT ?p WHERE {{ {source.predicates or source.pattern} }}"
            self._predicates[source] = tuple(value(row[0]) for row in self.rows(text))
        return self._predicates[source]

    def group(self, pattern: str, what: str, source: Source = TRIPLES) -> Counts:
        """How often each `?x` occurs with each predicate `?p` in a pattern over `%facts%`."""
        counts: Counts = defaultdict(Counter)
        text = f"SELECT ?p ?x (COUNT(*) AS ?n) WHERE {{ {pattern} }} GROUP BY ?p ?x"
        for predicate, other, number in self.facts(text, what, source):
            if predicate is not None and other is not None:
                counts[predicate.value][other.value] += integer(number)
        return counts


def value(term: Term | None) -> str:
    """The value of a term; an unbound variable is an empty string."""
    return term.value if term is not None else ""


def integer(term: Term | None) -> int:
    """A count as a number; stores write it as integer, decimal or double."""
    return int(float(term.value)) if term is not None else 0


def values_block(name: str, iris: Iterable[str]) -> str:
    """A VALUES block with IRIs that came from the store."""
    return f"VALUES ?{name} {{ {' '.join(f'<{one}>' for one in iris)} }}"
