"""The names that may be written, as rules; attributes and qualifiers by the types of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.shapes import NUMBER, Shape, shape_of
from compilers.kopl.values import NO_UNIT
from nlq_gateway.drafts.generation.grammar.expressions import (
    NOTHING,
    Expression,
    Reference,
    Rules,
    choice,
    sequence,
)
from nlq_gateway.drafts.generation.grammar.values import ValueRules
from nlq_gateway.drafts.generation.grammar.writing import NotationRules
from nlq_gateway.drafts.generation.known import AllowedNames

SEPARATOR = ", "
# The types of values that an argument of a type compares with: a year with dates, too.
_HELD = {
    ValueType.STRING: frozenset({ValueType.STRING}),
    ValueType.QUANTITY: frozenset({ValueType.QUANTITY}),
    ValueType.YEAR: frozenset({ValueType.YEAR, ValueType.DATE}),
    ValueType.DATE: frozenset({ValueType.DATE}),
}


@dataclass(frozen=True, slots=True)
class AttributeGroup:
    """The attributes, or the qualifiers, whose values have the same types and units.

    `shapes` are the forms in which their values may be calculated with: one, or all if they are unknown.
    """

    name: Expression
    types: frozenset[ValueType]
    units: tuple[str, ...]
    shapes: tuple[Shape, ...]

    def holds(self, value_type: ValueType) -> bool:
        """True if it has values that an argument of this type compares with."""
        return not self.types.isdisjoint(_HELD[value_type])


@dataclass(frozen=True, slots=True)
class ValueSort:
    """Values that compare with each other: those of some attributes and qualifiers, in some shapes.

    `key` names its rules.
    """

    key: str
    groups: Mapping[Kind, tuple[AttributeGroup, ...]]
    shapes: tuple[Shape, ...]

    @property
    def types(self) -> frozenset[ValueType]:
        """The types of its shapes."""
        return frozenset(shape.type for shape in self.shapes)

    @property
    def units(self) -> tuple[tuple[str, ...], ...]:
        """The units of each group in it, equal ones once; none for values in no group, such as counts."""
        found = dict.fromkeys(group.units for groups in self.groups.values() for group in groups)
        return tuple(found) or ((NO_UNIT,),)


COUNTS = ValueSort("counts", {}, (NUMBER,))


@dataclass(frozen=True, slots=True)
class VocabularyRules:
    """The names and values of one question in one notation, as rules.

    `plain` are the names without values, `everything` is the sort of all values.
    """

    rules: Rules
    values: ValueRules
    plain: Mapping[Kind, Expression]
    everything: ValueSort

    def shaped(self, key: str, shapes: Iterable[Shape]) -> ValueSort:
        """The values of these shapes."""
        wanted = tuple(shapes)
        return self._only(key, lambda group: not set(wanted).isdisjoint(group.shapes), wanted)

    def typed(self, key: str, types: Iterable[ValueType]) -> ValueSort:
        """The values of shapes of these types."""
        wanted = frozenset(types)
        return self.shaped(key, (shape for shape in self.everything.shapes if shape.type in wanted))

    def holding(self, value_type: ValueType) -> ValueSort:
        """The values that compare with an argument of this type."""
        return self._only(value_type, lambda group: group.holds(value_type), self.everything.shapes)

    def _only(self, key: str, test: Callable[[AttributeGroup], bool], shapes: tuple[Shape, ...]) -> ValueSort:
        groups = {kind: tuple(filter(test, found)) for kind, found in self.everything.groups.items()}
        return ValueSort(key, groups, shapes)

    def names(self, kind: Kind, sort: ValueSort) -> Expression:
        """An attribute or a qualifier that has values of this sort."""
        found = choice(group.name for group in sort.groups[kind])
        if isinstance(found, Reference):
            return found
        return self.rules.numbered(f"{kind}", sort.groups[kind], lambda: found)

    def compared(self, kind: Kind, value_type: ValueType | None) -> Expression:
        """An attribute or a qualifier, and a value to compare its values with; None is any type."""
        if value_type is None:
            name = f"{kind}-with-value"
            return self.rules.rule(name, lambda: choice(self.compared(kind, one) for one in ValueType))
        name, fitting = f"{kind}-with-{value_type}", self.holding(value_type).groups[kind]
        return self.rules.rule(
            name,
            lambda: choice(
                sequence(group.name, SEPARATOR, self.values.of(value_type, group.units)) for group in fitting
            ),
        )


def vocabulary_of(
    names: AllowedNames, writing: NotationRules, rules: Rules, *, free_names: bool
) -> VocabularyRules:
    """The rules for these names in this notation; with `free_names` any text for a name."""
    listed = {
        Kind.ENTITY: names.entities,
        Kind.CONCEPT: names.concepts,
        Kind.RELATION: names.relations,
    }
    valued = {Kind.ATTRIBUTE: names.attributes, Kind.QUALIFIER: names.qualifiers}
    text = rules.rule("free-name", lambda: writing.text)
    plain = {
        kind: text if free_names else rules.rule(kind, partial(_one_of, writing, found))
        for kind, found in listed.items()
    }
    unknown = AttributeGroup(text, frozenset(ValueType), (), tuple(map(Shape, ValueType)))
    groups = {
        kind: (unknown,) if free_names else _groups(rules, writing, kind, found, names.units)
        for kind, found in valued.items()
    }
    values = ValueRules(rules, writing, names, any_unit=free_names)
    shapes = (shape for found in groups.values() for group in found for shape in group.shapes)
    return VocabularyRules(rules, values, plain, ValueSort("any", groups, tuple(dict.fromkeys(shapes))))


def _one_of(writing: NotationRules, names: Iterable[str]) -> Expression:
    return choice(writing.argument(name) for name in names if name.strip())


def _groups(
    rules: Rules,
    writing: NotationRules,
    kind: Kind,
    names: Mapping[str, tuple[ValueType, ...]],
    units: Mapping[str, tuple[str, ...]],
) -> tuple[AttributeGroup, ...]:
    """The names by types and units; values of unknown type are texts, as for `shape_of`."""
    together: dict[tuple[frozenset[ValueType], tuple[str, ...]], list[str]] = {}
    for name, types in names.items():
        held = frozenset(types) or frozenset({ValueType.STRING})
        measured = units.get(name, ()) if ValueType.QUANTITY in held else ()
        together.setdefault((held, measured), []).append(name)
    groups = []
    for key, found in together.items():
        rule = rules.numbered(f"{kind}-group", key, partial(_one_of, writing, found))
        if rule != NOTHING:
            groups.append(AttributeGroup(rule, *key, (shape_of(*key),)))
    return tuple(groups)
