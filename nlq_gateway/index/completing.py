"""Names that complete a text while it is written: `directed pul` may become `directed Pulp Fiction`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Hit, SchemaItem
from nlq_gateway.index.database import Database, EntityRow, NameRow
from nlq_gateway.index.text import fold

KINDS = (Kind.CONCEPT, Kind.ENTITY, Kind.RELATION, Kind.ATTRIBUTE)
_LEADING = (Kind.RELATION, Kind.ATTRIBUTE)
_MOST_WORDS = 6
# With fewer letters, too many names contain the text to search inside of names.
_LEAST_INSIDE = 3
_LEAST_ENDING = 2
_BEGUN, _INSIDE = 1.0, 0.5


@dataclass(frozen=True, slots=True)
class Completions:
    """Completes texts by the names in an index's file; `schema` is in order of position."""

    database: Database
    schema: Sequence[SchemaItem]

    def of(self, text: str, limit: int) -> tuple[Hit, ...]:
        """The items whose names the longest endings of a text begin, at most `limit`, each once.

        For one ending, names that begin with it come before those that contain it, shorter ones first.
        """
        best: dict[tuple[Kind, str], Hit] = {}
        for ending in _endings(text):
            hits = sorted(self._begun(ending, limit), key=lambda hit: -hit.score)
            for hit in hits:
                # Two relations of one label give the same question.
                best.setdefault((hit.kind, hit.label if hit.kind in _LEADING else hit.iri), hit)
            if len(best) >= limit:
                break
        return tuple(best.values())[:limit]

    def _begun(self, ending: str, limit: int) -> Iterator[Hit]:
        rows = [row for kind in KINDS for row in self.database.prefixed(kind, ending, limit)]
        if len(ending) >= _LEAST_INSIDE:
            rows += self.database.with_words_begun(KINDS, ending.split(), limit)
        numbers = {row.item for row in rows if row.kind == Kind.ENTITY}
        entities = {one.number: one for one in self.database.entities_numbered(numbers)}
        for row in rows:
            item = entities.get(row.item) if row.kind == Kind.ENTITY else self.schema[row.item]
            # An alias is of no use if the label continues the text as well.
            if item is not None and not (row.is_alias and fold(item.label).startswith(ending)):
                yield _hit(row, item, ending)


def _hit(row: NameRow, item: EntityRow | SchemaItem, ending: str) -> Hit:
    begun = row.folded.startswith(ending)
    score = (_BEGUN if begun else _INSIDE) * len(ending) / len(row.folded)
    return Hit(row.kind, item.iri, item.label, row.text, score, "prefix" if begun else "partial")


def _endings(text: str) -> Iterator[str]:
    """The folded last words, the longest ending first; after a blank the last word is complete."""
    words = fold(text).split()
    after = " " if text[-1:].isspace() else ""
    for first in range(max(0, len(words) - _MOST_WORDS), len(words)):
        ending = " ".join(words[first:]) + after
        if first == 0 or len(ending) >= _LEAST_ENDING:
            yield ending
