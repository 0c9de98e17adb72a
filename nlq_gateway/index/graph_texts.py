"""The strings that are values in the graph, looked up by their words and spelling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from nlq_gateway.core.types import SchemaItem, TextHit
from nlq_gateway.index import search
from nlq_gateway.index.database import Database, TextRow
from nlq_gateway.index.text import fold


@dataclass(frozen=True)
class GraphTexts:
    """The strings of an index's file. Safe to share between threads."""

    database: Database
    schema: Sequence[SchemaItem]

    def equal_to(self, texts: Sequence[str]) -> dict[str, tuple[TextHit, ...]]:
        """The strings in the graph equal to each text but for case and marks; others are left out."""
        folded = {text: fold(text) for text in dict.fromkeys(texts)}
        held: dict[str, list[TextRow]] = defaultdict(list)
        for row in self.database.texts(list(dict.fromkeys(folded.values()))):
            held[row.folded].append(row)
        return {text: self._equal(text, held[form]) for text, form in folded.items() if form in held}

    def _equal(self, text: str, rows: Iterable[TextRow]) -> tuple[TextHit, ...]:
        ways = ((row, search.how_named(text, row.text, is_alias=False)) for row in rows)
        return self._text_hits((row, how, search.SCORES[how]) for row, how in ways)

    def spelling_of(self, text: str, iris: Set[str]) -> str:
        """The text as values of these items have it but for case and marks, where none is this very one.

        Signs at the ends are no marks: "A-" is no "A".
        """
        held = [hit.value for hit in self.equal_to([text]).get(text, ()) if iris & hit.predicates]
        alike = (one for one in held if all(fold(one[at]) == fold(text[at]) for at in (0, -1)))
        return text if text in held else next(alike, text)

    @cached_property
    def complete(self) -> frozenset[str]:
        """The IRIs of attributes and qualifiers of which `equal_to` finds every short string."""
        return frozenset(self.schema[at].iri for at in self.database.complete_texts())

    def misspelt(self, around: str, texts: Iterable[str]) -> dict[str, tuple[TextHit, ...]]:
        """The strings in the graph that are spelled like each text, as `Index.misspelt` finds names."""
        folded = {text: fold(text) for text in texts}
        near = search.near_windows(fold(around), self.database.texts_spelled_near)
        found = search.spelled_like(folded.values(), near)
        rows = self.database.texts_numbered({number for scores in found.values() for number in scores})
        return {
            text: self._text_hits((rows[number], "fuzzy", score) for number, score in found[form].items())
            for text, form in folded.items()
            if form in found
        }

    def with_words(self, words: str) -> tuple[TextHit, ...]:
        """The strings in the graph that have all these words and a few more."""
        folded = fold(words)
        rows = self.database.texts_with_all_words(folded.split(), search.SAME_WORDS)
        parts = ((row, search.part_score(folded, row.folded)) for row in rows)
        return self._text_hits((row, "partial", score) for row, score in parts if score > 0)

    def _text_hits(self, found: Iterable[tuple[TextRow, str, float]]) -> tuple[TextHit, ...]:
        """One hit for each string, by rows with ways and scores, with the items that it is a value of."""
        held: dict[tuple[str, str, float], set[str]] = defaultdict(set)
        for row, how, score in found:
            held[row.text, how, score].add(self.schema[row.item].iri)
        hits = (TextHit(text, frozenset(iris), score, how) for (text, how, score), iris in held.items())
        return tuple(sorted(hits, key=lambda hit: (-hit.score, -len(hit.predicates), hit.value)))
