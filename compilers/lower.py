"""From a grounded program to one SELECT of the algebra.

Lowering goes from the answer back to its sources: the consumer of a set hands down the variable that
the set is to bind, so that And needs no renaming and every variable is named after what it holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from compilers import algebra as a
from compilers.errors import UnsupportedProgram
from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.functions import Type, ValueType
from compilers.kopl.program import Step
from compilers.kopl.values import Value, parse_value, possible_values, type_of
from compilers.layouts import LAYOUTS, Layout, Options
from compilers.layouts.base import Column, Measure, Patterns, ValueReference, number_literal
from compilers.naming import VariableNames, common_name, is_single, set_name


@dataclass(frozen=True, slots=True)
class Lowered:
    """A SELECT, its columns' meaning, and what the answer's reader needs to know."""

    select: a.Select
    columns: tuple[Column, ...]
    output: Type


@dataclass(frozen=True, slots=True)
class Lowering:
    """The state of one lowering: read-only but for the names that it hands out."""

    grounded: GroundedProgram
    options: Options
    layout: Layout
    names: VariableNames

    def step(self, index: int) -> Step:
        """The step at `index`."""
        return self.grounded.program.steps[index]

    def binding(self, index: int, argument: int) -> Binding:
        """The binding of a schema argument; by the layout's naming rule for a bare name."""
        found = self.grounded.binding(index, argument)
        if found is not None and found.iris:
            return found
        name = self.step(index).inputs[argument]
        kind = self.step(index).signature.parameters[argument].kind
        iri = self.layout.iri(kind, name)
        if iri is None:
            raise UnsupportedProgram(
                f"no {kind} {name!r} in this graph",
                step=index,
                hint="use a name that the schema has, or an IRI in angle brackets",
            )
        return Binding((iri,), name)

    def value(self, index: int, argument: int) -> Value:
        """A value argument whose type the function fixes."""
        value_type = self.step(index).signature.parameters[argument].value_type
        assert value_type is not None
        return parse_value(self.step(index).inputs[argument], value_type)

    def source(self, index: int, position: int = 0) -> int:
        """The index of the step that feeds input `position`."""
        return self.step(index).dependencies[position]

    def require_qualifiers(self, index: int) -> None:
        """Refuse qualifiers where the layout cannot state them."""
        if not self.layout.has_qualifiers:
            raise UnsupportedProgram(
                f"{self.step(index).function} needs facts with qualifiers, which the layout "
                f"{self.layout.name} does not have",
                step=index,
                hint="ask without the qualifier, or configure the layout that the graph uses",
            )


def begin(grounded: GroundedProgram, layout: str, options: Options) -> Lowering:
    """A fresh lowering; KeyError for a layout that does not exist."""
    names = VariableNames()
    return Lowering(grounded, options, LAYOUTS[layout](options, names), names)


def lower(work: Lowering) -> Lowered:
    """The query of a checked program; raises UnsupportedProgram for what the layout cannot state."""
    last = len(work.grounded.program) - 1
    output = work.step(last).signature.output
    sink = _SINKS.get(work.step(last).signature.name, _set_of_entities)
    return sink(work, last, output)


def lower_count(work: Lowering) -> a.Select:
    """How many entities the last step, a set, has."""
    last = len(work.grounded.program) - 1
    return _counted(work, last, last)[0]


def lower_set(work: Lowering, index: int, entity: a.Variable, fact: a.Variable | None = None) -> Patterns:
    """Patterns that bind `entity` to each member of a set step, and `fact` to the fact that put it there."""
    function = work.step(index).signature.name
    if function.startswith("QFilter"):
        return _qualifier_filter(work, index, entity, fact)
    if function.startswith("Filter") and function != "FilterConcept":
        return _attribute_filter(work, index, entity, fact)
    if function == "Relate":
        return _relate(work, index, entity, fact)
    return _PLAIN_SETS[function](work, index, entity)


def _find_all(_work: Lowering, index: int, entity: a.Variable) -> Patterns:
    return (a.Domain(entity, (index,)),)


def _find(work: Lowering, index: int, entity: a.Variable) -> Patterns:
    binding = work.grounded.binding(index, 0)
    if binding is None or not binding.iris:
        return work.layout.named(entity, work.step(index).inputs[0], index)
    return (a.Values((entity,), tuple((a.Iri(iri),) for iri in binding.iris), (index,)),)


