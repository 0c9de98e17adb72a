"""The classes of the members that a program's steps find, as far as the index knows them.

A relation leads from some classes to others. A program that continues with a predicate that none of these has
always has an empty answer, which shows that the question was misread. The same holds for VerifyStr on
numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from compilers.kopl.functions import RANKING, Kind, ValueType
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import EntityItem, SchemaItem
from nlq_gateway.index.store import Index
from nlq_gateway.index.text import name_from_iri

Classes = frozenset[str]
# The number of members that are checked for labels.
_LOOKED_AT = 3
# So few facts for a member of a class are there by chance, where another class has them all.
_RARE = 0.01
# Nodes hold a value that so many of them have.
_HELD = 0.3
# The classes of a set's members are unknown.
ANYTHING: Classes = frozenset()
# Functions that show the members of a set, or keep some of them.
_SAME = frozenset(
    """
    What SelectAmong SelectTop FilterStr FilterNum FilterYear FilterDate FilterContains FilterNameContains
    """.split()
)


# Functions that show their inputs, or some of them.
_PASSES_ON = frozenset(
    "Table Maximum Minimum SortTable LimitTable SkipTable DistinctTable DropColumn".split()
)
# Functions of a relation and its direction.
LEADING = frozenset({"Relate", "FilterHasRelation"})
# Functions of two sets.
OF_SETS = frozenset({"And", "Or", "Except"})
# The chosen IRI for each (step, argument) with a name.
Choices = Mapping[tuple[int, int], str]


def is_impossible(program: Program, choices: Choices, index: Index) -> bool:
    """True if a step asks for facts that its members never have, or compares values of another type."""
    try:
        _known(program, choices, index)
    except ImpossibleStepError:
        return True
    numbers = range(len(program))
    return any(
        is_wrong(program, number, choices, index)
        for is_wrong in (_is_never_text, _is_no_truth, _is_no_order)
        for number in numbers
    )


def _is_never_text(program: Program, number: int, choices: Choices, index: Index) -> bool:
    """True if a step verifies a text, and the attribute has no text values."""
    step = program.steps[number]
    if step.function != "VerifyStr" or program.steps[step.dependencies[0]].function != "QueryAttr":
        return False
    iri = choices.get((step.dependencies[0], 0))
    item = index.item(Kind.ATTRIBUTE, iri) if iri else None
    return item is not None and bool(item.value_types) and ValueType.STRING not in item.value_types


def _is_no_truth(program: Program, number: int, choices: Choices, index: Index) -> bool:
    """True if a step compares an attribute that is true or false with another text, or asks if it is stated.

    To have a property is more than to have a statement on it, which may say that the thing lacks it. Nor are
    its values counted.
    """
    step = program.steps[number]
    stated = step.dependencies[0] if step.function in ("VerifyStr", "CountValues") else number
    iri = choices.get((stated, 0))
    item = index.item(Kind.ATTRIBUTE, iri) if iri else None
    if item is None or item.truths is None:
        return False
    compares = step.function in ("FilterStr", "VerifyStr") and step.inputs[-1] not in item.truths
    return compares or step.function in ("FilterHasAttr", "CountValues")


def _is_no_order(program: Program, number: int, choices: Choices, index: Index) -> bool:
    """True if a step takes the largest or smallest of texts, of which the known ones have no digit."""
    item = index.item(Kind.ATTRIBUTE, choices.get((number, 0), ""))
    if program.steps[number].function not in RANKING or item is None or item.typed_texts:
        return False
    is_text = item.value_types == (ValueType.STRING,) and bool(item.examples)
    return is_text and not any(letter.isdigit() for example in item.examples for letter in example)


def found_classes(program: Program, choices: Choices, index: Index) -> Classes:
    """The classes of an answer's members if a relation led to them; each member is in one at least.

    Empty if they are unknown, or if the program itself names the class.
    """
    at = len(program) - 1
    is_cut = False
    while program.steps[at].function in _SAME | {"LimitTable", "SortTable"}:
        is_cut = is_cut or program.steps[at].function == "LimitTable"
        (at,) = program.steps[at].dependencies
    columns = program.steps[at].dependencies if is_cut and program.steps[at].function == "Table" else (at,)
    led = [one for one in columns if program.steps[one].function == "Relate"]
    known = step_classes(program, choices, index)
    shown = [one for one in columns if program.steps[one].function not in ("Relate", "Count")]
    if len(columns) > 1 and shown:
        return ANYTHING
    return (
        frozenset[str]().union(*(known[one] for one in led)) if all(known[one] for one in led) else ANYTHING
    )


def step_classes(program: Program, choices: Choices, index: Index) -> list[Classes]:
    """The classes of the members that each step finds; none of them if the program is impossible."""
    try:
        return _known(program, choices, index)
    except ImpossibleStepError:
        return [ANYTHING] * len(program)


def behind_classes(steps: Sequence[Step], at: int) -> tuple[tuple[int, ...], int]:
    """The steps that filter a set by classes, the last first, and the step that gives what these filter."""
    by_class: list[int] = []
    while steps[at].function == "FilterConcept":
        by_class.append(at)
        (at,) = steps[at].dependencies
    return tuple(by_class), at


def shown_alone(program: Program) -> int:
    """The step whose members or values are all that a program shows; the last of other tables."""
    columns = shown_columns(program)
    return columns[0] if len(columns) == 1 else len(program) - 1


def shown_columns(program: Program) -> tuple[int, ...]:
    """The steps whose members or values a program shows, a table's in the order of its columns."""
    at, dropped = len(program) - 1, list[int]()
    while (step := program.steps[at]).function in _PASSES_ON:
        if step.function == "DropColumn":
            dropped.insert(0, int(step.inputs[0]) - 1)
        columns = list(step.dependencies)
        for position in dropped if step.function == "Table" else ():
            del columns[position]
        if len(columns) != 1:
            return tuple(columns)
        (at,) = columns
    return (at,)


