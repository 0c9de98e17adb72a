"""The values that stages pass to one another: plain and frozen."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.lexicon import SCALES
from compilers.kopl.program import Program, Step
from compilers.kopl.repair import Repair
from compilers.kopl.values import NO_UNIT, Quantity, Value, value_or_none
from nlq_gateway.core.truths import truths_of

# Called during long work with a stage, the amount done, and its total (0 if unknown).
Progress: TypeAlias = Callable[[str, int, int], None]

YEAR = re.compile(r"1\d{3}|20\d\d")
# "The top hundred" counts in ones.
_LEAST_SCALE = 1_000
_CLOCK = re.compile(r"(?!00:00:00)\d\d:\d\d")


@dataclass(frozen=True, slots=True)
class Question:
    """A question as asked; `language` is a BCP 47 tag that orders labels in the answer."""

    text: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class SchemaItem:
    """A concept, relation, attribute or qualifier of an endpoint's graph.

    `count` is the number of members (concepts) or facts (the others). `domains` and `ranges` list concept
    IRIs with the number of facts whose subject or object is a member, most frequent first. `value_types` and
    `units` begin with the commonest, which calculations take; a relation has the unit that all the nodes it
    leads to state beside their one number. `qualifiers` lists the qualifier IRIs seen on the facts of a
    relation or attribute, `inverse` the relations that state the same facts the other way round; a symmetric
    one is its own. `typed_texts`: texts among the values are of the first type, to which the compiler casts
    them. Nodes without a class and a name are in `domains` and `ranges` under the IRI of the relation that
    leads to them. A relation without facts that is declared to be the inverse of one with facts has the IRI
    of that one in `stated_as`, and its count and ends the other way round. `completed_by` are declared
    inverses with facts that a relation lacks: read the other way round these are its facts, too.
    """

    kind: Kind
    iri: str
    label: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    count: int = 0
    parents: tuple[str, ...] = ()
    domains: tuple[tuple[str, int], ...] = ()
    ranges: tuple[tuple[str, int], ...] = ()
    value_types: tuple[ValueType, ...] = ()
    units: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    qualifiers: tuple[str, ...] = ()
    functional: bool = False
    inverse: tuple[str, ...] = ()
    typed_texts: bool = False
    stated_as: str = ""
    completed_by: tuple[str, ...] = ()

    @property
    def leads_to_unnamed(self) -> bool:
        """True if a relation leads to nodes without a class and a name, for which its own IRI stands."""
        return self.kind == Kind.RELATION and any(iri == self.iri for iri, _ in self.ranges)

    @property
    def is_amount(self) -> bool:
        """True if an attribute's values are quantities, and not years that are stated as numbers."""
        if any(map(str.isalpha, self.units)) or not self.examples:
            return ValueType.QUANTITY in self.value_types
        return ValueType.QUANTITY in self.value_types and not all(map(YEAR.fullmatch, self.examples))

    @property
    def states_moments(self) -> bool:
        """True if the dates of an attribute have a time of day, and not all of them midnight."""
        clocks = [example.replace(" ", "T").partition("T")[2] for example in self.examples]
        types = self.value_types[:1] if self.typed_texts else self.value_types
        return types == (ValueType.DATE,) and all(clocks) and any(map(_CLOCK.match, clocks))

    @property
    def truths(self) -> tuple[str, str] | None:
        """What says of things that they have a property, and that they lack it; None for other attributes."""
        return truths_of(self.examples, self.label) if self.kind == Kind.ATTRIBUTE else None

    def measured(self, quantity: Quantity) -> Quantity:
        """The quantity, a bare number in the commonest unit of the item if none of its values is bare.

        "Over 8000 metres" names its unit; "elevation over 8000" means the one that the graph uses. "Over 20
        million" is 20 of an attribute that counts in millions by its name, if 20 is nearer to its values.
        """
        words = self.label.lower().strip(")").split()
        scale = SCALES.get(words[-1].removesuffix("s").strip("("), 0) if words else 0
        scaled = Quantity(quantity.number / max(scale, 1), quantity.unit)
        if _LEAST_SCALE <= scale <= quantity.number and self._is_like(scaled.number, quantity.number):
            return scaled
        is_bare = quantity.unit == NO_UNIT and bool(self.units) and NO_UNIT not in self.units
        return Quantity(quantity.number, self.units[0]) if is_bare else quantity

    def _is_like(self, number: float, other: float) -> bool:
        """True if the first of two positive numbers is of the order of the known values, not the second."""
        values = (value_or_none(one, ValueType.QUANTITY) for one in self.examples)
        known = [math.log(one.number) for one in values if isinstance(one, Quantity) and one.number > 0]
        middle = statistics.median(known) if known else 0.0
        return abs(math.log(number) - middle) < abs(math.log(other) - middle)

    @property
    def kind_name(self) -> str:
        """The name of the members: a class's label, or a phrase with the label of the relation to them."""
        return self.label if self.kind == Kind.CONCEPT else f"[what {self.label} leads to]"