def _filter_concept(work: Lowering, index: int, entity: a.Variable) -> Patterns:
    binding = work.grounded.binding(index, 0)
    concept = binding if binding is not None and binding.iris else work.step(index).inputs[0]
    return (*lower_set(work, work.source(index), entity), *work.layout.member(entity, concept, index))


def _and(work: Lowering, index: int, entity: a.Variable) -> Patterns:
    return (
        *lower_set(work, work.source(index, 0), entity),
        *lower_set(work, work.source(index, 1), entity),
    )


def _or(work: Lowering, index: int, entity: a.Variable) -> Patterns:
    branches = tuple(lower_set(work, work.source(index, side), entity) for side in (0, 1))
    return (a.Union(branches, (index,)),)


_PLAIN_SETS: dict[str, Callable[[Lowering, int, a.Variable], Patterns]] = {
    "FindAll": _find_all,
    "Find": _find,
    "FilterConcept": _filter_concept,
    "And": _and,
    "Or": _or,
}


def _relate(work: Lowering, index: int, entity: a.Variable, fact: a.Variable | None) -> Patterns:
    start = work.names.fresh(set_name(work.grounded, work.source(index)))
    inner = lower_set(work, work.source(index), start)
    head, tail = (start, entity) if work.step(index).inputs[1] == "forward" else (entity, start)
    return (*inner, *work.layout.relation(head, work.binding(index, 0), tail, fact, index))


def _attribute_filter(work: Lowering, index: int, entity: a.Variable, fact: a.Variable | None) -> Patterns:
    inner = lower_set(work, work.source(index), entity)
    patterns, value = work.layout.attribute(entity, work.binding(index, 0), fact, index)
    return (*inner, *patterns, *_test(work, index, value))


def _qualifier_filter(work: Lowering, index: int, entity: a.Variable, fact: a.Variable | None) -> Patterns:
    work.require_qualifiers(index)
    node = fact or work.names.fresh("fact")
    inner = lower_set(work, work.source(index), entity, node)
    patterns, value = work.layout.qualifier(node, work.binding(index, 0), index)
    return (*inner, *patterns, *_test(work, index, value))


def _test(work: Lowering, index: int, value: ValueReference) -> Patterns:
    inputs = work.step(index).inputs
    comparison = inputs[2] if len(inputs) > 2 else "="
    return work.layout.test(value, comparison, work.value(index, 1), index)


def _test_any(work: Lowering, index: int, value: ValueReference, text: str) -> Patterns:
    """The value equals `text` in whichever of its readings the graph's type allows."""
    known = value.binding.value_types
    times = (ValueType.YEAR, ValueType.DATE)
    readings = [
        reading
        for reading in possible_values(text)
        if not known or type_of(reading) in known or (type_of(reading) in times and set(times) & set(known))
    ] or [possible_values(text)[-1]]
    branches = tuple(work.layout.test(value, "=", reading, index) for reading in readings)
    return branches[0] if len(branches) == 1 else (a.Union(branches, (index,)),)


def lower_values(work: Lowering, index: int, entity: a.Variable) -> tuple[Patterns, ValueReference]:
    """Patterns of a step that yields values, and where the value stands."""
    return _VALUES[work.step(index).signature.name](work, index, entity)


def _query_attribute(work: Lowering, index: int, entity: a.Variable) -> tuple[Patterns, ValueReference]:
    inner = lower_set(work, work.source(index), entity)
    patterns, value = work.layout.attribute(entity, work.binding(index, 0), None, index)
    return (*inner, *patterns), value


def _query_under_condition(work: Lowering, index: int, entity: a.Variable) -> tuple[Patterns, ValueReference]:
    work.require_qualifiers(index)
    fact = work.names.fresh("fact")
    inner = lower_set(work, work.source(index), entity)
    patterns, value = work.layout.attribute(entity, work.binding(index, 0), fact, index)
    more, qualifier = work.layout.qualifier(fact, work.binding(index, 1), index)
    test = _test_any(work, index, qualifier, work.step(index).inputs[2])
    return (*inner, *patterns, *more, *test), value


