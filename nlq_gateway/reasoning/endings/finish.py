"""The last steps: what is asked of one set, or of two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from compilers.kopl.functions import ValueType
from compilers.kopl.values import Quantity, String
from nlq_gateway.reasoning import weights as w
from nlq_gateway.reasoning.endings.extremes import extreme, extreme_behind, measure_cost, wants_more
from nlq_gateway.reasoning.endings.form import (
    few,
    suits_head,
    suits_names,
    suits_values,
)
from nlq_gateway.reasoning.endings.verify import verify, verify_pair
from nlq_gateway.reasoning.field import Clue, Field, words_of
from nlq_gateway.reasoning.nouns import ORDERED
from nlq_gateway.reasoning.question import lexicon
from nlq_gateway.reasoning.question.reading import Operator, Superlative
from nlq_gateway.reasoning.sets.filters import has
from nlq_gateway.reasoning.sets.joins import main_concept
from nlq_gateway.reasoning.sets.others import without_itself
from nlq_gateway.reasoning.sets.pairs import apart
from nlq_gateway.reasoning.sets.values import SUFFIX, fits, meant
from nlq_gateway.reasoning.sketch import Argument, Sketch, joined
from nlq_gateway.types import SchemaItem

_OPERAND = 4


def finish(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Every way to ask something of one set."""
    sketch = without_itself(sketch)
    yield from _names(field, sketch)
    yield from _count(field, sketch)
    yield from _exists(field, sketch)
    yield from verify(field, sketch)
    yield from extreme_behind(field, sketch)
    for attribute in field.vocabulary.attributes:
        if has(field, sketch, attribute):
            yield from _values(field, sketch, attribute)
            yield from extreme(field, sketch, attribute)


