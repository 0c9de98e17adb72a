"""Attributes of nodes without a name, as attributes of the things that lead to them: a floor's area.

A graph may state a value in a node of its own, which holds the number and its unit. The drafter asks for the
floor's area; the program goes through the node.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.drafter.values import StatedProgram
from nlq_gateway.index import Index
from nlq_gateway.index.members import held_at_end, is_named, is_told_by_labels

# A value, its unit and what it is about; a thing without a name has more.
_MOST_TOLD = 3
# A value and its unit: a node that holds no more stands for its value.
_VALUE_AND_UNIT = 2
_SHOWING = frozenset({"What", "Table"})
# Functions that keep some of the things that lead to the nodes.
BACK = frozenset(
    "FilterNum FilterYear FilterDate FilterStr SelectTop SelectNth SelectPlaces SelectShare".split()
)


@dataclass(frozen=True, slots=True)
class ValueNode:
    """A relation to nodes without a name, and the attribute by which these hold a value.

    `is_plain`: they hold nothing beside it but a unit.
    """

    relation: SchemaItem
    value: SchemaItem
    is_plain: bool = False

    @property
    def item(self) -> SchemaItem:
        """The attribute that the drafter may ask for."""
        held, told = self.value, self.relation
        named = replace(held, iri=told.iri, label=told.label, aliases=told.aliases, domains=told.domains)
        return replace(named, units=told.units or held.units)

    def through(self, written: StatedProgram, at: int) -> StatedProgram | None:
        """The program that goes through the nodes at a step that asks for the item; None if it cannot."""
        step = written.steps[at]
        led, held = (self.relation.iri,), (self.value.iri,)
        if step.function == "FilterHasAttr":
            has = Step("FilterHasRelation", (self.relation.label, "forward"))
            return written.with_steps(at, (has,), {(0, 0): led}, {})
        forward, back = (Step("Relate", (self.relation.label, way)) for way in ("forward", "backward"))
        inner, after = replace(step, inputs=(self.value.label, *step.inputs[1:])), tuple[Step, ...]()
        if step.function == "SelectAmong":
            inner = Step("SelectNth", (*inner.inputs, "1"))
            after = (back, Step("What"))
        elif step.function in BACK:
            after = (back,)
        elif step.function != "QueryAttr":
            return None
        for number, one in reversed(tuple(enumerate(written.steps))):
            # What compares are the nodes: their things are asked for.
            if one.function == "FilterCompare" and one.dependencies[0] == at:
                written = written.with_steps(number, (one, back), {(1, 0): led}, {})
        choices = {(0, 0): led, (1, 0): held, **({(2, 0): led} if after else {})}
        mentions = {(1, k): said for (n, k), said in written.mentions.items() if n == at}
        return written.with_steps(at, (forward, inner, *after), choices, mentions)


def value_nodes_of(index: Index) -> Mapping[str, ValueNode]:
    """The value nodes of a graph that hold numbers, by the relation's IRI."""
    holders = _holders(index)
    found = {}
    for relation in index.schema:
        led = frozenset(iri for iri, _ in relation.ranges)
        if not (relation.leads_to_unnamed or (led and led <= holders)):
            continue
        held = held_at_end(relation, index)
        if held and ValueType.QUANTITY in held[0].value_types and "id" not in held[0].label.lower().split():
            numbers = sum(ValueType.QUANTITY in one.value_types for one in held)
            is_plain = numbers == 1 and len(held) <= _VALUE_AND_UNIT
            found[relation.iri] = ValueNode(relation, held[0], is_plain)
    return found


def told_by_values(written: StatedProgram, nodes: Mapping[str, ValueNode]) -> StatedProgram:
    """The program that shows values where it showed the nodes that hold them, which have no name."""
    ends = [step for step in written.steps if step.function in _SHOWING]
    for at in sorted(set(ends[-1].dependencies), reverse=True) if ends else ():
        node = nodes.get(next(iter(written.choices.get((at, 0), ())), ""))
        takers = sum(at in step.dependencies for step in written.steps)
        if node is None or not node.is_plain or takers > 1 or written.steps[at].inputs[1:] != ("forward",):
            continue
        shown = (written.steps[at], Step("QueryAttr", (node.value.label,)))
        choices = {(0, 0): (node.relation.iri,), (1, 0): (node.value.iri,)}
        written = written.with_steps(at, shown, choices, {})
        if written.steps[-1].function == "What":
            return replace(written, steps=written.steps[:-1])
    return written


def _holders(index: Index) -> frozenset[str]:
    """The classes of values: of one thing each, without a name, with few attributes, leading to a unit."""
    told, led = Counter[tuple[Kind, str]](), Counter[str]()
    for one in index.schema:
        told.update((one.kind, iri) for iri, _ in one.domains)
        led.update(dict(one.ranges))
    return frozenset(
        item.iri
        for item in index.schema
        if item.kind == Kind.CONCEPT
        and 0 < led[item.iri] <= item.count
        and told[Kind.RELATION, item.iri] <= 1
        and told[Kind.ATTRIBUTE, item.iri] <= _MOST_TOLD
        and not (is_named(item.iri, index) or is_told_by_labels(item.iri, index))
    )