def _query_attribute_qualifier(
    work: Lowering, index: int, entity: a.Variable
) -> tuple[Patterns, ValueReference]:
    work.require_qualifiers(index)
    fact = work.names.fresh("fact")
    inner = lower_set(work, work.source(index), entity)
    patterns, value = work.layout.attribute(entity, work.binding(index, 0), fact, index)
    test = _test_any(work, index, value, work.step(index).inputs[1])
    more, qualifier = work.layout.qualifier(fact, work.binding(index, 2), index)
    return (*inner, *patterns, *test, *more), qualifier


def _query_relation_qualifier(
    work: Lowering, index: int, entity: a.Variable
) -> tuple[Patterns, ValueReference]:
    work.require_qualifiers(index)
    fact = work.names.fresh("fact")
    tail = work.names.fresh(set_name(work.grounded, work.source(index, 1)))
    inner = (
        *lower_set(work, work.source(index, 0), entity),
        *lower_set(work, work.source(index, 1), tail),
    )
    patterns = work.layout.relation(entity, work.binding(index, 0), tail, fact, index)
    more, qualifier = work.layout.qualifier(fact, work.binding(index, 1), index)
    return (*inner, *patterns, *more), qualifier


_VALUES: dict[str, Callable[[Lowering, int, a.Variable], tuple[Patterns, ValueReference]]] = {
    "QueryAttr": _query_attribute,
    "QueryAttrUnderCondition": _query_under_condition,
    "QueryAttrQualifier": _query_attribute_qualifier,
    "QueryRelationQualifier": _query_relation_qualifier,
}


def _set_of_entities(work: Lowering, index: int, output: Type) -> Lowered:
    """The names of a set: the end of What, and of a program that ends in a set."""
    source = work.source(index) if output == Type.NAMES else index
    entity = work.names.fresh(set_name(work.grounded, source))
    columns, labels = _labelled(work, entity, index)
    return _select(work, index, columns, (*lower_set(work, source, entity), *labels), Type.NAMES)


def _count(work: Lowering, index: int, output: Type) -> Lowered:
    select, number = _counted(work, work.source(index), index)
    return Lowered(select, (Column(number.name, "count", index),), output)


def _counted(work: Lowering, source: int, index: int) -> tuple[a.Select, a.Variable]:
    entity, number = work.names.fresh(set_name(work.grounded, source)), work.names.fresh("count")
    projection = a.Projection(number, a.Call("COUNT DISTINCT", (entity,)))
    return a.Select((projection,), lower_set(work, source, entity), (index,), distinct=False), number


def _values(work: Lowering, index: int, output: Type) -> Lowered:
    """The values themselves; Verify compares them when they are read."""
    source = index if output == Type.VALUES else work.source(index)
    subject = work.source(source)
    entity = work.names.fresh(set_name(work.grounded, subject))
    patterns, value = lower_values(work, source, entity)
    reading = work.layout.read(value, source)
    columns, labels = ((), ()) if is_single(work.grounded, subject) else _labelled(work, entity, source)
    return _select(work, index, (*columns, *reading.columns), (*patterns, *reading.patterns, *labels), output)


def _query_relation(work: Lowering, index: int, output: Type) -> Lowered:
    head, tail = (work.names.fresh(set_name(work.grounded, work.source(index, side))) for side in (0, 1))
    relation = work.names.fresh("relation")
    patterns = (
        *lower_set(work, work.source(index, 0), head),
        *lower_set(work, work.source(index, 1), tail),
        *work.layout.between(head, relation, tail, index),
    )
    return _select(work, index, (Column(relation.name, "relation", index),), patterns, output)


def _select_extreme(work: Lowering, index: int, output: Type) -> Lowered:
    """SelectAmong and SelectBetween: those whose measure is the extreme one of their set."""
    attribute, choice = work.step(index).inputs
    largest = choice in ("largest", "greater")
    measured = work.binding(index, 0).label or attribute
    extreme = work.names.fresh(f"{'largest' if largest else 'smallest'} {measured}")
    entity = work.names.fresh(common_name(work.grounded, index))
    patterns, measure = _measured(work, index, entity)
    inner = _measured(work, index, work.names.fresh(entity.name))
    best, tests = _extreme_of(work, index, extreme, measure, inner, largest)
    condition = tests[0] if len(tests) == 1 else a.Operation("&&", tests)
    columns, labels = _labelled(work, entity, index)
    everything = (*patterns, a.SubSelect(best, (index,)), a.Filter(condition, (index,)), *labels)
    return _select(work, index, (*columns, *measure.shown), everything, output)