def finish_pair(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Every way to ask something of two sets about different words."""
    if _named_and_kind(first, second) or _named_and_kind(second, first):
        yield from _relation_qualifiers(field, first, second)
    if not apart(field, first, second):
        return
    first, second = without_itself(first), without_itself(second)
    yield from _relations(field, first, second)
    yield from _relation_qualifiers(field, first, second)
    yield from _better(field, first, second)
    yield from verify_pair(field, first, second)


def _named_and_kind(one: Sketch, other: Sketch) -> bool:
    """Whether these are a named thing and all of a kind, as in what somebody got an Oscar for."""
    kind = [step.function for step in other.steps] == ["FindAll", "FilterConcept"]
    return kind and one.is_single and one.explained.keys().isdisjoint(other.explained)


def _names(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    if len(sketch.steps) < 2 or sketch.is_single:
        return
    concept = main_concept(field, sketch)
    shown = field.naming.attributes(concept) if concept is not None else ()
    cost = sketch.cost - suits_names(field, sketch)
    if not shown and field.some_of is not None:
        yield replace(few(field.some_of, sketch.then("Table", ())), cost=cost)
    elif not shown:
        yield replace(sketch.then("What", ()), cost=cost)
    elif sketch.item is not None and sketch.item.iri == concept:
        # What has neither a name nor a class is asked for what it holds: an area, for its value.
        (attribute,) = shown
        named = {0: ((attribute.iri,), "")}
        yield sketch.then("QueryAttr", (attribute.label,), named, cost=cost)


def _count(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    cue = field.reading.count_cue
    if cue and not sketch.is_single:
        new = sketch.then("Count", (), explained=sketch.explaining(dict.fromkeys(cue, 1.0)))
        yield replace(new, cost=sketch.cost - w.FORM - suits_head(field, sketch))


def _exists(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Whether the set has a member, where the question asks for any."""
    if field.reading.is_existential and not sketch.is_single and len(sketch.steps) > 1:
        yield replace(sketch.then("Exists", ()), cost=sketch.cost + w.STEP - 2 * w.FORM, empty=False)


def _values(field: Field, sketch: Sketch, attribute: SchemaItem) -> Iterator[Sketch]:
    found = field.evidence(attribute)
    asked = suits_values(field, attribute, found)
    wanted = asked > 0 or field.said(found)
    clues = [number for number in range(len(field.clues)) if _tells(field, sketch, attribute, number)]
    if not wanted and not clues:
        return
    said = sketch.gain(found, field.reading.weights) > w.SAID
    cost = sketch.cost + w.STEP + (0.0 if said else w.UNSAID)
    name = {0: ((attribute.iri,), words_of(field, found))}
    words = {**dict.fromkeys(_counted(field, attribute, found), 1.0), **found}
    base = sketch.then("QueryAttr", (attribute.label,), name, explained=sketch.explaining(words), cost=cost)
    if wanted:
        repeated = any(attribute.label in step.inputs for step in sketch.steps)
        yield replace(base, cost=cost - asked + (w.REPEATED if repeated else 0.0))
    for number in clues:
        used = sketch.used | {field.clue_index(number)}
        told = _Told(field, sketch, replace(base, used=used), attribute, field.clues[number])
        yield from told.verified()
        yield from told.under_condition(asked)
        yield from told.qualifier()


def _tells(field: Field, sketch: Sketch, attribute: SchemaItem, number: int) -> bool:
    """Whether an unused clue is a single value that the attribute, or a qualifier of its facts, can have."""
    free = field.clue_index(number) not in sketch.used and field.clues[number].literal.until is None
    return free and (bool(attribute.qualifiers) or fits(field.clues[number], attribute))


def _counted(field: Field, attribute: SchemaItem, found: Mapping[int, float]) -> frozenset[int]:
    """The words "how many" or "the number of", where what follows them names a number that the graph has."""
    speaks = any(found.get(token, 0.0) >= w.FIRM for token in field.reading.head)
    return field.reading.count_cue if speaks and ValueType.QUANTITY in attribute.value_types else frozenset()


@dataclass(frozen=True, slots=True)
class _Told:
    """A value asked for with a clue at hand: `base` asks for the value, `sketch` is the set."""

    field: Field
    sketch: Sketch
    base: Sketch
    attribute: SchemaItem
    clue: Clue

    @property
    def _operator(self) -> Operator:
        return self.field.reading.operator(self.clue.literal)

    @property
    def _words(self) -> dict[int, float]:
        covered = self.field.reading.covered(self.clue.literal)
        return dict.fromkeys(covered | self._operator.tokens, 1.0)

    def _explaining(self, more: Mapping[int, float]) -> Mapping[int, float]:
        words = self._words
        return self.base.explaining({**words, **{t: d for t, d in more.items() if t not in words}})

    def verified(self) -> Iterator[Sketch]:
        """Whether the value is as the clue says."""
        if not self.field.reading.is_verification or not fits(self.clue, self.attribute):
            return
        value = meant(self.clue.literal.value, self.attribute)
        comparison = self._operator.sign(isinstance(value, Quantity))
        if isinstance(value, String) and comparison != "=":
            return
        inputs = (str(value),) if isinstance(value, String) else (str(value), comparison)
        cost = self.base.cost + w.STEP - 1.5 * w.FORM
        function = f"Verify{SUFFIX[type(value)]}"
        yield self.base.then(function, inputs, explained=self._explaining({}), cost=cost)

    def under_condition(self, asked: float) -> Iterator[Sketch]:
        """The value whose fact has the clue as a qualifier."""
        for qualifier in self.field.vocabulary.qualifiers(self.attribute):
            if not fits(self.clue, qualifier) or self._operator.comparison != "=":
                continue
            evidence = self.field.evidence(qualifier)
            unnamed = 0.0 if self.field.said(evidence) else w.CONDITION
            value = meant(self.clue.literal.value, qualifier)
            yield self._instead(
                "QueryAttrUnderCondition",
                (self.attribute.label, qualifier.label, str(value)),
                {0: self._named(self.attribute), 1: self._named(qualifier), 2: ((), self.clue.literal.text)},
                evidence,
                unnamed - asked,
            )

    def qualifier(self) -> Iterator[Sketch]:
        """The qualifier of the fact that gives the attribute the clue's value."""
        if not fits(self.clue, self.attribute):
            return
        for qualifier in self.field.vocabulary.qualifiers(self.attribute):
            evidence = self.field.evidence(qualifier)
            form = suits_values(self.field, qualifier, evidence)
            if form > 0:
                value = meant(self.clue.literal.value, self.attribute)
                yield self._instead(
                    "QueryAttrQualifier",
                    (self.attribute.label, str(value), qualifier.label),
                    {
                        0: self._named(self.attribute),
                        1: ((), self.clue.literal.text),
                        2: self._named(qualifier),
                    },
                    evidence,
                    -form,
                )

    def _named(self, item: SchemaItem) -> tuple[tuple[str, ...], str]:
        return (item.iri,), words_of(self.field, self.field.evidence(item))

    def _instead(
        self,
        function: str,
        inputs: tuple[str, ...],
        iris: Mapping[int, tuple[tuple[str, ...], str]],
        evidence: Mapping[int, float],
        more_cost: float,
    ) -> Sketch:
        """A step on the set in place of asking for the value alone."""
        cost = self.base.cost + w.STEP + more_cost
        explained = self._explaining(evidence)
        return self.sketch.then(function, inputs, iris, explained=explained, used=self.base.used, cost=cost)


def _better(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Which of two named things has more or less of something."""
    reading = field.reading
    cues = (*reading.superlatives, *reading.comparatives)
    if not cues or max(len(first.steps), len(second.steps)) > 2 or "or" not in reading.lowers:
        return
    for attribute in field.vocabulary.attributes:
        ordered = ORDERED & set(attribute.value_types)
        if ordered and has(field, first, attribute) and has(field, second, attribute):
            for cue in cues:
                yield _compared(field, first, second, attribute, cue)


def _compared(field: Field, first: Sketch, second: Sketch, attribute: SchemaItem, cue: Superlative) -> Sketch:
    found = field.evidence(attribute)
    choice = "greater" if wants_more(cue, attribute) else "less"
    new = joined(first, second, "SelectBetween", (attribute.label, choice))
    said = cue.token in found or field.said(found)
    return replace(
        new,
        arguments=(*new.arguments, _argument(field, new.last, attribute)),
        explained=new.explaining({**found, cue.token: 1.0}),
        cost=new.cost + w.STEP + measure_cost(cue, found, said) - 2 * w.FORM,
    )


def _argument(field: Field, step: int, item: SchemaItem, argument: int = 0) -> Argument:
    return Argument(step, argument, (item.iri,), words_of(field, field.evidence(item)))


def _relations(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """How two named things are related."""
    cue = {i: 1.0 for i, word in enumerate(field.reading.lowers) if word in lexicon.RELATION_WORDS}
    if cue and max(len(first.steps), len(second.steps)) <= _OPERAND:
        new = joined(first, second, "QueryRelation")
        yield replace(new, explained=new.explaining(cue), cost=new.cost + w.STEP - 2 * w.FORM)


def _relation_qualifiers(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """What is said about the fact that relates two sets."""
    for relation in field.vocabulary.relations:
        if not relation.qualifiers or not _links(field, first, relation, second):
            continue
        for qualifier in field.vocabulary.qualifiers(relation):
            evidence = field.evidence(qualifier)
            form = suits_values(field, qualifier, evidence)
            if field.said(evidence) or form > 0:
                labels = (relation.label, qualifier.label)
                both = joined(first, second, "QueryRelationQualifier", labels)
                yield _qualified(field, both, relation, qualifier, form)


def _qualified(
    field: Field, both: Sketch, relation: SchemaItem, qualifier: SchemaItem, form: float
) -> Sketch:
    found, evidence = field.evidence(relation), field.evidence(qualifier)
    told = {**found, **{t: d for t, d in evidence.items() if d > found.get(t, 0.0)}}
    unsaid = 0.0 if field.said(found) else w.UNSAID / 2
    return replace(
        both,
        arguments=(
            *both.arguments,
            _argument(field, both.last, relation),
            _argument(field, both.last, qualifier, 1),
        ),
        explained=both.explaining(told),
        cost=both.cost + w.STEP + unsaid - form - w.RELATED,
    )


def _links(field: Field, first: Sketch, relation: SchemaItem, second: Sketch) -> bool:
    """Whether the relation can lead from the first set to the second."""
    if first.reach is not None and (relation.iri, "forward") not in first.reach:
        return False
    if second.reach is not None and (relation.iri, "backward") not in second.reach:
        return False
    heads = field.vocabulary.suits(relation, "domains", first.mostly)
    return heads and field.vocabulary.suits(relation, "ranges", second.mostly)
