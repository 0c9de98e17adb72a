"""The words of an index's schema: looked up once for each name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, cached_property

from compilers.iris import iri_in
from compilers.kopl.functions import Kind
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index import Index
from nlq_gateway.index.local_names import KEY_WORDS
from nlq_gateway.index.synonyms import all_phrases, synonyms_of
from nlq_gateway.index.text import fold, humanise, local_name, name_from_iri
from nlq_gateway.language.tables import words
from nlq_gateway.language.wording import english
from nlq_gateway.language.wording.relations import RelationWording, reading_of_noun, readings_of, rows

_ALL = 0.97
# A relation with one of these last words is a foreign key, and leads to the key's table.
_SHORT = 4
_MOSTLY = 0.5
_TITLE_WORD = re.compile(r"\b[A-Z][a-z]+\b")
_PEOPLE, _GROUPS, _UNDERGONE = words("people"), words("groups"), words("undergone")


class Lexicon:
    """The words of one index."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._items: dict[tuple[Kind, str], SchemaItem | None] = {}
        self._readings: dict[str, tuple[RelationWording, ...]] = {}
        self._nouns: dict[str, tuple[str, ...]] = {}
        self._guesses: dict[tuple[str, str], str] = {}

    def item(self, kind: Kind, name: str, choices: Sequence[str] = ()) -> SchemaItem | None:
        """The schema item that an argument means: of the IRIs chosen, its own IRI, or its name."""
        key = (kind, choices[0] if choices else name)
        if key not in self._items:
            iri = choices[0] if choices else iri_in(name)
            found = self._index.item(kind, iri) if iri else None
            named = () if found or iri else self._index.named(kind, name)
            self._items[key] = found or (max(named, key=lambda item: item.count) if named else None)
        return self._items[key]

    def label(self, kind: Kind, name: str, choices: Sequence[str] = ()) -> str:
        """A name as words: the item's label where the argument is an IRI, else the argument."""
        iri = iri_in(name)
        if kind == Kind.ENTITY:
            entity = self._index.entity(iri) if iri else None
            return entity.label if entity else name_from_iri(iri) if iri else name
        item = self.item(kind, name, choices)
        is_label = item is not None and (bool(iri) or fold(item.label) == fold(name))
        label = item.label if item is not None and is_label else local_name(iri) if iri else name
        words = humanise(label).replace("_", " ")
        return _TITLE_WORD.sub(lambda word: word[0].lower(), words) if self._is_titled else words

    def nouns(self, concept: str, choices: Sequence[str] = ()) -> tuple[str, ...]:
        """The names of a concept, singular, its own first."""
        if concept not in self._nouns:
            label = self.label(Kind.CONCEPT, concept, choices)
            item = self.item(Kind.CONCEPT, concept, choices)
            others = (item.aliases if item else ()) or synonyms_of(label)[:1]
            names = [english.singular(name) for name in (label, *filter(self._is_english, others))]
            self._nouns[concept] = tuple({fold(name): name for name in reversed(names)}.values())[::-1]
        return self._nouns[concept]

    def readings(self, relation: str, choices: Sequence[str] = ()) -> tuple[RelationWording, ...]:
        """The readings of a relation's name, the plainest first."""
        if relation not in self._readings:
            item = self.item(Kind.RELATION, relation, choices)
            label, *aliases = self.aliases(Kind.RELATION, relation, choices)
            target, source = self.guess(item, "ranges"), fold(self.guess(item, "domains"))
            if target and _is_key(source, label, aliases, target):
                self._readings[relation] = (reading_of_noun(label if len(label) > _SHORT else target),)
            else:
                own = (name for name in aliases if not fold(name).startswith(f"{source} "))
                names = (f"was {name}" if self._undergoes(item, name) else name for name in (label, *own))
                self._readings[relation] = readings_of(next(names), names)
        return self._readings[relation]

    def aliases(self, kind: Kind, name: str, choices: Sequence[str] = ()) -> tuple[str, ...]:
        """The label of a schema item and its other names."""
        item = self.item(kind, name, choices)
        return (self.label(kind, name, choices), *filter(self._is_english, item.aliases if item else ()))

    def guess(self, item: SchemaItem | None, side: str) -> str:
        """The narrowest concept of (nearly) all subjects (`domains`) or objects (`ranges`) of a relation."""
        if item is None:
            return ""
        key = (item.iri, side)
        if key not in self._guesses:
            counts = item.ranges if side == "ranges" else item.domains
            fit = [iri for iri, count in counts if count >= _ALL * max(item.count, 1)]
            concepts = [concept for iri in fit if (concept := self._index.item(Kind.CONCEPT, iri))]
            narrowest = min(concepts, key=lambda concept: (concept.count, concept.iri), default=None)
            label = self.label(Kind.CONCEPT, f"<{narrowest.iri}>") if narrowest else ""
            self._guesses[key] = english.singular(label)
        return self._guesses[key]

    def are_people(self, item: SchemaItem | None, side: str) -> bool:
        """True if the subjects (`domains`) or objects (`ranges`) of a relation are human beings."""
        guess = self.guess(item, side)
        concepts = [guess] if guess else self._concepts(item, side)
        return bool(concepts) and all(map(self._is_person, concepts))

    def _concepts(self, item: SchemaItem | None, side: str) -> list[str]:
        """The names of the classes of a relation's subjects or objects, singular."""
        counts = () if item is None else item.ranges if side == "ranges" else item.domains
        found = (self._index.item(Kind.CONCEPT, iri) for iri, _ in counts)
        return [english.singular(self.label(Kind.CONCEPT, f"<{one.iri}>")) for one in found if one]

    def _undergoes(self, item: SchemaItem | None, name: str) -> bool:
        """True if what a relation's name says is done to its subjects: pieces are performed at a concert."""
        words = fold(name).split()
        done = len(words) > 1 and words[0] in _UNDERGONE and words[-1] in english.PREPOSITIONS
        concepts = self._concepts(item, "domains") if done else []
        acts = any(self._is_person(one) or fold(one).rpartition(" ")[2] in _GROUPS for one in concepts)
        return bool(concepts) and not acts

    def attributes(self, item: SchemaItem | None, names: Sequence[str]) -> tuple[str, ...]:
        """An attribute's names without that of its concept: name for the customer name of customers.

        The words that an alias spells out come before a label that is short for them: first name, emp fname.
        """
        concept = f"{fold(self.guess(item, 'domains'))} "
        own = [name[len(concept) :] for name in names[1:] if fold(name).startswith(concept)]
        spelt = [name for name in own if name != names[0]] if names[0] in own else []
        bare = [name[len(concept) :] if fold(name).startswith(concept) else name for name in names]
        return tuple(dict.fromkeys([*spelt[:1], *bare]))

    def _is_english(self, alias: str) -> bool:
        """True if an alias is English; an index of several languages does not mark its aliases' languages."""
        words = fold(humanise(alias)).split()
        return bool(words) and (self._is_of_one_language or _known_words().issuperset(words))

    @cached_property
    def _is_titled(self) -> bool:
        """True if the schema's labels are capitalised, as in Policy Holder."""
        labels = [item.label for item in self._index.schema if item.kind == Kind.CONCEPT]
        return sum(label[:1].isupper() for label in labels) > _MOSTLY * len(labels)

    @cached_property
    def _is_of_one_language(self) -> bool:
        return set(self._index.manifest.languages) <= {"", "en"}

    def is_person(self, *nouns: str) -> bool:
        """True if one of these names is of a human being."""
        return any(self._is_person(noun) for noun in nouns if noun)

    def _is_person(self, noun: str) -> bool:
        folded = fold(noun)
        return folded in self._people or folded.rpartition(" ")[2] in _PEOPLE

    @cached_property
    def _people(self) -> frozenset[str]:
        """The names of all concepts of human beings."""
        concepts = [item for item in self._index.schema if item.kind == Kind.CONCEPT]
        names = {item.iri: {fold(name) for name in (item.label, *item.aliases)} for item in concepts}
        top = [item.iri for item in concepts if names[item.iri] & {"person", "human", "people", "individual"}]
        below = {iri for concept in top for iri in (concept, *self._index.descendants(concept))}
        return frozenset(name for iri in below for name in names.get(iri, ()))


@cache
def _known_words() -> frozenset[str]:
    """The words of the package's tables."""
    files = ("relations.tsv", "attributes.tsv")
    cells = [fold(cell) for file in files for row in rows(file) for cell in row]
    return frozenset(word for cell in (*cells, *all_phrases()) for word in cell.split()) | _PEOPLE


def _is_key(source: str, label: str, aliases: Sequence[str], target: str) -> bool:
    """True if the names of a relation from `source` to `target` suggest a foreign key."""
    ends = {name.lower().rpartition(" ")[2] for name in (label, *aliases)}
    of_table = f"{source} {fold(label)}" in map(fold, aliases)
    return not KEY_WORDS.isdisjoint(ends) or (of_table and fold(label) == fold(target))
