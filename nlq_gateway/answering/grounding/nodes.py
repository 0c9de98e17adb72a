"""Attributes whose values stand in nodes of their own: a program that names one goes through the node."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from compilers.iris import iri_in
from compilers.kopl.functions import Kind
from compilers.kopl.repair import Repair
from compilers.kopl.repair.base import arguments, call
from nlq_gateway.drafts.drafter.value_nodes import ValueNode, value_nodes_of
from nlq_gateway.drafts.drafter.values import StatedProgram
from nlq_gateway.index import Index


def through_nodes(
    written: StatedProgram, index: Index, kept: Collection[int] = ()
) -> tuple[StatedProgram, tuple[Repair, ...]]:
    """The program that asks nodes for their values where it asks things for them, with its repairs.

    Attributes that the graph has stay as they are, and so do the steps to be `kept`.
    """
    named = {at: name for at, name in _relations(written, index) if at not in kept}
    nodes = value_nodes_of(index) if named else {}
    repairs: list[Repair] = []
    for at, name in sorted(named.items(), reverse=True):
        node = node_called(index, name, nodes)
        led = None if node is None else node.through(written, at)
        if node is not None and led is not None:
            repairs.append(_repair(written, led, at, node))
            written = led
    return written, tuple(repairs)


def node_called(index: Index, name: str, nodes: Mapping[str, ValueNode]) -> ValueNode | None:
    """The value node to which a relation of this name leads."""
    return next((nodes[one.iri] for one in index.named(Kind.RELATION, name) if one.iri in nodes), None)


def _relations(written: StatedProgram, index: Index) -> Iterator[tuple[int, str]]:
    """The steps that name an attribute which the graph has as a relation only, with its name."""
    for at, step in enumerate(written.steps):
        for argument, parameter, name in arguments(step):
            asks = argument == 0 and parameter.kind == Kind.ATTRIBUTE and not iri_in(name)
            if asks and not index.named(Kind.ATTRIBUTE, name) and index.named(Kind.RELATION, name):
                yield at, name


def _repair(before: StatedProgram, after: StatedProgram, at: int, node: ValueNode) -> Repair:
    added = after.steps[at : at + 1 + len(after.steps) - len(before.steps)]
    calls = "->".join(map(call, added))
    why = f"{node.relation.label!r} leads to nodes, which have the value as {node.value.label!r}"
    return Repair(at, None, call(before.steps[at]), calls, why)
