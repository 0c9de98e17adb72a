"""Ways, shapes and numbers, read off the results of a program's steps: what the extensions have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compilers.kopl.evaluation import Call, Item
from compilers.kopl.functions import Type, ValueType
from compilers.kopl.graph import Fact
from compilers.kopl.program import Program, Step
from compilers.kopl.shapes import (
    NUMBER,
    Shape,
    calculate,
    calculated_shape,
    compares,
    order_key,
    shape_of_values,
    shaped,
)
from compilers.kopl.tables import is_aggregated, is_number, subject_of
from compilers.kopl.values import Quantity, Value, rounded
from compilers.kopl.ways import NO_CHOICE, Way, Ways, begins_line, joined, onward

_MEASURING = ("Sum", "Average", "Minimum", "Maximum")


@dataclass(frozen=True, slots=True)
class Reader:
    """What the steps before a call have given, as ways through them and as numbers."""

    call: Call

    @property
    def program(self) -> Program:
        """The program that is run."""
        return self.call.program

    def step(self, index: int) -> Step:
        """One of its steps."""
        return self.program.steps[index]

    def ways(self, step: int) -> Ways:
        """All ways to a step; a number has none of its own."""
        call = self.step(step)
        if call.function == "Calculate":
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
        """The shape of a step's values; None where nothing can be calculated."""
        call = self.step(step)
        if call.function == "Calculate":
            first, second = (self.shape(source) for source in call.dependencies)
            return calculated_shape(call.inputs[0], first, second) if first and second else None
        if call.function in _MEASURING:
            return self.shape(call.dependencies[0])
        return NUMBER if call.signature.output == Type.NUMBER else shape_of_values(self._held(call))

    def _held(self, call: Step) -> Iterator[Value]:
        """Every value that the graph holds for the attribute or qualifier that a step reads."""
        graph = self.call.graph
        if call.function in ("QueryAttr", "QueryAttrUnderCondition"):
            return (fact.value for fact in graph.by_attribute.get(call.inputs[0], ()))
        facts: tuple[Fact, ...] = (*graph.attributes, *graph.relations)
        return (value for fact in facts for key, value in fact.qualifiers if key == call.inputs[-1])

    def operand(self, step: int, way: Way) -> Value | None:
        """The value of a step in a way, in the step's shape; a number is taken over its whole set."""
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
        first, second = operands
        shapes = tuple(self.shape(source) for source in self.step(step).dependencies)
        if first is None or second is None or shapes[0] is None or shapes[1] is None:
            return ()
        result = calculate(self.step(step).inputs[0], first, second, (shapes[0], shapes[1]))
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
        """A number, taken over its whole set."""
        call = self.step(step)
        if call.function == "Calculate":
            return next(iter(self._result(step, [self.whole(source) for source in call.dependencies])), None)
        result = self.call.results[step]
        return result.values[0] if result.values else None

    def number(self, step: int, ways: Iterable[Way]) -> Value | None:
        """A number, taken over these ways."""
        call, taken = self.step(step), tuple(ways)
        if call.function == "Calculate":
            operands = [
                self.number(s, taken) if is_aggregated(self.program, s) else self.operand(s, taken[0])
                for s in call.dependencies
            ]
            return next(iter(self._result(step, operands)), None)
        if call.function == "CountTable":
            return self.whole(step)
        items = [way[call.dependencies[0]] for way in taken]
        if call.function not in _MEASURING:
            return Quantity(float(len(set(items))))
        return self._measured(step, items)

    def _measured(self, step: int, items: Iterable[Item]) -> Value | None:
        call, shape = self.step(step), self.shape(step)
        if shape is None:
            return None
        held = [v for item in items if not isinstance(item, str) and (v := shaped(item, shape)) is not None]
        if call.function in ("Minimum", "Maximum") and shape.type != ValueType.STRING:
            pick = min if call.function == "Minimum" else max
            return pick(held, key=order_key) if held else None
        numbers = [value.number for value in held if isinstance(value, Quantity)]
        if call.function == "Sum" and shape.type == ValueType.QUANTITY:
            return Quantity(rounded(sum(numbers)), shape.unit)
        return (
            Quantity(rounded(sum(numbers) / len(numbers)), shape.unit)
            if numbers and call.function == "Average"
            else None
        )

    def sources(self, step: int) -> tuple[int, ...]:
        """The steps that a number is taken over."""
        call = self.step(step)
        if not is_aggregated(self.program, step) or call.function == "CountTable":
            return ()
        if call.function == "Calculate":
            return tuple(source for operand in call.dependencies for source in self.sources(operand))
        return call.dependencies

    def measured_sources(self, step: int) -> tuple[int, ...]:
        """The steps of values that a number measures: a way takes part only where each has its shape."""
        call = self.step(step)
        if call.function == "Calculate":
            return tuple(source for operand in call.dependencies for source in self.measured_sources(operand))
        return call.dependencies if call.function in _MEASURING else ()