def _measured(work: Lowering, index: int, entity: a.Variable) -> tuple[Patterns, Measure]:
    sources = [lower_set(work, source, entity) for source in work.step(index).dependencies]
    members = sources[0] if len(sources) == 1 else (a.Union(tuple(sources), (index,)),)
    patterns, value = work.layout.attribute(entity, work.binding(index, 0), None, index)
    measure = work.layout.measure(value, index)
    return (*members, *patterns, *measure.patterns), measure


def _extreme_of(
    work: Lowering,
    index: int,
    extreme: a.Variable,
    outer: Measure,
    inner: tuple[Patterns, Measure],
    largest: bool,
) -> tuple[a.Select, tuple[a.Expression, ...]]:
    """The subquery that finds the extreme, and the tests by which the outer pattern equals it."""
    patterns, measure = inner
    aggregate = "MAX" if largest else "MIN"
    aggregates = [a.Projection(extreme, a.Call(aggregate, (measure.number,)))]
    tests: list[a.Expression] = [a.Operation("=", (outer.number, extreme))]
    if measure.has_day and measure.day and outer.has_day and outer.day:
        day = work.names.fresh(f"{extreme.name} day")
        key = a.Call("IF", (measure.has_day, measure.day, _no_day(measure.number, largest)))
        aggregates.append(a.Projection(day, a.Call(aggregate, (key,))))
        no_day = a.Call("!", (outer.has_day,))
        tests.append(a.Operation("||", (no_day, a.Operation("=", (outer.day, day)))))
    if measure.unit is None or outer.unit is None:
        return a.Select(tuple(aggregates), patterns, (index,), distinct=False), tuple(tests)
    tests.append(a.Operation("=", (outer.unit, measure.unit)))
    return _in_commonest_unit(work, tuple(aggregates), patterns, measure, index), tuple(tests)


def _no_day(year: a.Expression, largest: bool) -> a.Expression:
    """A day's key that loses against every day of the year."""
    bound = year if largest else a.Operation("+", (year, number_literal(1)))
    return a.Operation("*", (bound, number_literal(10_000)))


def _in_commonest_unit(
    work: Lowering, aggregates: tuple[a.Projection, ...], patterns: Patterns, measure: Measure, index: int
) -> a.Select:
    """The extreme in the unit that most values have; the alphabetically first of equally common ones."""
    assert measure.unit is not None
    assert measure.counted is not None
    number = work.names.fresh("values")
    counted = a.Projection(number, a.Call("COUNT DISTINCT", (measure.counted,)))
    return a.Select(
        (a.Projection(measure.unit), counted, *aggregates),
        patterns,
        (index,),
        distinct=False,
        group_by=(measure.unit,),
        order_by=(a.Ordering(number, descending=True), a.Ordering(measure.unit)),
        limit=1,
    )


def _labelled(work: Lowering, entity: a.Variable, index: int) -> tuple[tuple[Column, ...], Patterns]:
    label = work.names.fresh(f"{entity.name} label")
    patterns = a.Optional(work.layout.label(entity, label, index), (index,))
    return (Column(entity.name, "entity", index), Column(label.name, "label", index)), (patterns,)


def _select(
    work: Lowering, index: int, columns: tuple[Column, ...], patterns: Patterns, output: Type
) -> Lowered:
    projections = tuple(a.Projection(a.Variable(column.name)) for column in columns)
    return Lowered(a.Select(projections, patterns, (index,), limit=work.options.limit), columns, output)


_SINKS: dict[str, Callable[[Lowering, int, Type], Lowered]] = {
    "What": _set_of_entities,
    "Count": _count,
    "QueryRelation": _query_relation,
    "SelectAmong": _select_extreme,
    "SelectBetween": _select_extreme,
    **dict.fromkeys(_VALUES, _values),
    **dict.fromkeys(("VerifyStr", "VerifyNum", "VerifyYear", "VerifyDate"), _values),
}
