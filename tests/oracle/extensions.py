"""The meaning of the extensions, over a small graph in memory (docs/extensions.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from compilers.closures import reached
from compilers.kopl.decide import Verdict
from compilers.kopl.functions import Type
from compilers.kopl.shapes import Shape, order_key
from compilers.kopl.tables import (
    columns_of,
    is_aggregated,
    is_number,
    leaves_of,
    subject_of,
    taken_apart,
)
from compilers.kopl.values import (
    CONTAINS,
    Quantity,
    String,
    Value,
    compare,
    parse_quantity,
    percent_in,
    value_or_none,
)
from tests.oracle.calculation import compares, shape_of_values, shaped
from tests.oracle.evaluation import Cell, Item, StepContext, StepResult, values_of
from tests.oracle.graph import RelationFact
from tests.oracle.reader import InputReader
from tests.oracle.ways import Way, Ways, joined


def _except(call: StepContext) -> StepResult:
    return call.set_of(call.entities(0) - call.entities(1))


def _filter_has_attribute(call: StepContext) -> StepResult:
    return call.facts_of((fact.entity, fact) for fact in call.attribute_facts())


def _filter_has_relation(call: StepContext) -> StepResult:
    relation, direction = call.arguments
    facts = call.graph.by_relation.get(relation, frozenset())
    near = ((fact.source if direction == "forward" else fact.target, fact) for fact in facts)
    return call.facts_of((entity, fact) for entity, fact in near if entity in call.entities())


def _relate_transitive(call: StepContext) -> StepResult:
    relation, direction = call.arguments
    onward: dict[str, set[str]] = {}
    for fact in call.graph.by_relation.get(relation, ()):
        ends = (fact.source, fact.target) if direction == "forward" else (fact.target, fact.source)
        onward.setdefault(ends[0], set()).add(ends[1])
    pairs = [(start, end) for start in call.entities() for end in reached(onward, start)]
    links = ((s, e) if direction == "forward" else (e, s) for s, e in pairs)
    facts = (RelationFact(source, relation, target) for source, target in links)
    led = call.facts_of((end, fact) for (_, end), fact in zip(pairs, facts, strict=True))
    return replace(led, kind=Type.ENTITIES)


def _filter_contains(call: StepContext) -> StepResult:
    part = String(call.arguments[1])
    held = ((fact.entity, fact) for fact in call.attribute_facts() if compare(fact.value, CONTAINS, part))
    return call.facts_of(held)


def _filter_name_contains(call: StepContext) -> StepResult:
    part = String(call.arguments[0])
    names = ((entity, String(call.graph.name(entity))) for entity in call.entities())
    return call.set_of(entity for entity, name in names if compare(name, CONTAINS, part))


def _filter_compare(call: StepContext) -> StepResult:
    return call.set_of(str(way[call.index]) for way in InputReader(call).compared(call.index))


def _filter_count(call: StepContext) -> StepResult:
    first, second = call.step.dependencies
    reader = InputReader(call)
    pairs = reader.ways(first).join(reader.ways(second)).only(dict.fromkeys((first, second)))
    together = {str(way[first]): 0 for way in pairs}
    for way in pairs:
        together[str(way[first])] += 1
    wanted, comparison = Quantity(float(call.arguments[0])), call.arguments[1]
    return call.set_of(
        entity for entity, count in together.items() if compare(Quantity(float(count)), comparison, wanted)
    )


def _filter_aggregate(call: StepContext) -> StepResult:
    """Aggregates over the joined ways of the two lines, as a Table takes a number beside a set's members."""
    first, second = call.step.dependencies
    aggregate, text, comparison = call.arguments
    reader = InputReader(call)
    target = _target(text, reader.shape(second))
    groups: dict[str, list[Item]] = {}
    for way in reader.ways(first).join(reader.ways(second)):
        if reader.operand(second, way) is not None:
            groups.setdefault(str(way[first]), []).append(way[second])
    taken = {entity: reader.measured(aggregate.title(), second, items) for entity, items in groups.items()}
    return call.set_of(
        entity
        for entity, value in taken.items()
        if value is not None and target is not None and compares(value, comparison, target)
    )


def _ranked(call: StepContext) -> list[tuple[str, object]]:
    """The members that have the attribute, each with the key of its extreme value, in order."""
    attribute, extreme = call.arguments[:2]
    shape = shape_of_values(fact.value for fact in call.graph.by_attribute.get(attribute, ()))
    keys: dict[str, list[object]] = {}
    for fact in call.attribute_facts():
        value = shaped(fact.value, shape)
        if value is not None:
            keys.setdefault(fact.entity, []).append(order_key(value))
    pick = max if extreme == "largest" else min
    best = ((entity, pick(held)) for entity, held in keys.items())  # type: ignore[type-var]
    return sorted(best, key=lambda pair: pair[1], reverse=extreme == "largest")  # type: ignore[arg-type, return-value]


def _placed(places: Callable[[StepContext, int], tuple[int, int]]) -> Callable[[StepContext], StepResult]:
    """A function that keeps the members from place to place (from 1) by `places(call, number of members)`."""

    def meaning(call: StepContext) -> StepResult:
        ranked = _ranked(call)
        first, last = places(call, len(ranked))
        bounds = [key for _, key in ranked[first - 1 : last]]
        return call.set_of(entity for entity, key in ranked if key in bounds)

    return meaning


