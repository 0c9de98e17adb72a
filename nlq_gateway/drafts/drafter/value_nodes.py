"""Attributes of nodes without a name, as attributes of the things that lead to them: a floor's area.

A graph may state a value in a node of its own, which holds the number and its unit. The drafter asks for the
floor's area; the program goes through the node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.drafter.values import StatedProgram
from nlq_gateway.index import Index
from nlq_gateway.index.members import held_by_nodes

_BACK = frozenset("FilterNum FilterYear FilterDate FilterStr SelectTop SelectNth".split())


@dataclass(frozen=True, slots=True)
class ValueNode:
    """A relation to nodes without a name, and the attribute by which these hold a value."""

    relation: SchemaItem
    value: SchemaItem

    @property
    def item(self) -> SchemaItem:
        """The attribute that the drafter may ask for."""
        held, told = self.value, self.relation
        return replace(held, iri=told.iri, label=told.label, aliases=told.aliases, domains=told.domains)

    def through(self, written: StatedProgram, at: int) -> StatedProgram | None:
        """The program that goes through the nodes at a step that asks for the item; None if it cannot."""
        step = written.steps[at]
        forward, back = (Step("Relate", (self.relation.label, way)) for way in ("forward", "backward"))
        inner, after = replace(step, inputs=(self.value.label, *step.inputs[1:])), tuple[Step, ...]()
        if step.function == "SelectAmong":
            inner = Step("SelectNth", (*inner.inputs, "1"))
            after = (back, Step("What"))
        elif step.function in _BACK:
            after = (back,)
        elif step.function != "QueryAttr":
            return None
        led, held = (self.relation.iri,), (self.value.iri,)
        choices = {(0, 0): led, (1, 0): held, **({(2, 0): led} if after else {})}
        mentions = {(1, k): said for (n, k), said in written.mentions.items() if n == at}
        return written.with_steps(at, (forward, inner, *after), choices, mentions)


def value_nodes_of(index: Index) -> Mapping[str, ValueNode]:
    """The value nodes of a graph that hold numbers, by the relation's IRI."""
    attributes = [item for item in index.schema if item.kind == Kind.ATTRIBUTE]
    held = {one: held_by_nodes(one, attributes)[:1] for one in index.schema if one.leads_to_unnamed}
    return {
        relation.iri: ValueNode(relation, value)
        for relation, values in held.items()
        for value in values
        if ValueType.QUANTITY in value.value_types
    }
