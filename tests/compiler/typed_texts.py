"""Graphs of the tests with their numbers or dates as texts, plain ones and typed ones."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import pyoxigraph as ox

from compilers.kopl.functions import ValueType
from compilers.kopl.values import Date, Value, Year
from compilers.layouts import Options
from compilers.layouts.vocabulary import XSD
from tests.compiler.rdf import iri
from tests.compiler.shapes import SHAPES, Shape
from tests.kopl.strategies import ATTRIBUTES, QUALIFIERS
from tests.oracle.graph import Graph

_Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
_TYPES = {**ATTRIBUTES, **QUALIFIERS}
_NUMBERS, _DAYS = frozenset(XSD + name for name in ("integer", "double")), frozenset((XSD + "date",))


def _with_texts(write: Callable[[Graph], ox.Store], types: Collection[str]) -> Callable[[Graph], ox.Store]:
    """The store with texts in the place of literals of some types: typed where negative, else plain."""

    def written(graph: Graph) -> ox.Store:
        store = ox.Store()
        store.extend(
            ox.Quad(q.subject, q.predicate, _text(q.object, types), q.graph_name) for q in write(graph)
        )
        return store

    return written


def _text(term: _Term, types: Collection[str]) -> _Term:
    if isinstance(term, ox.Literal) and term.datatype.value in types:
        typed = term.value.startswith("-")
        return ox.Literal(term.value, datatype=ox.NamedNode(XSD + "string") if typed else None)
    return term


def _predicates(value_type: ValueType) -> frozenset[str]:
    return frozenset(iri(name) for name, held in _TYPES.items() if held == value_type)


def _shape(shape: Shape, types: Collection[str], options: Options) -> Shape:
    return replace(shape, write=_with_texts(shape.write, types), options=options)


NUMBER_TEXTS = {
    name: _shape(shape, _NUMBERS, replace(shape.options, number_texts=_predicates(ValueType.QUANTITY)))
    for name, shape in SHAPES.items()
    if name in ("direct", "reification", "singleton")
}
_DIRECT = SHAPES["direct"]


def _with_days(graph: Graph) -> Graph:
    """The graph with the first day of a year in its place: the texts of an attribute have one form."""
    graph = _DIRECT.prepare(graph)
    facts = (replace(fact, value=_day(fact.value)) for fact in graph.attributes)
    return replace(graph, attributes=frozenset(facts))


def _day(value: Value) -> Value:
    return Date(value.year, 1, 1) if isinstance(value, Year) else value


DATE_TEXTS = replace(
    _shape(_DIRECT, _DAYS, replace(_DIRECT.options, date_texts=_predicates(ValueType.DATE))),
    prepare=_with_days,
)