def _share(call: StepContext, members: int) -> tuple[int, int]:
    """The places of a share of the members, rounded up."""
    return 1, _part(members, int(call.arguments[2]))


def _part(whole: int, percent: int) -> int:
    return -(-whole * percent // 100)


def _select_top_by(call: StepContext) -> StepResult:
    first, second = call.step.dependencies
    extreme, wanted = call.arguments[0], int(call.arguments[1])
    reader = InputReader(call)
    held: dict[str, list[Any]] = {}
    for way in reader.ways(first).join(reader.ways(second)):
        value = reader.operand(second, way)
        if value is not None:
            held.setdefault(str(way[first]), []).append(order_key(value))
    pick = max if extreme == "largest" else min
    best = {entity: pick(keys) for entity, keys in held.items()}
    bounds = sorted(best.values(), reverse=extreme == "largest")[:wanted]
    return call.set_of(entity for entity, key in best.items() if key in bounds)


def _exists(call: StepContext) -> StepResult:
    verdict = Verdict.YES if call.entities() else Verdict.NO
    return StepResult(Type.VERDICT, answers=(verdict.value,))


def _number_result(value: Value | None) -> StepResult:
    values = () if value is None else (value,)
    return StepResult(Type.NUMBER, values=values, answers=tuple(map(str, values)))


def _number(call: StepContext) -> StepResult:
    """An aggregate of the whole input; each source item counts once."""
    reader = InputReader(call)
    source = call.step.dependencies[0]
    ways = reader.ways(source)
    return _number_result(reader.number(call.index, ways.only({*leaves_of(call.program, source), source})))


def _calculate(call: StepContext) -> StepResult:
    reader = InputReader(call)
    if is_number(call.program, call.index):
        value = reader.whole(call.index)
        return values_of(() if value is None else [("", value)])
    subject = subject_of(call.program, call.index)
    assert subject is not None
    found = ((way[subject], way[call.index]) for way in reader.ways(call.index))
    return values_of((str(entity), value) for entity, value in found if not isinstance(value, str))


def _rows(call: StepContext, rows: Iterable[tuple[Cell, ...]]) -> StepResult:
    kept = tuple(rows)
    return StepResult(Type.ROWS, rows=kept, answers=tuple("\t".join(_texts(call, row)) for row in kept))


def _texts(call: StepContext, row: tuple[Cell, ...]) -> Iterator[str]:
    for cell in row:
        yield "" if cell is None else call.graph.name(cell) if isinstance(cell, str) else str(cell)


def _table(call: StepContext) -> StepResult:
    reader, columns = InputReader(call), call.step.dependencies
    numbers = [c for c in columns if is_aggregated(call.program, c)]
    keys = [c for c in columns if c not in numbers]
    if not keys:
        return _rows(call, [tuple(reader.whole(column) for column in columns)])
    if not numbers:
        ways = joined(map(reader.ways, keys))
        return _rows(call, (tuple(way[column] for column in columns) for way in ways))
    apart = taken_apart(call.program, call.index)
    operands = dict.fromkeys(operand for number in numbers for operand in reader.operands(number))
    groups = _groups(reader, keys, [operand for operand in operands if operand not in apart])
    own = {operand: _groups(reader, keys, [operand]) for operand in apart}
    whole = (key for key in groups if all(key in other for other in own.values()))
    taken = ((groups[key], {operand: other[key] for operand, other in own.items()}) for key in whole)
    return _rows(call, (tuple(_cells(reader, columns, *ways)) for ways in taken))


def _groups(reader: InputReader, keys: list[int], operands: list[int]) -> dict[tuple[Item, ...], list[Way]]:
    """The ways through the keys and what some numbers are taken over, by the items of the keys."""
    ways = joined(map(reader.ways, (*keys, *(one for o in operands for one in reader.sources(o)))))
    measured = {step for operand in operands for step in reader.measured_sources(operand)}
    groups: dict[tuple[Item, ...], list[Way]] = {}
    for way in ways.where(lambda way: all(reader.operand(step, way) is not None for step in measured)):
        groups.setdefault(tuple(way[key] for key in keys), []).append(way)
    return groups


def _optional_table(call: StepContext) -> StepResult:
    reader, columns = InputReader(call), call.step.dependencies
    found: list[Mapping[int, Cell]] = list(reader.ways(columns[0]))
    for column in columns[1:]:
        found = list(_beside(found, reader.ways(column)))
    return _rows(call, (tuple(way[column] for column in columns) for way in found))


def _beside(ways: Iterable[Mapping[int, Cell]], others: Ways) -> Iterator[Mapping[int, Cell]]:
    """Each way joined with the other ways that go on from it, or with None for their steps if none does."""
    for way in ways:
        shared = [step for step in others.steps if step in way]
        fitting = [other for other in others if all(other[step] == way[step] for step in shared)]
        none: Mapping[int, Cell] = dict.fromkeys({*others.steps} - {*shared})
        yield from ({**way, **other} for other in fitting) if fitting else ({**way, **none},)


def _cells(
    reader: InputReader, columns: Iterable[int], group: list[Way], own: Mapping[int, list[Way]]
) -> Iterator[Cell]:
    for column in columns:
        yield reader.number(column, group, own) if is_aggregated(reader.program, column) else group[0][column]


def _column(call: StepContext) -> tuple[int, Shape | None]:
    """The index (from 0) of the column that a step names, and the shape of its values."""
    number = int(call.arguments[0]) - 1
    source = columns_of(call.program, call.step.dependencies[0])[number].step
    reader = InputReader(call)
    sets = (Type.ENTITIES, Type.FACTS)
    return number, None if call.program.steps[source].signature.output in sets else reader.shape(source)


def _filter_table(call: StepContext) -> StepResult:
    column, shape = _column(call)
    _, text, comparison = call.arguments
    target = _target(text, shape)
    kept = (
        row
        for row in call.fed[0].rows
        if target is not None
        and isinstance(cell := row[column], Value)
        and compares(cell, comparison, target)
    )
    return _rows(call, kept)


def _target(text: str, shape: Shape | None) -> Value | None:
    """The text read as a value of the column's type, or None if it is none."""
    return value_or_none(text, shape.type) if shape else None


def _sort_table(call: StepContext) -> StepResult:
    """The rows in order; cells without a sort key come first, or last where the order descends."""
    column, shape = _column(call)

    def place(row: tuple[Cell, ...]) -> tuple[bool, Any]:
        value = _orderable(call, row[column], shape)
        return (value is not None, None if value is None else order_key(value))

    descending = call.arguments[1] == "descending"
    return _rows(call, sorted(call.fed[0].rows, key=place, reverse=descending))


def _orderable(call: StepContext, cell: Cell, shape: Shape | None) -> Value | None:
    if isinstance(cell, str):
        return String(call.graph.name(cell)) if shape is None else None
    return shaped(cell, shape) if cell is not None and shape is not None else None


def _limit_table(call: StepContext) -> StepResult:
    return _rows(call, call.fed[0].rows[: _so_many(call)])


def _skip_table(call: StepContext) -> StepResult:
    return _rows(call, call.fed[0].rows[_so_many(call) :])


def _so_many(call: StepContext) -> int:
    """The number of rows that a step names; a share is rounded up."""
    percent = percent_in(call.arguments[0])
    return int(call.arguments[0]) if percent is None else _part(len(call.fed[0].rows), percent)


def _drop_column(call: StepContext) -> StepResult:
    column = int(call.arguments[0]) - 1
    return _rows(call, ((*row[:column], *row[column + 1 :]) for row in call.fed[0].rows))


def _distinct_table(call: StepContext) -> StepResult:
    return _rows(call, dict.fromkeys(call.fed[0].rows))


def _count_table(call: StepContext) -> StepResult:
    return _number_result(Quantity(float(len(call.fed[0].rows))))


_Table = dict[tuple[Cell, ...], None]


def _combination(
    combine: Callable[[_Table, _Table], Iterable[tuple[Cell, ...]]],
) -> Callable[[StepContext], StepResult]:
    def meaning(call: StepContext) -> StepResult:
        first, second = (dict.fromkeys(fed.rows) for fed in call.fed)
        return _rows(call, combine(first, second))

    return meaning


EXTENSIONS: dict[str, Callable[[StepContext], StepResult]] = {
    "Except": _except,
    "FilterHasAttr": _filter_has_attribute,
    "FilterHasRelation": _filter_has_relation,
    "RelateTransitive": _relate_transitive,
    "FilterContains": _filter_contains,
    "FilterNameContains": _filter_name_contains,
    "FilterCompare": _filter_compare,
    "FilterCount": _filter_count,
    "FilterAggregate": _filter_aggregate,
    "SelectTop": _placed(lambda call, _: (1, int(call.arguments[2]))),
    "SelectNth": _placed(lambda call, _: (int(call.arguments[2]), int(call.arguments[2]))),
    "SelectPlaces": _placed(lambda call, _: (int(call.arguments[2]), int(call.arguments[3]))),
    "SelectShare": _placed(_share),
    "SelectTopBy": _select_top_by,
    "Exists": _exists,
    "Sum": _number,
    "Average": _number,
    "Minimum": _number,
    "Maximum": _number,
    "CountValues": _number,
    "Calculate": _calculate,
    "Number": lambda call: _number_result(parse_quantity(call.arguments[0])),
    "Round": _calculate,
    "Period": _calculate,
    "Table": _table,
    "OptionalTable": _optional_table,
    "FilterTable": _filter_table,
    "SortTable": _sort_table,
    "LimitTable": _limit_table,
    "SkipTable": _skip_table,
    "DropColumn": _drop_column,
    "DistinctTable": _distinct_table,
    "CountTable": _count_table,
    "AndTable": _combination(lambda first, second: (row for row in first if row in second)),
    "OrTable": _combination(lambda first, second: {**first, **second}),
    "ExceptTable": _combination(lambda first, second: (row for row in first if row not in second)),
}
