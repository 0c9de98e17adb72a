"""The attributes that show members of a concept which have no labels.

Graphs made from databases give no labels: a singer is its key. Users mean the attribute that names it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from compilers.kopl.functions import Kind, ValueType
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.labels import NAME_PARTS
from nlq_gateway.index.members import held_by_nodes, is_told_by_label
from nlq_gateway.index.store import Index
from nlq_gateway.index.text import fold, stem_word

_SAMPLE = 500
_OWN = 0.3
_NAMES = ("name", "title")
_MEASURE = [stem_word("amount")]
_CODES = ("description", "number", "code", "id")
# Measured quantities and dates name nothing by their label, such as the height of a tower.
_MEASURED = (12, 0)
# So many of an attribute's texts are distinct where it names things.
_DISTINCT = 0.8


@dataclass(frozen=True)
class NamingAttributes:
    """The concepts that have labels, and the attributes that name the members of the others."""

    index: Index

    @cached_property
    def _labelled(self) -> dict[str, bool]:
        """Concept -> True if most of its members, of the entities with the most facts, have a label."""
        named: Counter[str] = Counter()
        for entity in self.index.sample(_SAMPLE):
            vote = 1 if is_told_by_label(entity) else -1
            named.update(dict.fromkeys(entity.concepts, vote))
        stated = dict.fromkeys(self.index.manifest.labelled, True)
        return {concept: votes > 0 for concept, votes in named.items()} | stated

    @cached_property
    def _labels_elsewhere(self) -> bool:
        """True if things have labels that are no attribute of their own class."""
        own = self.index.manifest.naming
        return any(told for concept, told in self._labelled.items() if concept not in own)

    def attributes(self, concept: str) -> tuple[SchemaItem, ...]:
        """Return the attributes that show a member of a concept in place of its label; () if it has one."""
        found = self._shown.get(concept)
        if found is None:
            found = self._shown[concept] = () if self._has_labels(concept) else self._naming(concept)
        return found

    @cached_property
    def all_have_labels(self) -> bool:
        """True if members of every concept are shown by their labels."""
        return not any(self.attributes(item.iri) for item in self._kinds)

    @cached_property
    def names(self) -> frozenset[str]:
        """The IRIs of all attributes that name things, or show them in place of a label."""
        shown = (item.iri for kind in self._kinds for item in self.attributes(kind.iri))
        return frozenset((*shown, *self.index.manifest.naming.values()))

    @cached_property
    def _unnamed(self) -> frozenset[str]:
        return frozenset(item.iri for item in self._kinds if item.kind == Kind.RELATION)

    @cached_property
    def _kinds(self) -> tuple[SchemaItem, ...]:
        """All concepts, and the relations that stand for the things without a class that they lead to."""
        schema = self.index.schema
        return tuple(one for one in schema if one.kind == Kind.CONCEPT or one.leads_to_unnamed)

    @cached_property
    def _attributes(self) -> tuple[SchemaItem, ...]:
        return tuple(item for item in self.index.schema if item.kind == Kind.ATTRIBUTE)

    @cached_property
    def _shown(self) -> dict[str, tuple[SchemaItem, ...]]:
        return {}

    def _has_labels(self, concept: str) -> bool:
        if concept in self._unnamed:
            return False
        return self._labelled.get(concept, self._labels_elsewhere)

    def _naming(self, concept: str) -> tuple[SchemaItem, ...]:
        item = next((one for one in self._kinds if one.iri == concept), None)
        if item is None:
            return ()
        if item.leads_to_unnamed:
            return held_by_nodes(item, self._attributes)[:1]
        shared = self._shared_texts(item)
        ranks = {
            attribute.iri: _rank(attribute, item, shared)
            for attribute in self._attributes
            if _belongs(attribute, item)
        }
        own = [a for a in self._attributes if ranks.get(a.iri, _MEASURED) < _MEASURED]
        names = {fold(a.label): a for a in own}
        for parts in NAME_PARTS:
            if all(part in names for part in parts):
                return tuple(names[part] for part in parts)
        return tuple(sorted(own, key=lambda a: ranks[a.iri])[:1])

    def _shared_texts(self, concept: SchemaItem) -> frozenset[str]:
        """The attributes of which many members have the same value, such as a status."""
        about = (one for one in self.index.partitions((concept.iri,)) if one.concept == concept.iri)
        return frozenset(one.iri for one in about if one.complete and len(one.values) < _DISTINCT * one.count)


def _belongs(attribute: SchemaItem, concept: SchemaItem) -> bool:
    counts = dict(attribute.domains)
    return counts.get(concept.iri, 0) >= _OWN * max(concept.count, 1)


def _rank(attribute: SchemaItem, concept: SchemaItem, shared: frozenset[str]) -> tuple[int, int]:
    """Names before what is called like the concept, that before other texts, and these before codes.

    Texts that members share, or of digits alone, tell none of them.
    """
    words = [stem_word(word) for word in fold(attribute.label).split()]
    about = {stem_word(word) for word in fold(concept.label).split()}
    rest = [word for word in words if word not in about]
    plain = [stem_word(name) for name in _NAMES]
    if rest and rest[-1] in plain:
        return plain.index(rest[-1]) + 2 * (len(rest) > 1), len(words)
    if not rest or rest == _MEASURE:
        return 4, len(words)
    has_letters = any(map(str.isalpha, "".join(attribute.examples)))
    text = ValueType.STRING in attribute.value_types and has_letters and attribute.iri not in shared
    if rest[-1] in _CODES:
        return 6 + _CODES.index(rest[-1]), len(words)
    return (5, len(words)) if text else _MEASURED
