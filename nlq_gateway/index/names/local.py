"""The names of entities in the index's own file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import EntityItem, SchemaItem
from nlq_gateway.index.database import Database, EntityRow, NameRow
from nlq_gateway.index.names.protocol import NamedEntity
from nlq_gateway.index.search import NEAR, NearNames, near_windows
from nlq_gateway.index.text import fold


@dataclass(frozen=True, slots=True)
class FileNames:
    """Looks entities up in an index's file; `schema` is in order of position."""

    database: Database
    schema: Sequence[SchemaItem]

    def entities(self, iris: Iterable[str]) -> dict[str, EntityItem]:
        """The entities among these IRIs, by IRI."""
        return {row.iri: self._item(row) for row in self.database.entities(iris)}

    def sample(self, size: int) -> tuple[EntityItem, ...]:
        """The entities with the most facts, at most `size` of them."""
        return tuple(map(self._item, self.database.entities_numbered(range(size))))

    def named(self, texts: Sequence[str]) -> list[NamedEntity]:
        """The names with the folded form of one of these texts, at most 50 of each, most facts first."""
        folded = list(dict.fromkeys(map(fold, texts)))
        return self._all(list(self.database.named(Kind.ENTITY, folded)))

    def prefixed(self, text: str, limit: int) -> list[NamedEntity]:
        """Names that begin so, most facts first."""
        return self._all(self.database.prefixed(Kind.ENTITY, fold(text), limit))

    def with_words(self, text: str, limit: int) -> list[NamedEntity]:
        """Names that share words with a text, best first by BM25."""
        return self._all(self.database.with_words((Kind.ENTITY,), fold(text).split(), limit))

    def with_all_words(self, text: str, limit: int) -> list[NamedEntity]:
        """Names that have all words of a text, most facts first."""
        return self._all(self.database.with_all_words(Kind.ENTITY, fold(text).split(), limit))

    def near(self, text: str) -> NearNames[NamedEntity]:
        """Names that may be spelled like a text."""
        return NearNames(self._spelled_near(fold(text), NEAR), self._numbered)

    def near_parts(self, text: str) -> NearNames[NamedEntity]:
        """Names that may be spelled like one of the runs of a few words of a text."""
        return NearNames(near_windows(fold(text), self._spelled_near), self._numbered)

    def words_in_use(self, words: Iterable[str]) -> frozenset[str]:
        """The folded words that occur in some name or string."""
        return self.database.words_in_use(words)

    def _spelled_near(self, folded: str, limit: int) -> Mapping[int, str]:
        return self.database.spelled_near((Kind.ENTITY,), folded, limit)

    def _numbered(self, numbers: Iterable[int]) -> Mapping[int, NamedEntity]:
        rows = self.database.names(numbers)
        return dict(zip(rows, self._all(list(rows.values())), strict=True))

    def _all(self, rows: Sequence[NameRow]) -> list[NamedEntity]:
        numbers = {row.item for row in rows}
        items = {row.number: self._item(row) for row in self.database.entities_numbered(numbers)}
        return [NamedEntity(items[row.item], row.text, row.folded, row.is_alias) for row in rows]

    def _item(self, row: EntityRow) -> EntityItem:
        concepts = tuple(self.schema[at].iri for at in row.concepts)
        return EntityItem(row.iri, row.label, row.aliases, concepts, row.degree)