def is_named(concept: str, index: Index) -> bool:
    """True if a class's members have labels, or names among their values."""
    attributes = (item for item in index.schema if item.kind == Kind.ATTRIBUTE and is_name(item))
    return any(iri == concept for item in attributes for iri, _ in item.domains) or has_labels(concept, index)


def has_labels(concept: str, index: Index) -> bool:
    """True if some of a class's members with the most facts have another name than their IRIs'."""
    return any(one.label != name_from_iri(one.iri) for one in _some(concept, index))


def is_told_by_labels(concept: str, index: Index) -> bool:
    """True if the labels of some of a class's members with the most facts are more than keys."""
    return any(map(is_told_by_label, _some(concept, index)))


def _some(concept: str, index: Index) -> Iterator[EntityItem]:
    """A few of a class's members."""
    labels = index.members((concept,)).get(concept, ())[:_LOOKED_AT]
    return (one for label in labels for one in index.entities_named(label))


def is_told_by_label(entity: EntityItem) -> bool:
    """True if its label is more than a key: it was given one, or its IRI is made of words."""
    own = name_from_iri(entity.iri)
    return entity.label != own or not any(letter.isdigit() or letter == "=" for letter in own)


def is_name(attribute: SchemaItem) -> bool:
    """True for an attribute that is called a name or a title."""
    return attribute.label.lower().endswith(("name", "title"))


def held_by_nodes(leading: SchemaItem, attributes: Iterable[SchemaItem]) -> tuple[SchemaItem, ...]:
    """The attributes that many nodes have that a relation leads to, or that are of a class; numbers first.

    Of each kind the commonest is the first.
    """
    least = _HELD * max(leading.count, 1)
    held = (one for one in attributes if dict(one.domains).get(leading.iri, 0) >= least)
    return tuple(
        sorted(held, key=lambda one: (ValueType.QUANTITY not in one.value_types, -one.count, one.iri))
    )


def held_at_end(relation: SchemaItem, index: Index) -> tuple[SchemaItem, ...]:
    """The attributes that many of those have that a relation leads to, class by class; numbers first."""
    attributes = [item for item in index.schema if item.kind == Kind.ATTRIBUTE]
    if relation.leads_to_unnamed:
        return held_by_nodes(relation, attributes)
    classes = (index.item(Kind.CONCEPT, iri) for iri, _ in relation.ranges)
    return tuple(held for one in classes if one is not None for held in held_by_nodes(one, attributes))


class ImpossibleStepError(Exception):
    """A step asks for facts that the members before it never have."""