@dataclass(frozen=True, slots=True)
class Partition:
    """The use of one relation or attribute by the members of one class.

    `count` is the number of facts. For a relation, `target` is the IRI of a class that it leads to from
    there, "" if the objects have no class: each target has a partition of its own. For an attribute, `values`
    are some of the members' values, the commonest first; `complete`: there are no others. Source: W3C,
    Describing Linked Datasets with the VoID Vocabulary, 2011, section 4.5.
    """

    concept: str
    kind: Kind
    iri: str
    count: int
    target: str = ""
    values: tuple[str, ...] = ()
    complete: bool = False


@dataclass(frozen=True, slots=True)
class EntityItem:
    """An entity with its most specific concepts; `degree` is the number of its facts, both ways."""

    iri: str
    label: str
    aliases: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    degree: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """One item found by the index: `matched` is the label that matched, `how` the kind of match.

    `how` is one of exact, folded, alias, stem, variant, derived, partial, initials, prefix, fuzzy, text,
    vector; `score` is in [0, 1].
    """

    kind: Kind
    iri: str
    label: str
    matched: str
    score: float
    how: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of the question, as character offsets, and the items that it may name, best first."""

    start: int
    end: int
    text: str
    hits: tuple[Hit, ...]

    @property
    def kind(self) -> Kind:
        """The kind of the best reading."""
        return self.hits[0].kind


@dataclass(frozen=True, slots=True)
class LiteralMention:
    """A stretch of the question that states a value, or a range from it up to `until`, both included.

    `bounds` are the two values of which the question makes a range; none of a month, a decade, a century.
    """

    start: int
    end: int
    text: str
    value: Value
    until: Value | None = None
    bounds: tuple[LiteralMention, ...] = ()


@dataclass(frozen=True, slots=True)
class TextHit:
    """A string in the graph, with the IRIs of the attributes and qualifiers that have it as a value.

    `how` and `score` rate the match with a text, as in a `Hit`.
    """

    value: str
    predicates: frozenset[str]
    score: float
    how: str


@dataclass(frozen=True, slots=True)
class TextMention:
    """A stretch of the question that is, or stands for, strings in the graph, best first."""

    start: int
    end: int
    text: str
    hits: tuple[TextHit, ...]


@dataclass(frozen=True, slots=True)
class Links:
    """The result of linking.

    Mentions do not overlap, `others` keeps the overlapping ones that lost and the uncertain names. `texts`
    are the strings of the graph in the question; they may overlap all the others.
    """

    question: Question
    mentions: tuple[Mention, ...] = ()
    literals: tuple[LiteralMention, ...] = ()
    others: tuple[Mention, ...] = ()
    texts: tuple[TextMention, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A program proposed for the question, with the parts of its score.

    `mentions` maps (step, argument) to the words of the question that the argument came from, and `choices`
    to the IRIs that its author meant (grounding resolves the names without one). `remarks` are notes on the
    reading for readers of the answer; `empty`: it is known to have an empty answer. `margins` are the
    certainties of choices that its author weighed, in [0, 1]; `repairs` the changes to its author's text;
    `how` is the way in which a language model wrote it, "" for other drafters.
    """

    program: Program
    source: str
    score: float
    parts: dict[str, float] = field(default_factory=dict)
    mentions: dict[tuple[int, int], str] = field(default_factory=dict)
    choices: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    empty: bool = False
    margins: dict[tuple[int, int], float] = field(default_factory=dict)
    repairs: tuple[Repair, ...] = ()
    how: str = ""

    def with_step(
        self, at: int, function: str, inputs: tuple[str, ...] = (), beside: tuple[int, ...] = ()
    ) -> Draft:
        """The draft with one more step behind a step, which feeds all that this one fed.

        `beside` are further steps, before it, that feed the new one.
        """

        def moved(number: int) -> int:
            return number + (number > at)

        def fed(step: Step) -> Step:
            return replace(step, dependencies=tuple(moved(one) + (one == at) for one in step.dependencies))

        steps = self.program.steps
        new = Step(function, inputs, (at, *beside))
        return replace(
            self,
            program=Program((*steps[: at + 1], new, *map(fed, steps[at + 1 :]))),
            choices={(moved(step), place): iris for (step, place), iris in self.choices.items()},
            mentions={(moved(step), place): text for (step, place), text in self.mentions.items()},
            margins={(moved(step), place): margin for (step, place), margin in self.margins.items()},
        )


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A question with the program that answers it over one endpoint's graph.

    `choices` maps (step, argument), both from 0, to the IRIs that are meant; grounding resolves the names
    without one. `source` is its origin: example, explored or confirmed.
    """

    question: str
    program: Program
    source: str = "example"
    choices: Mapping[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)


class FactsAround(Protocol):
    """Looks up the facts of an entity in a store."""

    def around(self, iri: str) -> frozenset[tuple[str, str]]:
        """The predicates of an entity's facts, each with `forward` (it is the subject) or `backward`."""
