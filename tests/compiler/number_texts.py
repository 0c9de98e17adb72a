"""Graphs of the tests with their numbers as texts, plain ones and typed ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pyoxigraph as ox

from compilers.kopl.functions import ValueType
from compilers.layouts.vocabulary import XSD
from tests.compiler.rdf import iri
from tests.compiler.shapes import SHAPES, Shape
from tests.kopl.strategies import ATTRIBUTES, QUALIFIERS
from tests.oracle.graph import Graph

_TYPES = {**ATTRIBUTES, **QUALIFIERS}
_PREDICATES = frozenset(iri(name) for name, held in _TYPES.items() if held == ValueType.QUANTITY)
_NUMBERS = frozenset(XSD + name for name in ("integer", "double"))


def _with_texts(write: Callable[[Graph], ox.Store]) -> Callable[[Graph], ox.Store]:
    """The store with texts in the place of numbers: typed where they are negative, else plain."""

    def written(graph: Graph) -> ox.Store:
        store = ox.Store()
        store.extend(ox.Quad(q.subject, q.predicate, _text(q.object), q.graph_name) for q in write(graph))
        return store

    return written


def _text(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> ox.Literal | object:
    if isinstance(term, ox.Literal) and term.datatype.value in _NUMBERS:
        typed = term.value.startswith("-")
        return ox.Literal(term.value, datatype=ox.NamedNode(XSD + "string") if typed else None)
    return term


def _shape(shape: Shape) -> Shape:
    return replace(
        shape,
        write=_with_texts(shape.write),
        options=replace(shape.options, number_texts=_PREDICATES),
    )


NUMBER_TEXTS = {name: _shape(SHAPES[name]) for name in ("direct", "reification", "singleton")}
