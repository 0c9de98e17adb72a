"""Graphs of the tests with a time of day in all their dates."""

from __future__ import annotations

from dataclasses import replace

from compilers.kopl.functions import ValueType
from compilers.kopl.values import Date, Value
from tests.compiler.rdf import iri
from tests.compiler.shapes import SHAPES
from tests.kopl.strategies import ATTRIBUTES
from tests.oracle.graph import AttributeFact, Graph

_DIRECT = SHAPES["direct"]
_PREDICATES = frozenset(iri(name) for name, held in ATTRIBUTES.items() if held == ValueType.DATE)
_CLOCKS = (1, 36_900, 36_901, 86_399)


def _prepared(graph: Graph) -> Graph:
    graph = _DIRECT.prepare(graph)
    return replace(graph, attributes=frozenset(_at_a_moment(fact) for fact in graph.attributes))


def _at_a_moment(fact: AttributeFact) -> AttributeFact:
    """Two things with one date have it at different times, as a rule."""
    return replace(fact, value=_moment(fact.value, sum(map(ord, fact.entity + fact.attribute))))


def _moment(value: Value, number: int) -> Value:
    return replace(value, second=_CLOCKS[number % len(_CLOCKS)]) if isinstance(value, Date) else value


MOMENTS = replace(_DIRECT, prepare=_prepared, options=replace(_DIRECT.options, moments=_PREDICATES))
