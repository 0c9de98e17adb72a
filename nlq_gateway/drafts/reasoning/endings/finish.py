"""The last steps: what is asked of one set, or of two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from compilers.kopl.functions import ValueType
from compilers.kopl.values import Quantity, String
from nlq_gateway.core.checkpoint import interruptible
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.endings.each import beside, owner_of_each
from nlq_gateway.drafts.reasoning.endings.extremes import better_behind, extreme
from nlq_gateway.drafts.reasoning.endings.form import (
    few,
    suits_head,
    suits_names,
    suits_values,
)
from nlq_gateway.drafts.reasoning.endings.numbers import more_of_class, more_of_names
from nlq_gateway.drafts.reasoning.endings.verify import verify, verify_count, verify_pair
from nlq_gateway.drafts.reasoning.endings.wholes import of_whole
from nlq_gateway.drafts.reasoning.field import Clue, Field, once_a_question, words_of
from nlq_gateway.drafts.reasoning.nouns import ORDERED
from nlq_gateway.drafts.reasoning.sets.compared import differences, measure_cost
from nlq_gateway.drafts.reasoning.sets.filters import has
from nlq_gateway.drafts.reasoning.sets.joins import main_concept
from nlq_gateway.drafts.reasoning.sets.kinds import typed
from nlq_gateway.drafts.reasoning.sets.others import asked_for, passed_through, without_itself
from nlq_gateway.drafts.reasoning.sets.pairs import apart
from nlq_gateway.drafts.reasoning.sets.values import SUFFIX, fits, meant
from nlq_gateway.drafts.reasoning.sketch import Argument, Sketch, joined, together
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.amounts import difference_asked, numbers_over_all
from nlq_gateway.question.reading.reading import Operator, Superlative

_OPERAND = 4


def finish(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Every way to ask something of one set."""
    through = passed_through(field, sketch)
    sketch = asked_for(field, sketch)
    owner = owner_of_each(field, sketch)
    yield from (beside(owner, done) for done in _names(field, sketch))
    yield from _count(field, sketch)
    yield from _exists(field, sketch)
    yield from verify(field, sketch)
    yield from verify_count(field, sketch)
    yield from of_whole(field, sketch)
    yield from more_of_class(field, sketch)
    for asked in _asked(field):
        if has(field, sketch, asked.attribute):
            yield from (beside(owner, done) for done in _values(field, through, asked))
            if asked.measures:
                yield from extreme(field, sketch, asked.attribute)


def finish_pairs(field: Field, sketches: Sequence[Sketch]) -> Iterator[Sketch]:
    """Every way to ask something of two of some sets."""
    asks = _relating(field) or _choosing(field) or field.reading.is_verification
    asks = asks or "and" in field.reading.lowers or bool(difference_asked(field.reading))
    for one in interruptible(sketches if asks else ()):
        for other in sketches:
            if one is not other:
                yield from _finish_pair(field, one, other)


