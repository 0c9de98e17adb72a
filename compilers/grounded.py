"""Grounded programs: what every name in a program stands for in one graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from compilers.iris import local_name
from compilers.kopl.functions import ValueType
from compilers.kopl.program import Program
from compilers.kopl.units import convertible
from compilers.kopl.values import NO_UNIT, Quantity, parse_value

NO_BINDINGS: Mapping[tuple[int, int], Binding] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Binding:
    """The IRIs that one argument stands for; several when a name is shared and all are meant.

    For concepts `subconcepts` lists what is below them; for attributes and qualifiers `value_types` (the
    commonest first) and `units` say what the graph holds (empty: not known, every form is provided for).
    For relations and attributes `subject` and `object` are the names of the concepts at their ends, where
    they have one. `size` is how many facts an entity is in, or how many members a concept has (0: not known).
    `reached` is what a relation of any depth leads to from its step, perhaps each behind its start; None
    where the query is to find out.
    """

    iris: tuple[str, ...]
    label: str = ""
    subconcepts: tuple[str, ...] = ()
    value_types: tuple[ValueType, ...] = ()
    units: tuple[str, ...] = ()
    subject: str = ""
    object: str = ""
    size: int = 0
    reached: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class GroundedProgram:
    """A program with bindings by (step index, argument index); arguments without one are bare names."""

    program: Program
    bindings: Mapping[tuple[int, int], Binding] = field(default_factory=lambda: NO_BINDINGS)

    def binding(self, step: int, argument: int) -> Binding | None:
        """The binding of an argument; an IRI written in angle brackets binds itself."""
        found = self.bindings.get((step, argument))
        if found is not None:
            return found
        text = self.program.steps[step].inputs[argument]
        if text.startswith("<") and text.endswith(">") and ":" in text:
            return Binding((text[1:-1],), local_name(text[1:-1]))
        return None

    def sizes(self) -> dict[str, int]:
        """How many facts a known entity is in, or members a known concept has, by IRI."""
        return {iri: b.size for b in self.bindings.values() if b.size for iri in b.iris}

    def has_foreign_unit(self) -> bool:
        """Whether a quantity is in a unit that no value of its attribute is in or converts to."""
        return any(
            _is_foreign(text, binding.units)
            for at, step in enumerate(self.program.steps)
            for parameter, text in zip(step.signature.parameters, step.inputs, strict=False)
            if parameter.value_type == ValueType.QUANTITY
            if (binding := self.binding(at, 0)) is not None
        )

    def prefix(self, step: int) -> GroundedProgram:
        """The grounded program that ends at `step`."""
        kept = sorted(self.program.ancestors(step))
        position = {old: new for new, old in enumerate(kept)}
        bindings = {(position[s], a): b for (s, a), b in self.bindings.items() if s in position}
        return GroundedProgram(self.program.prefix(step), bindings)


def _is_foreign(text: str, units: Sequence[str]) -> bool:
    value = parse_value(text, ValueType.QUANTITY)
    if not isinstance(value, Quantity) or value.unit == NO_UNIT or not units:
        return False
    return value.unit not in units and not convertible(value.unit, tuple(units))
