"""The share of the question's words that a program of any source accounts for.

A word is accounted for by a name or value of the program, by an item of the schema in it, or by the kind of
things that these lead from and to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Draft, SchemaItem
from nlq_gateway.core.words import tokens_of
from nlq_gateway.index import Index
from nlq_gateway.index.text import fold
from nlq_gateway.judging.confidence.content import ContentWords, content_of, folded
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.trace import BindingTrace

# The least similarity of a mention.
LINKED = 0.3
PLAIN = 0.9
# As sure as an adjective is of its place: parts of names are less so.
_SURE = 0.75
# A concept is at an end of a relation or attribute where so many of its facts have it there.
_AT_END = 0.3
_BY_STRING = frozenset({"FilterStr", "QFilterStr", "VerifyStr"})


@dataclass(frozen=True)
class Account:
    """One question, one program over one index, and what they have to do with each other."""

    reading: QuestionReading
    draft: Draft | None
    bindings: Sequence[BindingTrace]

    @classmethod
    def of_draft(cls, reading: QuestionReading, draft: Draft) -> Account:
        """Return the account of a draft that is not grounded yet, by what it means."""
        chosen = ((*place, iris[0]) for place, iris in draft.choices.items() if iris)
        return cls(reading, draft, tuple(_binding(draft, *one) for one in chosen))

    @property
    def index(self) -> Index:
        """The graph's index."""
        return self.reading.index

    @property
    def words(self) -> ContentWords:
        """The words of the question that name something."""
        return content_of(self.reading)

    @property
    def passed(self) -> tuple[int, ...]:
        """The words that name something and that the program does not account for."""
        return tuple(at for at in self.words.content if self.accounted.get(at, 0.0) < LINKED)

    @property
    def leaves_name(self) -> bool:
        """True if the program does not account for a word that is written as a name."""
        return not self.reading.written_names.isdisjoint(self.passed)

    def degree(self, words: Iterable[int]) -> float:
        """The share of some words that the program accounts for, in [0, 1]; 1 for no words."""
        known = {at: self.words.weights[at] for at in words}
        total = sum(known.values())
        said = sum(weight * self.accounted.get(at, 0.0) for at, weight in known.items())
        return said / total if total else 1.0

    @cached_property
    def accounted(self) -> Mapping[int, float]:
        """The degree to which the program accounts for each word, in [0, 1]."""
        found: dict[int, float] = {}
        spoken = map(self.reading.evidence, self.items)
        for part in (*self._named(), *spoken, *map(self._called, self.items)):
            for token, degree in part.items():
                found[token] = max(found.get(token, 0.0), degree)
        return found

    @cached_property
    def linked(self) -> frozenset[int]:
        """The words that speak of anything in the graph at all."""
        links = self.reading.links
        groups = (links.mentions, links.others, links.literals, links.texts)
        covered = [self._inside(one.start, one.end) for group in groups for one in group]
        spoken = (self.reading.evidence(item) for item in self.index.schema)
        said = {token for found in spoken for token, degree in found.items() if degree >= LINKED}
        return frozenset(said).union(*covered)

    @property
    def asked_classes(self) -> frozenset[str]:
        """The classes that the words for what is asked may mean, with those above and below.

        What a word plainly names leaves no class that is only like it. None if the last of the words plainly
        names no class: prize winners are no prizes.
        """
        nouns = self.asked_nouns
        concepts = (item for item in self.index.schema if item.kind == Kind.CONCEPT)
        like = {item.iri: self.reading.evidence(item) for item in concepts}
        if not nouns or not any(found.get(nouns[-1], 0.0) > PLAIN for found in like.values()):
            return frozenset()
        named = set[str]()
        for at in nouns:
            said = {iri: found[at] for iri, found in like.items() if found.get(at, 0.0) >= LINKED}
            plain = {iri for iri, how_well in said.items() if how_well > PLAIN}
            named |= plain or said.keys()
        related = (self.index.descendants(iri) + self.index.ancestors(iri) for iri in named)
        return frozenset(named).union(*related)

    @property
    def asked_nouns(self) -> list[int]:
        """The words that say what is asked for, a verb perhaps among them: "type" of "type of film".

        What follows the plural of a class is a verb: procedures that cost more are no cost.
        """
        lowers, words = self.reading.lowers, sorted(self.reading.head)
        concepts = [item for item in self.index.schema if item.kind == Kind.CONCEPT]
        end = next((at for at, word in enumerate(words) if lowers[word] in lexicon.JOINING), len(words))
        for at, word in enumerate(words[1:end], start=1):
            plural = lowers[words[at - 1]].endswith("s") and lowers[words[at - 1]][-2:] != "ss"
            is_class = any(self.reading.evidence(item).get(words[at - 1], 0.0) > PLAIN for item in concepts)
            if is_class and (plural or lowers[word].endswith("ed")):
                return words[:at]
        return words[:end]

    def unbroken(self) -> bool:
        """True if no name is part of a longer one: "New York" is not "New York City".

        Nor is one cut in two, with something else spelled like each part.
        """
        named = list(self._named())
        sure = {token for part in named for token, degree in part.items() if degree >= _SURE}
        beyond = self.reading.written_names - sure
        beside = (beyond.difference(part) & {min(part) - 1, max(part) + 1} for part in named if part)
        return not any(beside)

    def passed_over(self, words: Iterable[int]) -> float:
        """The weight of the most telling of some words, names apart, as far as it is not accounted for."""
        plain = (at for at in words if at not in self.words.written)
        return max((self.words.weights[at] * (1 - self.accounted.get(at, 0.0)) for at in plain), default=0.0)

    def strings(self) -> Iterator[float]:
        """Yield 1.0 for each known string to filter by that the graph has, else 0.0; none for yes and no."""
        bound = {(binding.step, binding.argument): binding.iri for binding in self.bindings}
        for number, step in enumerate(self.draft.program.steps if self.draft else ()):
            iri = bound.get((number, 0), "")
            item = self.index.item(Kind.ATTRIBUTE, iri)
            is_flag = item is not None and item.truths is not None
            if step.function in _BY_STRING and iri in self.index.texts.complete and not is_flag:
                yield float(bool(self.index.texts.equal_to(step.inputs[1:2])))

    def _named(self) -> Iterator[dict[int, float]]:
        """The words that the program's names and values account for."""
        if self.draft is None:
            return
        scores = {(b.step, b.argument): b.score for b in self.bindings if b.kind == Kind.ENTITY}
        texts = {place: text for place, text in self.draft.mentions.items() if place in scores}
        for number, step in enumerate(self.draft.program.steps):
            for argument, parameter in enumerate(step.signature.parameters):
                place = number, argument
                if parameter.kind == Kind.ENTITY:
                    text = texts.get(place, step.inputs[argument])
                    yield dict.fromkeys(self._said(text), scores.get(place, 1.0))
                elif parameter.kind in (Kind.VALUE, Kind.NUMBER):
                    for value in _forms(parameter.kind, step.inputs[argument]):
                        yield dict.fromkeys(self._stated(value), 1.0)

    def _called(self, item: SchemaItem) -> dict[int, float]:
        """The codes that may be the name of an item: the text of one tells little of what it means."""
        name = {fold(token.text) for token in tokens_of(item.label)}
        spoken = self.reading.evidence(item)
        words = {at: fold(self.reading.tokens[at].text) for at in self.words.codes}
        return {at: 1.0 for at, word in words.items() if word in name or spoken.get(at, 0.0) >= LINKED}

    def _stated(self, value: str) -> frozenset[int]:
        """The words that state a value."""
        links = self.reading.links
        literals = [x for x in links.literals if value in (str(x.value), str(x.until)) or value == x.text]
        texts = [text for text in links.texts if any(hit.value == value for hit in text.hits)]
        covered = [self._inside(one.start, one.end) for group in (literals, texts) for one in group]
        return self._said(value).union(*covered)

    def _said(self, text: str) -> frozenset[int]:
        """The places where the question has the words of a text."""
        words, own = list(map(folded, tokens_of(text))), self.words.folded
        starts = [at for at in range(len(own) - len(words) + 1) if own[at : at + len(words)] == words]
        return frozenset(at + offset for at in starts for offset in range(len(words)))

    def _inside(self, start: int, end: int) -> frozenset[int]:
        tokens = enumerate(self.reading.tokens)
        return frozenset(at for at, token in tokens if token.start < end and start < token.end)

    @cached_property
    def items(self) -> tuple[SchemaItem, ...]:
        """The program's items of the schema, and the concepts that they and its entities have to do with."""
        found: dict[tuple[Kind, str], SchemaItem] = {}
        concepts: set[str] = set()
        for binding in self.bindings:
            if binding.kind == Kind.ENTITY:
                entity = self.index.entity(binding.iri)
                concepts.update(entity.concepts if entity else ())
            elif (item := self.index.item(Kind(binding.kind), binding.iri)) is not None:
                found[item.kind, item.iri] = item
                inverses = (self.index.item(item.kind, iri) for iri in item.inverse)
                found |= {(one.kind, one.iri): one for one in inverses if one and one.stated_as}
                ends = (*item.domains, *item.ranges)
                concepts.update(iri for iri, count in ends if count >= _AT_END * max(item.count, 1))
                concepts.update((item.iri,) if item.kind == Kind.CONCEPT else ())
        for iri in tuple(concepts):
            concepts.update(self.index.ancestors(iri))
        for iri in concepts:
            if (item := self.index.item(Kind.CONCEPT, iri)) is not None:
                found[Kind.CONCEPT, iri] = item
        return tuple(found.values())


def _binding(draft: Draft, step: int, argument: int, iri: str) -> BindingTrace:
    kind = draft.program.steps[step].signature.parameters[argument].kind
    mention = draft.mentions.get((step, argument), "")
    return BindingTrace(step, argument, mention, kind, iri, "", score=1.0, how="draft")


def _forms(kind: Kind, value: str) -> tuple[str, ...]:
    """A value as a question may state it: more than 1 is at least 2."""
    if kind == Kind.NUMBER and value.isdigit():
        return tuple(str(int(value) + offset) for offset in (-1, 0, 1))
    return (value,)