def _finish_pair(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Every way to ask something of two sets about different words."""
    if not apart(field, first, second):
        return
    first, second = without_itself(first), without_itself(second)
    yield from _relations(field, first, second)
    yield from _better(field, first, second)
    yield from differences(field, first, second)
    yield from more_of_names(field, first, second)
    yield from verify_pair(field, first, second)


def _names(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    if len(sketch.steps) < 2 or sketch.is_single:
        return
    concept = main_concept(field, sketch)
    shown = field.naming.attributes(concept) if concept is not None else ()
    cost = sketch.cost - suits_names(field, sketch)
    if not shown and field.some_of is not None:
        yield few(field.some_of, sketch.then("Table", ()))._replace(cost=cost)
    elif not shown:
        yield sketch.then("What", (), cost=cost)
    elif sketch.item is not None and sketch.item.iri == concept:
        # Entities without a name and a class stand for their values: an area for its number.
        (attribute,) = shown
        named = {0: ((attribute.iri,), "")}
        yield sketch.then("QueryAttr", (attribute.label,), named, cost=cost)


def _count(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    cue = field.reading.count_cue
    if cue and not sketch.is_single:
        cost = sketch.cost - w.FORM - suits_head(field, sketch)
        yield sketch.then("Count", (), explained=sketch.explaining(dict.fromkeys(cue, 1.0)), cost=cost)


def _exists(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """End with `Exists`, if the question asks for any member."""
    if field.reading.is_existential and not sketch.is_single and len(sketch.steps) > 1:
        yield sketch.then("Exists", (), cost=sketch.cost + w.STEP - 2 * w.FORM, empty=False)


@dataclass(frozen=True, slots=True)
class _Asked:
    """An attribute that the question may ask for.

    `form` says how well its values suit the question's form, `wanted` whether they are an answer, `clues` are
    single values that it or a qualifier of its facts can have, and `measures` says that a superlative may
    measure by it.
    """

    attribute: SchemaItem
    form: float
    wanted: bool
    clues: tuple[int, ...]
    measures: bool


@once_a_question
def _asked(field: Field) -> tuple[_Asked, ...]:
    """All attributes of which any is so."""
    found = (_asked_of(field, attribute) for attribute in field.vocabulary.attributes)
    return tuple(one for one in found if one.wanted or one.clues or one.measures)


def _asked_of(field: Field, attribute: SchemaItem) -> _Asked:
    found = field.evidence(attribute)
    form = suits_values(field, attribute, found)
    wanted = form > 0 or field.said(found)
    clues = (number for number, clue in enumerate(field.clues) if _tells(attribute, clue))
    measures = bool(field.reading.superlatives) and not ORDERED.isdisjoint(attribute.value_types)
    return _Asked(attribute, form, wanted, tuple(clues), measures)


def _tells(attribute: SchemaItem, clue: Clue) -> bool:
    """True if a clue is a single value that the attribute, or a qualifier of its facts, can have."""
    return clue.literal.until is None and (bool(attribute.qualifiers) or fits(clue, attribute))


def _values(field: Field, sketch: Sketch, asked: _Asked) -> Iterator[Sketch]:
    unused = {used for used, _ in field.unused(sketch)}
    clues = [number for number in asked.clues if field.clue_index(number) in unused]
    if not asked.wanted and not clues:
        return
    attribute = asked.attribute
    found = field.evidence(attribute)
    said = sketch.gain(found, field.reading.weights) > w.SAID
    cost = sketch.cost + w.STEP + (0.0 if said else w.UNSAID)
    name = {0: ((attribute.iri,), words_of(field, found))}
    words = {**dict.fromkeys(_counted(field, attribute, found), 1.0), **found}
    base = sketch.then("QueryAttr", (attribute.label,), name, explained=sketch.explaining(words), cost=cost)
    if asked.wanted:
        repeated = any(attribute.label in step.inputs for step in sketch.steps)
        yield base._replace(cost=cost - asked.form + (w.REPEATED if repeated else 0.0))
    for number in clues:
        used = sketch.used | {field.clue_index(number)}
        told = _Told(field, sketch, base._replace(used=used), attribute, field.clues[number])
        yield from told.verified()
        yield from told.qualifier()


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
        """End with the verdict that the value is as the clue says."""
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
        for over_all, cue in numbers_over_all(self.field.reading) if isinstance(value, Quantity) else ():
            number = self.base.then(over_all, (), stated=self.base.stated | cue)
            explained = together(self._explaining({}), dict.fromkeys(cue, 1.0))
            yield number.then(function, inputs, explained=explained, cost=cost, empty=False)

    def qualifier(self) -> Iterator[Sketch]:
        """The qualifier of the fact that gives the attribute the clue's value."""
        if not fits(self.clue, self.attribute):
            return
        for qualifier in self.field.vocabulary.qualifiers(self.attribute):
            evidence = self.field.evidence(qualifier)
            form = suits_values(self.field, qualifier, evidence)
            if form > 0:
                value = meant(self.clue.literal.value, self.attribute)
                yield self.sketch.then(
                    "QueryAttrQualifier",
                    (self.attribute.label, str(value), qualifier.label),
                    {
                        0: self._named(self.attribute),
                        1: ((), self.clue.literal.text),
                        2: self._named(qualifier),
                    },
                    explained=self._explaining(evidence),
                    used=self.base.used,
                    cost=self.base.cost + w.STEP - form,
                )

    def _named(self, item: SchemaItem) -> tuple[tuple[str, ...], str]:
        return (item.iri,), words_of(self.field, self.field.evidence(item))


def choose(field: Field, sketches: Sequence[Sketch]) -> Iterator[Sketch]:
    """End with the one of two names joined by "or" that has more or less, the only ending then."""
    cues = _choosing(field)
    names = [sketch for sketch in sketches if cues and len(sketch.steps) == 1 and sketch.is_single]
    for first, second in permutations(names, 2):
        if not apart(field, first, second) or not _are_joined_by_or(field, first, second):
            continue
        kinds = first.surely & second.surely
        for found in (*_better(field, first, second), *better_behind(field, first, second, cues)):
            yield found._replace(explained=typed(field, kinds, found.explained))


def _are_joined_by_or(field: Field, first: Sketch, second: Sketch) -> bool:
    """True if nothing but "or" stands between two names, the first before the second."""
    words = field.words(first.used), field.words(second.used)
    return all(words) and field.between(*words) == ["or"]


def _better(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """End with the one of two things that has more or less of an attribute."""
    cues = _choosing(field)
    if not cues or max(len(first.steps), len(second.steps)) > 2:
        return
    for attribute in field.vocabulary.attributes:
        ordered = ORDERED & set(attribute.value_types)
        if ordered and has(field, first, attribute) and has(field, second, attribute):
            for cue in cues:
                yield _compared(field, first, second, attribute, cue)


@once_a_question
def _choosing(field: Field) -> tuple[Superlative, ...]:
    """The words that ask which of two things has more: "is A or B longer"."""
    reading = field.reading
    return (*reading.superlatives, *reading.comparatives) if reading.ors else ()


def _compared(field: Field, first: Sketch, second: Sketch, attribute: SchemaItem, cue: Superlative) -> Sketch:
    found = field.evidence(attribute)
    choice = "greater" if cue.wants_more(attribute) else "less"
    new = joined(first, second, "SelectBetween", (attribute.label, choice))
    said = cue.token in found or field.said(found)
    return new._replace(
        arguments=(*new.arguments, Argument(new.last, 0, (attribute.iri,), words_of(field, found))),
        explained=new.explaining({**found, cue.token: 1.0}),
        cost=new.cost + w.STEP + measure_cost(cue, found, said) - 2 * w.FORM,
    )


def _relations(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """End with the relations between two named things."""
    cue = _relating(field)
    if cue and max(len(first.steps), len(second.steps)) <= _OPERAND:
        new = joined(first, second, "QueryRelation")
        yield new._replace(explained=new.explaining(cue), cost=new.cost + w.STEP - 2 * w.FORM)


@once_a_question
def _relating(field: Field) -> Mapping[int, float]:
    """The words that ask how two things are related."""
    return {i: 1.0 for i, word in enumerate(field.reading.lowers) if word in lexicon.RELATION_WORDS}
