"""The input of the rules of growth and of ending, gathered once per question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, TypeVar, cast

from compilers.kopl.functions import Kind, Type
from nlq_gateway.core.types import LiteralMention, Mention, SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.sets.paths import Joins
from nlq_gateway.drafts.reasoning.sketch import Sketch
from nlq_gateway.drafts.reasoning.surroundings import Surroundings
from nlq_gateway.drafts.reasoning.vocabulary import Vocabulary
from nlq_gateway.index.naming import NamingAttributes
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.amounts import HowMany, SomeOf, how_many, some_of
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.request import QuestionRequest, request_of
from nlq_gateway.question.reading.voice import leads_from

_EMPTY = frozenset[int]()
COMPARING = frozenset({"FilterCompare", "SelectBetween", "SelectNth", "Calculate"})
Rule = TypeVar("Rule", bound=Callable[..., Any])


def once_a_question(find: Rule) -> Rule:
    """The function of a field, which finds what it gives once for a question and not for each set."""

    @wraps(find)
    def look_up(field: Field, *arguments: object) -> object:
        key = (find, arguments)
        if key not in field.known:
            field.known[key] = find(field, *arguments)
        return field.known[key]

    return cast(Rule, look_up)


@dataclass(frozen=True, slots=True)
class Clue:
    """A value in the question, and the predicates known to hold it (empty: any that suits)."""

    literal: LiteralMention
    predicates: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Field:
    """Everything the rules look at: the reading, the schema, the graph's surroundings, the clues.

    `known` keeps what functions `once_a_question` found.
    """

    reading: QuestionReading
    vocabulary: Vocabulary
    surroundings: Surroundings
    mentions: tuple[Mention, ...]
    clues: tuple[Clue, ...]
    bridges: Mapping[str, float]
    joins: Joins
    naming: NamingAttributes
    known: dict[object, Any] = field(default_factory=dict)

    @cached_property
    def request(self) -> QuestionRequest:
        """The frame of the question."""
        return request_of(self.reading)

    @cached_property
    def counted(self) -> tuple[HowMany, ...]:
        """The numbers of things that the question demands."""
        return how_many(self.reading)

    @cached_property
    def spoken_relations(self) -> tuple[SchemaItem, ...]:
        """The relations that the question firmly speaks of."""
        return tuple(one for one in self.vocabulary.relations if self.said(self.evidence(one)))

    @cached_property
    def said_concepts(self) -> tuple[SchemaItem, ...]:
        """The concepts that the question firmly speaks of, without those whose words rather mean another."""
        said = tuple(one for one in self.vocabulary.concepts if self.said(self.evidence(one)))
        return tuple(one for one in said if not any(self._says_better(other, one) for other in said))

    def _says_better(self, other: SchemaItem, concept: SchemaItem) -> bool:
        """True if the words for a concept rather mean another one, above or below it, or more than it.

        "Rooms" are no conference rooms, and a "conference room" is more than a room.
        """
        index, better, found = self.vocabulary.index, self.evidence(other), self.evidence(concept)
        is_above = other.iri in index.ancestors(concept.iri)
        if other is concept or not (is_above or other.iri in index.descendants(concept.iri)):
            return False
        firm = {token: degree for token, degree in found.items() if degree >= w.FIRM}
        if any(better.get(token, 0.0) < max(degree, w.PLAIN) for token, degree in firm.items()):
            return False
        if is_above:
            return not any(degree >= w.PLAIN for degree in firm.values())
        return any(degree > max(found.get(token, 0.0), w.FIRM) for token, degree in better.items())

    @cached_property
    def some_of(self) -> SomeOf | None:
        """The number of members that the question wants, whichever they are; None if it wants all."""
        return some_of(self.reading)

    def counts(self, words: frozenset[int], found: Mapping[int, float]) -> bool:
        """True if a number says how many of something, rather than a value of what `found` speaks of."""
        ranking = self.request.ranking
        if ranking is not None and words <= ranking.cue:
            return True
        nouns = [wanted.noun for wanted in self.counted if words <= wanted.cue]
        return any(
            self._things(noun) and not any(found.get(t, 0.0) >= w.FIRM for t in noun) for noun in nouns
        )

    def class_named(self, sketch: Sketch, word: int) -> SchemaItem | None:
        """The class that all of a set belong to and that a word names, if there is one."""
        kinds = (kind for kind in self.said_concepts if kind.iri in sketch.surely)
        return next((kind for kind in kinds if self.evidence(kind).get(word, 0.0) >= w.FIRM), None)

    def _things(self, noun: frozenset[int]) -> bool:
        """True if some words plainly name a concept."""
        evidence = map(self.evidence, self.vocabulary.concepts)
        return any(found.get(token, 0.0) > w.PLAIN for found in evidence for token in noun)

    def evidence(self, item: SchemaItem) -> Mapping[int, float]:
        """Return the degree to which each word of the question mentions an item: position -> (0, 1]."""
        return self.reading.evidence(item)

    def clue_index(self, position: int) -> int:
        """The number by which a clue is marked as used, after those of the mentions."""
        return len(self.mentions) + position

    @cached_property
    def covers(self) -> tuple[frozenset[int], ...]:
        """The words of each mention and clue, by the numbers that mark them as used."""
        clues = (self.reading.covered(clue.literal) for clue in self.clues)
        return (*map(self.reading.covered, self.mentions), *clues)

    def between(self, first: frozenset[int], second: frozenset[int]) -> list[str]:
        """The words from some words to others, without articles."""
        between = self.reading.lowers[max(first) + 1 : min(second)]
        return [word for word in between if word not in lexicon.ARTICLES]

    @once_a_question
    def words(self, used: frozenset[int]) -> frozenset[int]:
        """The words of the mentions that a program uses."""
        return _EMPTY.union(*(self.covers[number] for number in used if number < len(self.mentions)))

    @once_a_question
    def spent(self, used: frozenset[int]) -> frozenset[int]:
        """The words of the values that a program uses."""
        return _EMPTY.union(*(self.covers[number] for number in used if number >= len(self.mentions)))

    @once_a_question
    def leads(self, relation: SchemaItem, name: frozenset[int], kinds: frozenset[str]) -> bool | None:
        """True if a relation leads from the question's only name, of these kinds; False if it leads to it.

        Several names joined by "and" count as one. None if the question does not say, or if entities of
        these kinds have no such facts.
        """
        together = self.reading.name_list
        told = leads_from(self.reading, relation, together) if name <= together else None
        if told is None:
            return None
        near = "domains" if told else "ranges"
        return told if self.vocabulary.suits(relation, near, kinds) else None

    def unused(self, sketch: Sketch) -> Iterator[tuple[int, Clue]]:
        """The values of which the program uses no word yet, with the numbers that mark them as used.

        The 1 of a turbine's name is no amount beside that turbine.
        """
        for used, clue in enumerate(self.clues, len(self.mentions)):
            if not any(number == used or self.covers[number] & self.covers[used] for number in sketch.used):
                yield used, clue

    def clues_in(self, words: frozenset[int]) -> frozenset[int]:
        """The numbers of the clues that stand in some words: each is used once."""
        clues = range(len(self.mentions), len(self.covers))
        return frozenset(number for number in clues if self.covers[number] & words)

    @cached_property
    def required(self) -> frozenset[int]:
        """The words that an answer must account for: names, as far as they are written as such, and values.

        An answer that passes over a name is an answer to another question.
        """
        reading = self.reading
        values = [reading.covered(literal) for literal in reading.links.literals]
        found = reading.written_names.union(*values, self.head_concept)
        return frozenset(token for token in found if reading.weights[token] > 0)

    @cached_property
    def _names(self) -> frozenset[int]:
        """The required words that stand in names alone: nothing but these names accounts for them."""
        values = self.covers[len(self.mentions) :]
        return self.required.intersection(self.reading.named).difference(*values)

    def tells_names(self, sketch: Sketch) -> bool:
        """True if a set is told by all names of the question: no ending accounts for a name."""
        return all(sketch.explained.get(token, 0.0) >= w.NOTICED for token in self._names)

    def overlooks(self, sketch: Sketch) -> bool:
        """True if a program leaves a required word unaccounted for, or a word that no program can state.

        So does one that gives no verdict where one is asked, or all where the question wants some.
        """
        if self.reading.asks_verdict and sketch.steps[-1].signature.output != Type.VERDICT:
            return True
        if self.some_of is not None and self.some_of.token not in sketch.stated:
            return True
        if self.compares and not sketch.functions & COMPARING:
            return True
        unnoticed = any(sketch.explained.get(token, 0.0) < w.NOTICED for token in self.required)
        return unnoticed or not sketch.stated >= self._to_state

    @cached_property
    def compares(self) -> bool:
        """True if the question has things compared with a named one: "longer than the Rhine"."""
        lowers, named = self.reading.lowers, self.reading.named
        names = frozenset[int]().union(*map(self.reading.covered, self.mentions)) & named
        return any(
            lowers[cue.token + 1 : cue.token + 2] == ("than",)
            and not names.isdisjoint(range(cue.token + 2, cue.token + 5))
            for cue in self.reading.comparatives
        )

    @cached_property
    def _to_state(self) -> frozenset[int]:
        return self.reading.unstated.union(self.reading.denials)

    @cached_property
    def head_concept(self) -> frozenset[int]:
        """The words of the noun that is asked for, as far as they plainly name a concept."""
        return frozenset(token for _, token in self._head_names)

    @cached_property
    def named_kinds(self) -> tuple[tuple[frozenset[str], frozenset[int]], ...]:
        """The concepts that mentions stand for, with those below them, and the words of each mention."""
        below = self.vocabulary.index.descendants
        return tuple(
            (
                frozenset(iri for hit in mention.hits for iri in (hit.iri, *below(hit.iri))),
                self.reading.covered(mention),
            )
            for mention in self.reading.links.mentions
            if mention.kind == Kind.CONCEPT
        )

    @cached_property
    def spoken_concepts(self) -> frozenset[str]:
        """The concepts that the question plainly names, with those below them."""
        plain = ((c.iri, self.evidence(c).values()) for c in self.vocabulary.concepts)
        named = [iri for iri, degrees in plain if any(degree > w.PLAIN for degree in degrees)]
        below = (self.vocabulary.index.descendants(iri) for iri in named)
        return frozenset(named).union(*below)

    @cached_property
    def firmly_said(self) -> Mapping[str, Mapping[int, float]]:
        """The firmly mentioned concepts: IRI -> word position -> degree."""
        said = ((c.iri, self.evidence(c)) for c in self.vocabulary.concepts)
        firm = ((iri, {t: d for t, d in found.items() if d >= w.FIRM}) for iri, found in said)
        return {iri: found for iri, found in firm if found}

    @cached_property
    def described(self) -> frozenset[int]:
        """The words for kinds that a clause says more of: "the country where X was born"."""
        lowers = self.reading.lowers
        named = {t for c in self.vocabulary.concepts for t, d in self.evidence(c).items() if d > w.PLAIN}
        return frozenset(t for t in named if lexicon.begins_clause(lowers[t + 1 : t + 3]))

    @cached_property
    def head_kinds(self) -> frozenset[str]:
        """The concepts that the noun that is asked for plainly names."""
        return frozenset(iri for iri, _ in self._head_names)

    @cached_property
    def _head_names(self) -> tuple[tuple[str, int], ...]:
        """The concepts that words of the noun that is asked for plainly name, with the word."""
        return tuple(
            (concept.iri, token)
            for concept in self.vocabulary.concepts
            for token, degree in self.evidence(concept).items()
            if token in self.reading.head and degree > w.PLAIN
        )

    def said(self, mapping: Mapping[int, float]) -> bool:
        """True if the question firmly speaks of something."""
        return any(degree >= w.FIRM and self.reading.weights[token] > 0 for token, degree in mapping.items())


def words_of(field: Field, found: Mapping[int, float]) -> str:
    """The words of the question that speak of an item, in order."""
    firm = sorted(token for token, degree in found.items() if degree >= w.FIRM)
    return " ".join(field.reading.tokens[token].text for token in firm)
