"""Values that a program compares, in the words, the types and the units of the graph.

What a name is bound to says how the graph states its values; each change is reported by a warning.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from compilers.grounded import Binding
from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Program, Step
from compilers.kopl.values import NO_UNIT, Quantity, value_or_none
from nlq_gateway.core.truths import truth_of
from nlq_gateway.index import Index
from nlq_gateway.index.units import ASKING, in_own_units
from nlq_gateway.language.wording.english import unit_after
from nlq_gateway.trace import Warning

Place = tuple[int, int]

_OF_TEXTS = {"FilterStr": "FilterNum", "QFilterStr": "QFilterNum", "VerifyStr": "VerifyNum"}
_BY_NUMBER = {"FilterYear": "FilterNum", "QFilterYear": "QFilterNum", "VerifyYear": "VerifyNum"}
# Verdicts on numbers take years, too.
_BY_YEAR = {"FilterNum": "FilterYear", "QFilterNum": "QFilterYear"}
_BY_TEXT = {"FilterYear": "FilterStr", "QFilterYear": "QFilterStr", "VerifyYear": "VerifyStr"}
_OF_TIMES = frozenset({*_BY_NUMBER, "FilterDate", "QFilterDate", "VerifyDate"})


@dataclass(frozen=True, slots=True)
class ComparedValues:
    """Rewrites the values of one program; `warnings` takes what is changed."""

    index: Index
    bound: Mapping[Place, Binding]
    warnings: list[Warning]

    def by_year(self, program: Program) -> Program:
        """The program with a year in the place of a number where the graph states years or dates."""
        steps = list(program.steps)
        for at, step in enumerate(steps):
            bound = self._compared(steps, at) if step.function in _BY_YEAR else None
            types = set(bound.value_types) if bound is not None else set()
            if bound is None or ValueType.QUANTITY in types or not types & {ValueType.YEAR, ValueType.DATE}:
                continue
            if value_or_none(step.inputs[1], ValueType.YEAR) is not None:
                steps[at] = replace(step, function=_BY_YEAR[step.function])
                self._warn("number-as-year", f"step {at + 1}: the graph states “{bound.label}” as a time")
        return Program(tuple(steps))

    def by_type(self, program: Program) -> Program:
        """The program with a number, or a text, in the place of a year where the graph states years so."""
        steps = list(program.steps)
        for at, step in enumerate(steps):
            bound = self._compared(steps, at) if step.function in _OF_TIMES else None
            if bound is None:
                continue
            told = f"step {at + 1}: the graph states “{bound.label}” as"
            types, is_year = set(bound.value_types), step.function in _BY_NUMBER
            if is_year and {ValueType.QUANTITY} <= types <= {ValueType.QUANTITY, ValueType.STRING}:
                steps[at] = replace(step, function=_BY_NUMBER[step.function])
                self._warn("year-as-number", f"{told} a number")
            if is_year and types == {ValueType.STRING} and step.inputs[-1] == "=":
                steps[at] = replace(step, function=_BY_TEXT[step.function], inputs=step.inputs[:-1])
                self._warn("year-as-text", f"{told} a text")
            elif self._has_texts(bound):
                self._warn(
                    "texts-not-compared", f"step {at + 1}: “{bound.label}” has texts, which are not compared"
                )
        return Program(tuple(steps))

    def _has_texts(self, bound: Binding) -> bool:
        """True if values are texts that the query does not cast to a number or date."""
        items = [
            one for kind in (Kind.ATTRIBUTE, Kind.QUALIFIER) for one in self.index.items(kind, bound.iris)
        ]
        return any(ValueType.STRING in item.value_types and not item.typed_texts for item in items)

    def as_written(self, program: Program) -> Program:
        """The program with each text said and spelled as in the graph, where its attribute has it only so."""
        steps = list(program.steps)
        for at, step in enumerate(steps):
            bound = self._compared(steps, at) if step.function in _OF_TEXTS else None
            held = self._held(step.inputs[-1], bound) if bound is not None else ""
            if bound is None or held == step.inputs[-1]:
                continue
            told = f"no text {step.inputs[-1]!r} of “{bound.label}” here; took {held!r}"
            self._warn("name-replaced", f"step {at + 1}: {told}")
            steps[at] = replace(step, inputs=(*step.inputs[:-1], held))
            if bound.value_types == (ValueType.QUANTITY,):
                steps[at] = replace(
                    steps[at], function=_OF_TEXTS[step.function], inputs=(*steps[at].inputs, "=")
                )
        return Program(tuple(steps))

    def _held(self, text: str, bound: Binding) -> str:
        """A text as the graph says and spells it."""
        truths = {item.truths for item in self.index.items(Kind.ATTRIBUTE, bound.iris)}
        if len(truths) == 1 and (pair := truths.pop()):
            text = truth_of(text, pair)
        known = self.index.texts.complete.issuperset(bound.iris)
        return self.index.texts.spelling_of(text, set(bound.iris)) if known else text

    def _compared(self, steps: Sequence[Step], at: int) -> Binding | None:
        """What a step compares: the attribute or qualifier that it names, or that its input asks for."""
        asked = next(iter(steps[at].dependencies), at)
        return self.bound.get((at, 0)) or self.bound.get((asked, ASKING.get(steps[asked].function, -1)))

    def with_units(self, program: Program, kinds: Mapping[Place, Kind], chosen: Container[Place]) -> Program:
        """The program with the unit and the scale of the graph for each number compared with a quantity.

        An author who has chosen the attribute knows its scale, which its name says.
        """
        found = (
            (place, one, self.index.item(kinds[place], one.iris[0]))
            for place, one in self.bound.items()
            if one.value_types
        )
        items = {
            place: replace(item, units=one.units, label="" if place in chosen else item.label)
            for place, one, item in found
            if item is not None
        }
        measured = Program(tuple(in_own_units(program.steps, items)))
        for number, (before, after) in enumerate(zip(program.steps, measured.steps, strict=True), 1):
            for text, stated in zip(before.inputs, after.inputs, strict=True):
                spelled = " " in text and text.split()[0] == stated.split()[0]
                if text != stated and not spelled:
                    why = "has no unit" if " " in stated and " " not in text else "is in another scale"
                    amount, _, unit = stated.partition(" ")
                    taken = f"{amount} {unit_after(amount, unit)}" if unit else amount
                    self._warn("unit-added", f"step {number}: {text} {why}; took {taken}")
        return measured

    def report_idle_units(self, program: Program) -> None:
        """Warn of units of numbers that are compared with an attribute without a unit."""
        for at, step in enumerate(program.steps):
            bound = self._compared(program.steps, at)
            if bound is None or bound.units or ValueType.QUANTITY not in bound.value_types:
                continue
            told = f"the graph states no unit for “{bound.label}”"
            for parameter, text in zip(step.signature.parameters, step.inputs, strict=False):
                number = value_or_none(text, ValueType.QUANTITY) if parameter.kind == Kind.VALUE else None
                if isinstance(number, Quantity) and number.unit != NO_UNIT:
                    self._warn("unit-ignored", f"step {at + 1}: {told}, so “{number.unit}” was not compared")

    def _warn(self, code: str, message: str) -> None:
        self.warnings.append(Warning(code, message))
