"""The names of entities, looked up in the store, with its full text where it has one.

Limits of full text: Virtuoso has no search by similarity, so that of a misspelt word the first four letters
must be right, or right with two swapped or one too many removed; neither store finds `Müller` by `Muller`
unless it was set up to.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise

from cachetools import TTLCache

from connectors.base import Connector
from connectors.errors import EndpointTimeout
from connectors.plain import require_name_search
from connectors.results import Row
from nlq_gateway.core.types import EntityItem
from nlq_gateway.core.words import STOP_WORDS
from nlq_gateway.index.introspect.names import LabelRanking, RankedLabel
from nlq_gateway.index.introspect.pages import WRITABLE, integer, value
from nlq_gateway.index.names.detect import NamePredicates, TextIndex, find_text_index
from nlq_gateway.index.names.protocol import EntityNames, NamedEntity
from nlq_gateway.index.names.queries import (
    FullText,
    about_query,
    degree_query,
    exact_query,
    literals,
)
from nlq_gateway.index.search import NearNames
from nlq_gateway.index.text import fold, names_from_iri

TIMEOUT_MS = 3_000
_DEGREE_MS = 1_000
_LITERALS = 600
_FOUND = 300
_NEAR = 1_000
_WORD_ROWS = 30
_ENTITIES = 50
_LANGUAGES = 8
_PHRASES = 30
_LEAST_WORD = 4
_KEPT_QUERIES, _KEPT_ENTITIES, _KEPT_S = 4_096, 20_000, 3_600

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StoreNames:
    """Asks one store. Its answers are kept for an hour, within bounds, by each process.

    `local` has a sample of the entities; `schema` are the IRIs that are no entities. Without a full text
    names are found as they are written, or in another letter case, and never by a part.
    """

    connector: Connector
    naming: NamePredicates
    languages: Sequence[str]
    text_index: TextIndex
    local: EntityNames
    schema: Set[str]
    _rows_kept: TTLCache[str, tuple[Row, ...]] = field(
        default_factory=lambda: TTLCache(_KEPT_QUERIES, _KEPT_S), repr=False
    )
    _items_kept: TTLCache[str, EntityItem | None] = field(
        default_factory=lambda: TTLCache(_KEPT_ENTITIES, _KEPT_S), repr=False
    )
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def of(
        cls,
        connector: Connector,
        naming: NamePredicates,
        languages: Iterable[str],
        local: EntityNames,
        schema: Iterable[str],
    ) -> StoreNames:
        """The names of a store, whose full text is tested first; raises EndpointError."""
        tags = tuple(dict.fromkeys(tag.lower() for tag in (*naming.settings.languages, *languages)))
        found = find_text_index(connector, naming)
        return cls(connector, naming, tags[:_LANGUAGES], found, local, frozenset(schema))

    @property
    def full_text(self) -> FullText | None:
        """The store's full-text language, if it finds names."""
        return self.text_index.full_text

    def entities(self, iris: Iterable[str]) -> dict[str, EntityItem]:
        """The entities among these IRIs, by IRI: those with a name, a concept or a fact."""
        wanted = [iri for iri in dict.fromkeys(iris) if WRITABLE.fullmatch(iri) and iri not in self.schema]
        with self._lock:
            known = {iri: self._items_kept[iri] for iri in wanted if iri in self._items_kept}
        missing = [iri for iri in wanted if iri not in known]
        for start in range(0, len(missing), _ENTITIES):
            some = missing[start : start + _ENTITIES]
            found = self._read(some)
            known.update(found)
            with self._lock:
                self._items_kept.update(found)
        return {iri: item for iri in wanted if (item := known[iri]) is not None}

    def sample(self, size: int) -> tuple[EntityItem, ...]:
        """Some entities, read when the index was built."""
        return self.local.sample(size)

    def named(self, texts: Sequence[str]) -> list[NamedEntity]:
        """The names with the folded form of one of these texts, as far as spellings and phrases find them."""
        wanted = {form for text in texts if (form := fold(text))}
        if not self.text_index.used:
            return []
        written = list(dict.fromkeys(form for text in texts for form in _cases(text)))
        rows: list[Row] = []
        per_query = max(1, _LITERALS // (1 + len(self.languages)))
        for start in range(0, len(written), per_query):
            some = literals(written[start : start + per_query], self.languages)
            rows += self._ask(exact_query(some, self.text_index.used, _FOUND))
        if self.full_text and (runs := _phrases(self.full_text, texts)):
            rows += self._search(self.full_text.phrases(runs), _FOUND)
        return self._named(row for row in rows if fold(value(row[2])) in wanted)

    def prefixed(self, text: str, limit: int) -> list[NamedEntity]:
        """Names that begin so."""
        folded = fold(text)
        rows = self._with_all(text, last_begins=True)
        return self._named(row for row in rows if fold(value(row[2])).startswith(folded))[:limit]

    def with_words(self, text: str, limit: int) -> list[NamedEntity]:
        """Names that share words with a text, common words left out."""
        words = self._rare_words(text)
        if not self.full_text or not words:
            return []
        wanted = {part for word in words for part in fold(word).split()}
        rows = self._search(self.full_text.any_of(words), _FOUND)
        return self._named(row for row in rows if wanted & {*fold(value(row[2])).split()})[:limit]

    def with_all_words(self, text: str, limit: int) -> list[NamedEntity]:
        """Names that have all words of a text."""
        wanted = {*fold(text).split()}
        rows = self._with_all(text)
        return self._named(row for row in rows if wanted <= {*fold(value(row[2])).split()})[:limit]

    def near(self, text: str) -> NearNames[NamedEntity]:
        """Names with a word spelled like one of a text's, by the store's own full text."""
        search = self.full_text.like(self._rare_words(text)) if self.full_text else ""
        rows = [row for row in self._search(search, _NEAR) if row[2] is not None] if search else []
        folded = {number: fold(value(row[2])) for number, row in enumerate(rows)}

        def take(numbers: Iterable[int]) -> Mapping[int, NamedEntity]:
            chosen = list(numbers)
            items = self.entities(value(rows[number][0]) for number in chosen)
            return {
                number: self._name(rows[number], items[value(rows[number][0])])
                for number in chosen
                if value(rows[number][0]) in items
            }

        return NearNames(folded, take)

    # A search for words like those of a text also finds names like a part of it.
    near_parts = near

    def words_in_use(self, words: Iterable[str]) -> frozenset[str]:
        """The folded words that occur in some name, or in the index's own file."""
        asked = list(words)
        known = self.local.words_in_use(asked)
        if not self.full_text:
            return known
        # One at a time: together, a common word would leave no room for a rare one.
        others = [word for word in asked if word not in known and self.full_text.words(word) == [word]]
        return known | {word for word in others if self._is_in_a_name(self.full_text, word)}

    def _is_in_a_name(self, full_text: FullText, word: str) -> bool:
        """True if a name has the word: Jena's search also finds names of other graphs."""
        rows = self._search(full_text.all_of([word]), _WORD_ROWS)
        return any(word in fold(value(row[2])).split() for row in rows)

    def _rare_words(self, text: str) -> list[str]:
        words = self.full_text.words(text) if self.full_text else []
        return [word for word in words if word not in STOP_WORDS]

    def _with_all(self, text: str, last_begins: bool = False) -> tuple[Row, ...]:
        words = self.full_text.words(text) if self.full_text else []
        if not self.full_text or not words:
            return ()
        return self._search(self.full_text.all_of(words, last_begins), _FOUND)

    def _search(self, search: str, limit: int) -> tuple[Row, ...]:
        """The rows of a full-text search; () for one that takes too long, which the log notes."""
        assert self.full_text is not None
        try:
            return self._ask(self.full_text.query(search, self.text_index.searched, limit))
        except EndpointTimeout as error:
            _log.warning("names: a full-text search was given up: %s", error.message)
            return ()

    def _ask(self, text: str, timeout_ms: int = TIMEOUT_MS) -> tuple[Row, ...]:
        with self._lock:
            if text in self._rows_kept:
                return self._rows_kept[text]
        require_name_search(text)
        rows = self.connector.query(text, timeout_ms=timeout_ms).rows
        with self._lock:
            self._rows_kept[text] = rows
        return rows

    def _named(self, rows: Iterable[Row]) -> list[NamedEntity]:
        """The names in rows of `?x ?p ?label`, those of the best linked entities first."""
        found = [row for row in dict.fromkeys(rows) if row[0] is not None and row[0].kind == "iri"]
        items = self.entities(value(row[0]) for row in found)
        names = [self._name(row, items[value(row[0])]) for row in found if value(row[0]) in items]
        return sorted(names, key=lambda one: (-one.entity.degree, one.entity.iri, one.is_alias))

    def _name(self, row: Row, item: EntityItem) -> NamedEntity:
        text = " ".join(value(row[2]).split())
        return NamedEntity(item, text, fold(text), is_alias=text != item.label and text in item.aliases)

    def _read(self, iris: Sequence[str]) -> dict[str, EntityItem | None]:
        names, ranks = defaultdict[str, list[RankedLabel]](list), LabelRanking(self.naming.settings)
        concepts: dict[str, list[str]] = defaultdict(list)
        for subject, predicate, other in self._ask(about_query(iris, self.naming.told)):
            if other is None or subject is None:
                continue
            if value(predicate) == self.naming.membership:
                concepts[subject.value].append(other.value)
            elif name := ranks.name(value(predicate), other):
                names[subject.value].append(name)
        degrees = self._degrees(iris)
        return {iri: _item(iri, names[iri], concepts[iri], degrees[iri]) for iri in iris}

    def _degrees(self, iris: Sequence[str]) -> Counter[str]:
        """The numbers of triples; all equal if they take too long to count."""
        degrees: Counter[str] = Counter()
        try:
            for subject, number in self._ask(degree_query(iris), _DEGREE_MS):
                degrees[value(subject)] += integer(number)
        except EndpointTimeout as error:
            _log.warning("names: the facts of entities were not counted: %s", error.message)
        return degrees


def _item(iri: str, names: Iterable[RankedLabel], concepts: Sequence[str], degree: int) -> EntityItem | None:
    texts = list(dict.fromkeys(name.text for name in sorted(names)))
    if not texts and not concepts and not degree:
        return None
    texts = texts or list(names_from_iri(iri))
    return EntityItem(iri, texts[0], tuple(texts[1:]), tuple(dict.fromkeys(concepts)), degree)


def _cases(text: str) -> tuple[str, ...]:
    """A text as it is written, and in the letter cases that names have.

    () for a text with a backslash: stores disagree on its meaning.
    """
    plain = " ".join(text.split())
    if not plain or "\\" in plain:
        return ()
    every = " ".join(word[:1].upper() + word[1:].lower() for word in plain.split(" "))
    return tuple(dict.fromkeys((plain, plain.lower(), every, plain[:1].upper() + plain[1:], plain.upper())))


def _phrases(full_text: FullText, texts: Iterable[str]) -> list[tuple[str, str]]:
    """Two words in a row, one of them neither short nor common: every longer name has such a pair."""
    found: dict[tuple[str, str], None] = {}
    for text in texts:
        for pair in pairwise(full_text.words(text)):
            if any(len(word) >= _LEAST_WORD and word not in STOP_WORDS for word in pair):
                found[pair] = None
    return list(found)[:_PHRASES]
