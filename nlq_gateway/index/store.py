"""A built index, read-only: look-ups by name, searches, vectors. Safe to share between threads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import starmap
from pathlib import Path
from types import TracebackType
from typing import Self

from compilers.kopl.functions import NAMING_KINDS, Kind
from nlq_gateway.core.types import EntityItem, Hit, Partition, SchemaItem
from nlq_gateway.index import search
from nlq_gateway.index.categories import Category, categories_by_beginning
from nlq_gateway.index.completing import Completions
from nlq_gateway.index.database import Database, PartitionRow
from nlq_gateway.index.descriptions import Descriptions
from nlq_gateway.index.embedding import Embedder, Vectors
from nlq_gateway.index.errors import IndexDamaged
from nlq_gateway.index.graph_texts import GraphTexts
from nlq_gateway.index.hierarchy import Counts, Hierarchy
from nlq_gateway.index.manifest import ITEMS, Manifest
from nlq_gateway.index.meanings import Meanings
from nlq_gateway.index.names import EntityNames, FileNames, NamedEntity
from nlq_gateway.index.schema_names import SchemaNames
from nlq_gateway.index.search import NearNames, WeightedHit
from nlq_gateway.index.text import ENGLISH, bases, fold, stem
from nlq_gateway.index.whole import require_whole

_CANDIDATES_PER_HIT = 5
_COMMON_WORDS = 7_000


class Index:
    """One version of an endpoint's index.

    `schema` holds all concepts, relations, attributes and qualifiers, by kind and then the most used first.
    """

    def __init__(self, folder: Path, manifest: Manifest, embedder: Embedder | None) -> None:
        """Use `open`."""
        self.manifest = manifest
        self.folder = folder
        self._embedder = embedder if manifest.embedding else None
        self._database = Database(folder / ITEMS)
        self.schema = self._database.schema()
        self._names: EntityNames = FileNames(self._database, self.schema)
        self._meanings = Meanings(folder, self.schema, self._embedder, bool(manifest.embedding))
        self._by_key = {(item.kind, item.iri): item for item in self.schema}
        self._hierarchy = Hierarchy(
            {item.iri: item.parents for item in self.schema if item.kind == Kind.CONCEPT}
        )
        self._schema_names = SchemaNames(self.schema)
        self.texts = GraphTexts(self._database, self.schema)
        self._words: dict[str, frozenset[str]] = {}

    @classmethod
    def open(cls, folder: Path, embedder: Embedder | None) -> Index:
        """Open a version's folder.

        Args:
            folder: as written by `build`, or as returned by `ensure`.
            embedder: the model that the vectors were made with; None leaves `nearest` without hits.

        Raises:
            IndexMissing: when there is no index in the folder.
            IndexDamaged: when its files are incomplete, or its vectors are of another model.
        """
        manifest = Manifest.read(folder)
        if embedder is not None and manifest.embedding not in ("", embedder.name):
            raise IndexDamaged(
                f"The vectors of the index are of {manifest.embedding}, not of {embedder.name}.",
                place=folder,
                hint="Build the index again with `nlq index`.",
            )
        require_whole(folder)
        return cls(folder, manifest, embedder)

    def require_whole(self) -> None:
        """Raise IndexDamaged if a file differs from its build, or could not be read."""
        require_whole(self.folder)
        if self._database.is_damaged:
            raise IndexDamaged(f"{ITEMS} of the index could not be read.", place=self.folder)

    def close(self) -> None:
        """Close the files."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def looked_up_by(self, names: EntityNames) -> Self:
        """The same index, with entities looked up elsewhere; called once, before the index is shared."""
        self._names = names
        return self

    @property
    def names(self) -> EntityNames:
        """The look-up of entities."""
        return self._names

    def item(self, kind: Kind, iri: str) -> SchemaItem | None:
        """The schema item with this kind and IRI."""
        return self._by_key.get((kind, iri))

    def items(self, kind: Kind, iris: Iterable[str]) -> tuple[SchemaItem, ...]:
        """The schema items of this kind among these IRIs, in their order."""
        return tuple(item for iri in iris if (item := self.item(kind, iri)) is not None)

    def kind(self, iri: str) -> SchemaItem | None:
        """The class with this IRI, or the relation that stands for the things without a class at its end."""
        relation = self.item(Kind.RELATION, iri)
        unnamed = relation if relation is not None and relation.leads_to_unnamed else None
        return self.item(Kind.CONCEPT, iri) or unnamed

    def named(self, kind: Kind, name: str) -> tuple[SchemaItem, ...]:
        """The schema items with exactly this label or alias, else those with the same folded one."""
        return tuple(self.schema[at] for at in self._schema_names.named(kind, name))

    def descendants(self, concept: str) -> tuple[str, ...]:
        """Every concept below this one, without itself, in alphabetical order."""
        return tuple(sorted(self._hierarchy.descendants(concept)))

    def ancestors(self, concept: str) -> tuple[str, ...]:
        """Every concept above this one, without itself, in alphabetical order."""
        return tuple(sorted(self._hierarchy.ancestors(concept)))

    def covering(self, counts: Counts) -> frozenset[str]:
        """The concepts without those whose members are all in concepts below them, as their counts tell."""
        return self._hierarchy.covering(counts)

    def partitions(self, concepts: Iterable[str]) -> tuple[Partition, ...]:
        """The partitions of these concepts, and those of other concepts that lead to them.

        The IRI of a relation stands for the things without a class that it leads to.
        """
        kinds = (Kind.CONCEPT, Kind.RELATION)
        found = (self.positions.get((kind, iri)) for iri in concepts for kind in kinds)
        rows = self._database.partitions(at for at in found if at is not None)
        return tuple(map(self._partition, rows))

    def members(self, concepts: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The labels of some members of each of these concepts, those with the most facts first."""
        found = (self.positions.get((Kind.CONCEPT, iri)) for iri in concepts)
        labels = self._database.members(at for at in found if at is not None)
        return {self.schema[at].iri: names for at, names in labels.items()}

    def _partition(self, row: PartitionRow) -> Partition:
        concept, item = self.schema[row.concept], self.schema[row.item]
        target = "" if row.target is None else self.schema[row.target].iri
        return Partition(concept.iri, item.kind, item.iri, row.count, target, row.values, row.complete)

    @cached_property
    def positions(self) -> dict[tuple[Kind, str], int]:
        """The position of each item in the schema, by kind and IRI."""
        return {(item.kind, item.iri): at for at, item in enumerate(self.schema)}

    def entity(self, iri: str) -> EntityItem | None:
        """The entity with this IRI."""
        return self.entities((iri,)).get(iri)

    def entities(self, iris: Iterable[str]) -> dict[str, EntityItem]:
        """The entities among these IRIs, by IRI."""
        return self._names.entities(iris)

    def sample(self, size: int) -> tuple[EntityItem, ...]:
        """The entities with the most facts, at most `size` of them."""
        return self._names.sample(size)

    def entities_named(self, name: str) -> tuple[EntityItem, ...]:
        """The entities with exactly this label or alias in any language, else with the same folded one.

        At most 50, those with the most facts first.
        """
        found = self._names.named([name])
        chosen = [one for one in found if one.text == name] or found
        items = {one.entity.iri: one.entity for one in chosen}
        return tuple(sorted(items.values(), key=lambda item: -item.degree))

    def look_up(
        self, texts: Sequence[str], kinds: Iterable[Kind] = NAMING_KINDS, language: str = ENGLISH
    ) -> dict[str, tuple[Hit, ...]]:
        """The items with each text as a name, best first; texts that are no names are left out.

        `how` is exact, folded, alias or, for the schema, stem (the same but for plural and tense).
        """
        found = self._named(texts, kinds, language)
        return {text: search.ranked(matches) for text, matches in found.items()}

    @cached_property
    def flags(self) -> tuple[SchemaItem, ...]:
        """The attributes that are true or false."""
        return tuple(item for item in self.schema if item.truths is not None)

    @cached_property
    def categories(self) -> Mapping[str, Sequence[Category]]:
        """The values of attributes with few of them, as words, by their first letters."""
        concepts = (item.iri for item in self.schema if item.kind == Kind.CONCEPT)
        return categories_by_beginning(self.partitions(concepts))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The units of the attributes' values, those of the most used attributes first."""
        return tuple(dict.fromkeys(unit for item in self.schema for unit in item.units))

    @cached_property
    def descriptions(self) -> Descriptions:
        """The descriptions of the schema's items."""
        return Descriptions(self.schema)

    def _named(
        self, texts: Sequence[str], kinds: Iterable[Kind], language: str = ENGLISH
    ) -> dict[str, list[WeightedHit]]:
        folded = {text: fold(text) for text in dict.fromkeys(texts)}
        found: dict[str, list[WeightedHit]] = {text: [] for text in folded}
        for kind in dict.fromkeys(kinds):
            if kind == Kind.ENTITY:
                self._find_entities(folded, found)
            else:
                for text, form in folded.items():
                    same = self._schema_names.matches(kind, text, form, language)
                    found[text] += starmap(self._schema_match, same)
        return {text: matches for text, matches in found.items() if matches}

    def _find_entities(self, folded: dict[str, str], found: dict[str, list[WeightedHit]]) -> None:
        texts: dict[str, list[str]] = defaultdict(list)
        for text, form in folded.items():
            texts[form].append(text)
        for one in self._names.named(list(folded)):
            for text in texts[one.folded]:
                found[text].append(_entity_match(one, search.how_named(text, one.text, one.is_alias)))

    def _schema_match(self, position: int, matched: str, how: str, score: float | None = None) -> WeightedHit:
        item = self.schema[position]
        score = search.SCORES[how] if score is None else score
        return WeightedHit(Hit(item.kind, item.iri, item.label, matched, score, how), item.count)

    def search(self, text: str, kinds: Iterable[Kind] = NAMING_KINDS, limit: int = 10) -> tuple[Hit, ...]:
        """The items that a text may name, best first: by name, beginning, spelling and shared words.

        The score is in [0, 1]: 1 for an exact label, less for weaker matches.
        """
        kinds = tuple(dict.fromkeys(kinds))
        matches = self._named([text], kinds).get(text, [])
        if len(fold(text)) > 1:
            matches += self._schema_candidates(
                fold(text), [one for one in kinds if one != Kind.ENTITY], limit
            )
            matches += self._entity_candidates(text, limit) if Kind.ENTITY in kinds else ()
        return search.ranked(matches)[:limit]

    def _schema_candidates(self, folded: str, kinds: Sequence[Kind], limit: int) -> Iterator[WeightedHit]:
        rows = self._database
        begun = (row for kind in kinds for row in rows.prefixed(kind, folded, limit))
        near = NearNames(rows.spelled_near(kinds, folded, search.NEAR), rows.names)
        alike = rows.with_words(kinds, folded.split(), search.CANDIDATES)
        found = sorted(search.candidates(folded, begun, near, alike), key=lambda one: -one[0])
        for score, how, row in found[: _CANDIDATES_PER_HIT * limit]:
            yield self._schema_match(row.item, row.text, how, score)

    def _entity_candidates(self, text: str, limit: int) -> Iterator[WeightedHit]:
        names = self._names
        begun, alike = names.prefixed(text, limit), names.with_words(text, search.CANDIDATES)
        found = search.candidates(fold(text), begun, names.near(text), alike)
        for score, how, one in sorted(found, key=lambda one: -one[0]):
            yield _entity_match(one, how, score)

    def near(self, text: str, kinds: Iterable[Kind], limit: int) -> tuple[Hit, ...]:
        """The items with a name that a text misspells, or is a part of, best first."""
        folded = fold(text)
        found = self.search(text, kinds, search.CANDIDATES)
        return tuple(hit for hit in found if search.is_near(folded, fold(hit.matched), hit))[:limit]

    def completions(self, text: str, limit: int) -> tuple[Hit, ...]:
        """The completions of a text; of entities only those in the index's own file."""
        return Completions(self._database, self.schema).of(text, limit)

    def bearing(self, words: str, limit: int = 10) -> tuple[Hit, ...]:
        """The entities with all these words in one slightly longer name: by part of the name, then facts."""
        folded = fold(words)
        found = self._names.with_all_words(words, search.SAME_WORDS)
        scored = ((one, search.part_score(folded, one.folded)) for one in found)
        return search.ranked(_entity_match(one, "partial", score) for one, score in scored if score)[:limit]

    def initialled(self, words: Sequence[str], limit: int = 10) -> tuple[Hit, ...]:
        """The entities whose first names have the initials that precede the last word."""
        folded = [fold(word) for word in words]
        found = self._names.with_all_words(words[-1], search.SAME_WORDS)
        matches = (_entity_match(one, "initials") for one in found if search.initialled(folded, one.folded))
        return search.ranked(matches)[:limit]

    def misspelt(self, around: str, texts: Iterable[str], limit: int = 5) -> dict[str, tuple[Hit, ...]]:
        """The entities with a name spelled like each text, or a part of one like a single word.

        Texts without any are left out. `around` are the words of the search.
        """
        folded = {text: fold(text) for text in texts}
        near = self._names.near_parts(around)
        found = search.spelled_like(folded.values(), near.folded)
        names = near.take({number for scores in found.values() for number in scores})
        return {
            text: search.ranked(
                _entity_match(names[number], "fuzzy", score)
                for number, score in found[form].items()
                if number in names
            )[:limit]
            for text, form in folded.items()
            if form in found
        }

    def schema_words(self, language: str = ENGLISH) -> frozenset[str]:
        """The stems of the words in the schema's names, as a language has them."""
        found = self._words.get(language)
        if found is None:
            texts = (stem(fold(text), language) for _, text in self.schema_texts)
            found = self._words[language] = frozenset(word for text in texts for word in text.split())
        return found

    def words_in_use(self, words: Iterable[str]) -> frozenset[str]:
        """The folded words that occur in some name or string."""
        return self._names.words_in_use(words)

    def is_common(self, word: str, within: int = _COMMON_WORDS) -> bool:
        """True if a lower-case word, or its base form, is one of the commonest words."""
        if self._embedder is None:
            return False
        ranks = map(self._embedder.rank, bases(word))
        return any(rank is not None and rank < within for rank in ranks)

    def compares(self, language: str) -> bool:
        """True if vectors compare words of this language with names of the same meaning."""
        known = self._embedder.languages if self._embedder is not None else ()
        return known is None or language in known

    @property
    def schema_texts(self) -> tuple[tuple[int, str], ...]:
        """The schema's names as words, each with the item's position."""
        return self._meanings.texts

    @property
    def schema_vectors(self) -> Vectors:
        """A row for each of `schema_texts`: float32 of unit length, zeros without vectors."""
        return self._meanings.vectors

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts, to be multiplied with `schema_vectors`; zeros without vectors."""
        return self._meanings.encode(texts)

    def nearest(self, kind: Kind, texts: Sequence[str], limit: int = 10) -> tuple[tuple[Hit, ...], ...]:
        """Return for each text the items of a kind with the most similar names, best first.

        The score is the cosine of the vectors, 0 if negative. Without vectors there are no hits.
        """
        if self._embedder is None or not texts:
            return tuple(() for _ in texts)
        if kind == Kind.ENTITY:
            return self._nearest_entities(texts, limit)
        return tuple(
            tuple(self._schema_match(one.number, one.text, "vector", one.score).hit for one in near)
            for near in self._meanings.schema(kind, self.encode(texts), limit)
        )

    def _nearest_entities(self, texts: Sequence[str], limit: int) -> tuple[tuple[Hit, ...], ...]:
        found = self._meanings.entities(self.encode(texts), limit)
        numbers = {number for near in found for number, _ in near}
        items = {row.number: row for row in self._database.entities_numbered(numbers)}
        return tuple(
            tuple(
                Hit(Kind.ENTITY, item.iri, item.label, item.label, score, "vector")
                for item, score in ((items[number], score) for number, score in near)
            )
            for near in found
        )


def _entity_match(one: NamedEntity, how: str, score: float | None = None) -> WeightedHit:
    score = search.SCORES[how] if score is None else score
    entity = one.entity
    return WeightedHit(Hit(Kind.ENTITY, entity.iri, entity.label, one.text, score, how), entity.degree)