def _known(program: Program, choices: Choices, index: Index) -> list[Classes]:
    """The classes of the members that each step finds."""
    reader, asked = StepReader(index, strict=program.steps[-1].function != "Exists"), _asked_classes(program)
    known: list[Classes] = []
    for position, step in enumerate(program.steps):
        before = [known[one] for one in step.dependencies]
        iri = choices.get((position, 0))
        if before:
            known.append(reader.after(step, iri, before, is_asked=position in asked))
        else:
            known.append(reader.named(iri))
    return known


def _asked_classes(program: Program) -> frozenset[int]:
    """The steps that ask of which class a named thing is: the verdict may be that it is of none such."""
    steps = program.steps
    if steps[-1].function != "Exists":
        return frozenset()
    of_class = (at for at, step in enumerate(steps) if step.function == "FilterConcept")
    return frozenset(at for at in of_class if steps[steps[at].dependencies[0]].function == "Find")


@dataclass(frozen=True, slots=True)
class StepReader:
    """Finds the classes of each step's members; each member is in one of them at least.

    A verdict may be that a thing has no such facts, though others of its kind have: unless `strict`, it may
    have what things of the classes above its own have.
    """

    index: Index
    strict: bool = False

    def named(self, iri: str | None) -> Classes:
        """The classes of the entity that a step names."""
        entity = self.index.entity(iri) if iri else None
        if entity is None:
            return ANYTHING
        classes = frozenset(entity.concepts)
        above = frozenset[str]().union(*map(self.index.ancestors, classes))
        return classes - above if self.strict else classes | above

    def after(
        self, step: Step, iri: str | None, before: Sequence[Classes], *, is_asked: bool = False
    ) -> Classes:
        """The classes of the members that a step finds, from those of its inputs.

        Args:
            step: a step with inputs.
            iri: what its first argument names.
            before: the classes of each input's members.
            is_asked: the step's class is asked about, so that the members may be of none such.

        Raises:
            ImpossibleStepError: none of the members ever has such facts.
        """
        if step.function == "And":
            # That the thing asked about is none of these may be the answer.
            _meet(*map(self._with_above, before))
            return (before[0] & before[1]) or before[0] or before[1]
        if step.function == "Except":
            return before[0]
        if step.function == "Or":
            return before[0] | before[1] if all(before) else ANYTHING
        kind = step.signature.parameters[0].kind if step.inputs else None
        item = self.index.item(kind, iri) if kind and iri else None
        if item is None:
            return ANYTHING
        if step.function == "FilterConcept":
            found = frozenset((item.iri, *self.index.descendants(item.iri)))
            if not is_asked:
                _meet(before[0], found)
            return found
        if step.function in LEADING:
            near, far = (item.domains, item.ranges)[:: 1 if step.inputs[1] == "forward" else -1]
            _meet(before[0], self.classes_at(item, near))
            if step.function == "Relate":
                return self._members_at(item, far)
            return before[0] or self._members_at(item, near)
        if kind == Kind.ATTRIBUTE:
            _meet(before[0], self.classes_at(item, item.domains))
            filters = step.function.startswith(("Filter", "Select"))
            return (before[0] or self._members_at(item, item.domains)) if filters else ANYTHING
        return ANYTHING

    def _with_above(self, classes: Classes) -> Classes:
        return classes.union(*map(self.index.ancestors, classes))

    def _members_at(self, item: SchemaItem, counts: Sequence[tuple[str, int]]) -> Classes:
        """The classes at an end, without those whose members there are all in classes below them.

        A river and a country are both places, and nothing flows through a river.
        """
        found = self.classes_at(item, counts)
        return self.index.covering(tuple(one for one in counts if one[0] in found))

    def classes_at(self, item: SchemaItem, counts: Sequence[tuple[str, int]]) -> Classes:
        """The classes at an end of the item's facts: its domains or its ranges.

        Where all these things are films, and hardly a person is among them, no person is there as a person.
        """
        common = frozenset(iri for iri, number in counts if number >= item.count)
        return frozenset(
            iri
            for iri, number in counts
            if not common
            or not common.isdisjoint((iri, *self.index.ancestors(iri)))
            or not self._is_rare(iri, number)
        )

    def _is_rare(self, concept: str, facts: int) -> bool:
        found = self.index.item(Kind.CONCEPT, concept)
        return found is not None and facts < _RARE * found.count


def _meet(one: Classes, other: Classes) -> None:
    if one and other and one.isdisjoint(other):
        raise ImpossibleStepError
