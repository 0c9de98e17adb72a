"""Grounded programs: programs whose names are bound to IRIs of one graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from compilers.iris import iri_in, local_name
from compilers.kopl.functions import ValueType
from compilers.kopl.program import Program
from compilers.kopl.units import convertible
from compilers.kopl.values import NO_UNIT, Quantity, parse_value

NO_BINDINGS: Mapping[tuple[int, int], Binding] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Binding:
    """The IRIs of one argument; several when entities share a name and all are meant.

    For concepts, `subconcepts` lists the concepts below; for attributes and qualifiers, `value_types` (the
    commonest first) and `units` are those in the graph (empty: not known, every form is provided for). For
    relations and attributes, `subject` and `object` are the names of the concepts at their ends, if they have
    one. `inverses` are relations whose facts, read the other way round, are facts of this one, too. `size` is
    the number of facts of an entity or of members of a concept (0: not known). `reached` are the ends of a
    relation of any depth from its step, with or without their starts; None where the query is to find them.
    """

    iris: tuple[str, ...]
    label: str = ""
    subconcepts: tuple[str, ...] = ()
    value_types: tuple[ValueType, ...] = ()
    units: tuple[str, ...] = ()
    subject: str = ""
    object: str = ""
    inverses: tuple[str, ...] = ()
    size: int = 0
    reached: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class GroundedProgram:
    """A program with bindings by (step index, argument index); arguments without one are bare names.

    `unknown` says of bare names that the graph lacks what is near them.
    """

    program: Program
    bindings: Mapping[tuple[int, int], Binding] = field(default_factory=lambda: NO_BINDINGS)
    unknown: Mapping[tuple[int, int], str] = field(default_factory=dict)

    def binding(self, step: int, argument: int) -> Binding | None:
        """The binding of an argument; an IRI written in angle brackets binds itself."""
        found = self.bindings.get((step, argument))
        if found is not None:
            return found
        iri = iri_in(self.program.steps[step].inputs[argument])
        return Binding((iri,), local_name(iri)) if ":" in iri else None

    def sizes(self) -> dict[str, int]:
        """The number of facts of a known entity, or of members of a known concept, by IRI."""
        return {iri: b.size for b in self.bindings.values() if b.size for iri in b.iris}

    def has_foreign_unit(self) -> bool:
        """True if a quantity is in a unit that no value of its attribute has or converts to."""
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
        unknown = {(position[s], a): told for (s, a), told in self.unknown.items() if s in position}
        return GroundedProgram(self.program.prefix(step), bindings, unknown)


def _is_foreign(text: str, units: Sequence[str]) -> bool:
    value = parse_value(text, ValueType.QUANTITY)
    if not isinstance(value, Quantity) or value.unit == NO_UNIT or not units:
        return False
    return value.unit not in units and not convertible(value.unit, tuple(units))
