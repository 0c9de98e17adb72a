"""Ways, shapes and numbers, read from the results of a program's steps; shared by the extensions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import filterfalse

from compilers.kopl.functions import CALCULATING, Type, ValueType
from compilers.kopl.program import Program, Step
from compilers.kopl.shapes import NUMBER, Shape, calculated_shape, order_key, period_shape
from compilers.kopl.tables import (
    begins_line,
    is_aggregated,
    is_calculated_number,
    is_number,
    operands_of,
    reached,
    stands_alone,
    subject_of,
)
from compilers.kopl.values import Quantity, Value, parse_quantity, rounded
from tests.oracle.calculation import calculate, compares, in_period, round_to, shape_of_values, shaped
from tests.oracle.evaluation import Item, StepContext
from tests.oracle.graph import Fact
from tests.oracle.ways import NO_CHOICE, Way, Ways, joined, onward

NO_OTHERS: Mapping[int, Iterable[Way]] = {}
_MEASURING = ("Sum", "Average", "Minimum", "Maximum")


@dataclass(frozen=True, slots=True)
class InputReader:
    """The results of the steps before a call, as ways through them and as numbers.

    Ways and shapes are computed once per step.
    """

    call: StepContext
    _ways: dict[int, Ways] = field(default_factory=dict)
    _shapes: dict[int, Shape | None] = field(default_factory=dict)

    @property
    def program(self) -> Program:
        """The program that is run."""
        return self.call.program

    def step(self, index: int) -> Step:
        """One of its steps."""
        return self.program.steps[index]

    def ways(self, step: int) -> Ways:
        """All ways to a step; a number has none of its own."""
        if step not in self._ways:
            self._ways[step] = self._ways_to(step)
        return self._ways[step]

    def _ways_to(self, step: int) -> Ways:
        call = self.step(step)
        if call.function in CALCULATING:
            return self._calculated(step)
        if call.function == "FilterCompare":
            return self.compared(step)
        if call.signature.output == Type.NUMBER:
            return NO_CHOICE
        if begins_line(self.program, step):
            return Ways((step,), frozenset((entity,) for entity in self.call.results[step].entities))
        before = self.ways(call.dependencies[0])
        return before.extended(step, onward(self.program, self.call.results, step))

    def shape(self, step: int) -> Shape | None:
        """The shape of a step's values; None where they cannot be calculated with."""
        if step not in self._shapes:
            self._shapes[step] = self._shape_of(step)
        return self._shapes[step]

    def _shape_of(self, step: int) -> Shape | None:
        call = self.step(step)
        if call.function == "Calculate":
            first, second = (self.shape(source) for source in call.dependencies)
            return calculated_shape(call.inputs[0], first, second) if first and second else None
        if call.function == "Period":
            of = self.shape(call.dependencies[0])
            return period_shape(call.inputs[0], of) if of else None
        if call.function in (*_MEASURING, "Round"):
            return self.shape(call.dependencies[0])
        if call.function == "Number":
            return Shape(ValueType.QUANTITY, parse_quantity(call.inputs[0]).unit)
        return NUMBER if call.signature.output == Type.NUMBER else shape_of_values(self._held(call))

    def _held(self, call: Step) -> Iterator[Value]:
        """Every value that the graph holds for the attribute or qualifier that a step reads."""
        graph = self.call.graph
        if call.function in ("QueryAttr", "QueryAttrUnderCondition"):
            return (fact.value for fact in graph.by_attribute.get(call.inputs[0], ()))
        facts: tuple[Fact, ...] = (*graph.attributes, *graph.relations)
        return (value for fact in facts for key, value in fact.qualifiers if key == call.inputs[-1])

    def operand(self, step: int, way: Way) -> Value | None:
        """The value of a step in a way, in the step's shape; a number is aggregated over its whole set."""
        if is_number(self.program, step):
            return self.whole(step)
        item, shape = way[step], self.shape(step)
        return shaped(item, shape) if shape and not isinstance(item, str) else None

    def _calculated(self, step: int) -> Ways:
        sources = self.step(step).dependencies
        together = joined(self.ways(s) for s in sources if not is_number(self.program, s))
        return together.extended(
            step, lambda way: self._result(step, [self.operand(s, way) for s in sources])
        )

    def _result(self, step: int, operands: list[Value | None]) -> Iterable[Value]:
        call = self.step(step)
        if call.function == "Period":
            part = None if operands[0] is None else in_period(operands[0], call.inputs[0])
            return () if part is None else (part,)
        if call.function == "Round":
            result = None if operands[0] is None else round_to(operands[0], int(call.inputs[0]))
            return () if result is None else (result,)
        first, second = operands
        shapes = tuple(self.shape(source) for source in call.dependencies)
        if first is None or second is None or shapes[0] is None or shapes[1] is None:
            return ()
        result = calculate(call.inputs[0], first, second, (shapes[0], shapes[1]))
        return () if result is None else (result,)

    def compared(self, step: int) -> Ways:
        """The ways of FilterCompare: those of both values in which the comparison holds."""
        first, second = self.step(step).dependencies
        subject = subject_of(self.program, first)
        if subject is None:
            return Ways((step,), frozenset())
        comparison = self.step(step).inputs[0]
        together = joined(self.ways(s) for s in (first, second) if not is_number(self.program, s))

        def holds(way: Way) -> bool:
            value, other = self.operand(first, way), self.operand(second, way)
            return value is not None and other is not None and compares(value, comparison, other)

        return together.where(holds).extended(step, lambda way: (way[subject],))

    def whole(self, step: int) -> Value | None:
        """A number, aggregated over its whole set; the call's own comes from the results before it."""
        if step == self.call.index:
            operands = [self.whole(source) for source in self.step(step).dependencies]
            return next(iter(self._result(step, operands)), None)
        result = self.call.results[step]
        return result.values[0] if result.values else None

    def number(
        self, step: int, ways: Iterable[Way], own: Mapping[int, Iterable[Way]] = NO_OTHERS
    ) -> Value | None:
        """A number, taken over these ways, but its operands in `own` over those there."""
        taken, found = tuple(ways), dict[int, Value | None]()
        calculated = partial(is_calculated_number, self.program)
        for part in sorted(reached(self.program, step, calculated)):
            if calculated(part):
                operands = [found[source] for source in self.step(part).dependencies]
                found[part] = next(iter(self._result(part, operands)), None)
            else:
                found[part] = self._taken_over(part, tuple(own.get(part, taken)))
        return found[step]

    def _taken_over(self, step: int, taken: tuple[Way, ...]) -> Value | None:
        """An uncalculated number over ways, or a value that all of them share."""
        call = self.step(step)
        if not is_aggregated(self.program, step):
            return self.operand(step, taken[0])
        if call.function in ("CountTable", "Number") or stands_alone(self.program, self.call.index, step):
            return self.whole(step)
        items = [way[call.dependencies[0]] for way in taken]
        if call.function not in _MEASURING:
            return Quantity(float(len(set(items))))
        return self.measured(call.function, step, items)

    def measured(self, function: str, step: int, items: Iterable[Item]) -> Value | None:
        """Sum, Average, Minimum or Maximum of items in the shape of a step; None for no items."""
        shape = self.shape(step)
        if shape is None:
            return None
        held = [v for item in items if not isinstance(item, str) and (v := shaped(item, shape)) is not None]
        if function in ("Minimum", "Maximum") and shape.type != ValueType.STRING:
            pick = min if function == "Minimum" else max
            return pick(held, key=order_key) if held else None
        numbers = [value.number for value in held if isinstance(value, Quantity)]
        if function == "Sum" and shape.type == ValueType.QUANTITY:
            return Quantity(rounded(sum(numbers)), shape.unit)
        return (
            Quantity(rounded(sum(numbers) / len(numbers)), shape.unit)
            if numbers and function == "Average"
            else None
        )

    def sources(self, operand: int) -> tuple[int, ...]:
        """The steps that an uncalculated number is taken over."""
        call = self.step(operand)
        of_ways = call.signature.output == Type.NUMBER and call.function != "CountTable"
        return call.dependencies if of_ways else ()

    def measured_sources(self, operand: int) -> tuple[int, ...]:
        """The steps of values that a number measures: a way takes part only where each has its shape."""
        call = self.step(operand)
        return call.dependencies if call.function in _MEASURING else ()

    def operands(self, step: int) -> Iterator[int]:
        """The operands that a table takes over each of its groups."""
        grouped = partial(stands_alone, self.program, self.call.index)
        return filterfalse(grouped, operands_of(self.program, step))
