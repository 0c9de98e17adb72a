"""Names, labels and values of KQA Pro's graph to put into questions, by their neighbours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Program
from compilers.kopl.values import format_number, value_or_none
from training.kqapro.labels import Labels, texts
from training.kqapro.patterns import INSTANCE_OF, Pattern

_YEARS = (1200, 2020)
_RECENT = 1880
_LONG = 60
_TIME = {ValueType.DATE: ValueType.YEAR}


@dataclass
class Pools:
    """Names and values by their places; lists keep repetitions, so that frequent things are drawn often.

    Attributes:
        facts: subject and object, by relation.
        values: subject and value, by attribute of text; value alone (with its unit) matters for quantities.
        qualifiers: qualifier and value, by relation or attribute.
        of_qualifier: values, by qualifier.
        about: relation, end and the other name, by name.
        labels_of: labels and ends, by concept: the other way round of `heads`.
        heads: concepts, by label and end: `(label, "subject")`, `(label, "object")`.
    """

    labels: Labels
    facts: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    values: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    qualifiers: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    of_qualifier: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    heads: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    _attributes: dict[ValueType, list[str]] = field(default_factory=lambda: defaultdict(list))
    about: dict[str, list[tuple[str, str, str]]] = field(default_factory=lambda: defaultdict(list))
    labels_of: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    names: list[str] = field(default_factory=list)
    concepts: dict[str, None] = field(default_factory=dict)

    def add_fact(
        self, subject: str, label: str, value: str, qualifiers: Iterable[Sequence[str]] = ()
    ) -> None:
        """Take in a fact between names, or of a name and a value; variables and long texts are left out."""
        is_relation = label in self.labels.relations
        known = [text for text in (subject, value) if not text.startswith("?") and len(text) <= _LONG]
        if len(known) == 2:
            (self.facts if is_relation else self.values)[label].append((subject, value))
        if len(known) == 2 and is_relation:
            self.about[subject].append((label, "subject", value))
            self.about[value].append((label, "object", subject))
        self.names += known if is_relation else [text for text in known if text == subject]
        for qualifier, said in qualifiers:
            if not said.startswith("?") and len(said) <= _LONG:
                self.qualifiers[label].append((qualifier, said))
                self.of_qualifier[qualifier].append(said)

    def add_patterns(self, patterns: Sequence[Pattern]) -> None:
        """Add the facts of patterns, and the concepts of their variables."""
        classes = {p.subject: p.object for p in patterns if p.label == INSTANCE_OF}
        self.concepts.update(dict.fromkeys(classes.values()))
        for pattern in patterns:
            if pattern.label == INSTANCE_OF:
                continue
            said = [(pattern.qualifier, pattern.value)] if pattern.qualifier else []
            self.add_fact(pattern.subject, pattern.label, pattern.object, said)
            for end, node in (("subject", pattern.subject), ("object", pattern.object)):
                if node in classes:
                    self._add_head(pattern.label, end, classes[node])

    def add_program(self, program: Program) -> None:
        """Take in the names, and the values that go with attributes, of a program."""
        self.concepts.update(dict.fromkeys(texts(program, Kind.CONCEPT)))
        self.names += texts(program, Kind.ENTITY)
        concepts = texts(program, Kind.CONCEPT)
        for step in program.steps:
            if step.function.startswith(("FilterNum", "QueryAttrQualifier")):
                self.values[step.inputs[0]].append(("?", step.inputs[1]))
            if step.function.startswith(("FilterNum", "FilterYear", "FilterDate", "SelectAmong")):
                for concept in concepts[:1]:
                    self._add_head(step.inputs[0], "subject", concept)

    def _add_head(self, label: str, end: str, concept: str) -> None:
        self.heads[label, end].append(concept)
        self.labels_of[concept].append((label, end))

    def attributes(self, kind: ValueType) -> list[str]:
        """The attributes with values of this type; both years and dates are those of time.

        Of text are only those with known values, as texts are not made up.
        """
        if not self._attributes:
            known = sorted({*self.values, *(label for label, _ in self.heads)} - self.labels.relations)
            for label in known:
                found = self.labels.types.get(label, ValueType.STRING)
                if found != ValueType.STRING or label in self.values:
                    self._attributes[_TIME.get(found, found)].append(label)
        return self._attributes[_TIME.get(kind, kind)]

    def concept(self, random: Random) -> str:
        """Any concept, half the time one of those that are asked for often."""
        if random.random() < 0.5:
            return random.choice(self.heads[random.choice(list(self.heads))])
        return random.choice(list(self.concepts))

    def attribute(self, kind: ValueType, random: Random, concept: str = "") -> str:
        """An attribute with values of this type, mostly one that members of the concept have."""
        known = self.attributes(kind)
        fitting = [label for label, _ in self.labels_of.get(concept, ()) if label in known]
        return random.choice(fitting if fitting and random.random() < 0.8 else known)

    def subject(self, relation: str, end: str, random: Random) -> str:
        """A name that is the subject or the object of this relation somewhere; else any name."""
        pairs = self.facts.get(relation)
        return random.choice(pairs)[end == "object"] if pairs else random.choice(self.names)

    def head(self, label: str, end: str, random: Random) -> str:
        """A concept whose members are at this end of a relation or attribute; else any concept."""
        return random.choice(self.heads.get((label, end)) or list(self.concepts))

    def value(self, label: str, kind: ValueType, random: Random) -> str:
        """A value for an attribute or a qualifier, made up unless it is text."""
        known = [value for _, value in self.values.get(label, ())] or self.of_qualifier.get(label, [])
        if kind == ValueType.STRING:
            return random.choice(known) if known else ""
        return made_up(kind, known, random)


def made_up(kind: ValueType, like: Sequence[str], random: Random) -> str:
    """A value of a type; a quantity has the size and the unit of one of `like`."""
    if kind == ValueType.QUANTITY:
        number, unit = _parted(random.choice(like) if like else "")
        if number is None:
            number = 10 ** random.uniform(0, 7)
        scaled = number * 10 ** random.uniform(-0.7, 0.7)
        digits = 0 if abs(scaled) >= 10 and random.random() < 0.8 else random.choice((0, 1, 2, 3))
        return format_number(round(scaled, digits)) + (f" {unit}" if unit else "")
    year = random.randint(_RECENT if random.random() < 0.85 else _YEARS[0], _YEARS[1])
    if kind == ValueType.YEAR:
        return str(year)
    return f"{year:04d}-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}"


def _parted(text: str) -> tuple[float | None, str]:
    value = value_or_none(text, ValueType.QUANTITY)
    if value is None:
        return None, ""
    number, _, unit = str(value).partition(" ")
    return float(number), unit
