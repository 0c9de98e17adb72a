"""What the rules of growth and of ending look at, gathered once per question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from nlq_gateway.reasoning import weights as w
from nlq_gateway.reasoning.reading import Reading
from nlq_gateway.reasoning.sketch import Sketch
from nlq_gateway.reasoning.surroundings import Surroundings
from nlq_gateway.reasoning.vocabulary import Vocabulary
from nlq_gateway.types import LiteralMention, Mention, SchemaItem


@dataclass(frozen=True, slots=True)
class Clue:
    """A value in the question, and the predicates known to hold it (empty: any that suits)."""

    literal: LiteralMention
    predicates: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Field:
    """Everything the rules look at: the reading, the schema, the graph's surroundings, the clues."""

    reading: Reading
    vocabulary: Vocabulary
    surroundings: Surroundings
    mentions: tuple[Mention, ...]
    clues: tuple[Clue, ...]
    bridges: Mapping[str, float]

    def evidence(self, item: SchemaItem) -> Mapping[int, float]:
        """What an item accounts for."""
        return self.reading.evidence(item)

    def clue_index(self, position: int) -> int:
        """The number by which a clue is marked as used, after those of the mentions."""
        return len(self.mentions) + position

    def words(self, sketch: Sketch) -> frozenset[int]:
        """The words of the mentions that a program uses."""
        used = [mention for number, mention in enumerate(self.mentions) if number in sketch.used]
        return frozenset[int]().union(*map(self.reading.covered, used))

    @cached_property
    def required(self) -> frozenset[int]:
        """The words that an answer must account for: names, as far as they are written as such, and values.

        An answer that passes over a name is an answer to another question.
        """
        reading = self.reading
        values = [reading.covered(literal) for literal in reading.links.literals]
        found = reading.written_names.union(*values, self.head_concept)
        return frozenset(token for token in found if reading.weights[token] > 0)

    def overlooks(self, sketch: Sketch) -> bool:
        """Whether a program leaves a required word unaccounted for, or a word that no program can state."""
        unnoticed = any(sketch.explained.get(token, 0.0) < w.NOTICED for token in self.required)
        return unnoticed or bool(self.reading.unstated)

    @cached_property
    def head_concept(self) -> frozenset[int]:
        """The words of the noun that is asked for, as far as they plainly name a concept."""
        return frozenset(
            token
            for concept in self.vocabulary.concepts
            for token, degree in self.evidence(concept).items()
            if token in self.reading.head and degree > w.PLAIN
        )

    @cached_property
    def spoken_concepts(self) -> frozenset[str]:
        """The concepts that the question plainly names, with those below them."""
        named = [c.iri for c in self.vocabulary.concepts if self._names(c)]
        below = (self.vocabulary.index.descendants(iri) for iri in named)
        return frozenset(named).union(*below)

    def _names(self, concept: SchemaItem) -> bool:
        return any(degree > w.PLAIN for degree in self.evidence(concept).values())

    @property
    def head_is_concept(self) -> bool:
        """Whether the noun that is asked for plainly names a concept."""
        return bool(self.head_concept)

    def said(self, mapping: Mapping[int, float]) -> bool:
        """Whether the question firmly speaks of something."""
        return any(degree >= w.FIRM and self.reading.weights[token] > 0 for token, degree in mapping.items())


def words_of(field: Field, found: Mapping[int, float]) -> str:
    """The words of the question that speak of an item, in order."""
    firm = sorted(token for token, degree in found.items() if degree >= w.FIRM)
    return " ".join(field.reading.tokens[token].text for token in firm)
