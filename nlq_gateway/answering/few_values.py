"""The values of an attribute with few, for a text that none of them is."""

from __future__ import annotations

from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.functions import Kind
from nlq_gateway.index import Index

_MOST = 6


def few_values(grounded: GroundedProgram, index: Index) -> dict[int, tuple[str, ...]]:
    """The values of the attribute of each FilterStr, by step, where the index has all of them, and few."""
    filters = (at for at, step in enumerate(grounded.program.steps) if step.function == "FilterStr")
    bindings = ((at, grounded.binding(at, 0)) for at in filters)
    return {at: values for at, bound in bindings if bound and (values := _values(bound, index))}


def _values(bound: Binding, index: Index) -> tuple[str, ...]:
    concepts = (iri for item in index.items(Kind.ATTRIBUTE, bound.iris) for iri, _ in item.domains)
    uses = [one for one in index.partitions(concepts) if one.kind == Kind.ATTRIBUTE and one.iri in bound.iris]
    values = tuple(dict.fromkeys(value for one in uses for value in one.values))
    return values if len(values) <= _MOST and all(one.complete for one in uses) else ()
