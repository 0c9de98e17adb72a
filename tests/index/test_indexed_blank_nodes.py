"""Blank nodes without a class and a name, in every layout of plain RDF."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from compilers.kopl.functions import Kind
from compilers.kopl.values import Quantity
from compilers.layouts.vocabulary import RDF
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index import Index, build
from tests.compiler.rdf import iri
from tests.compiler.shapes import SHAPES
from tests.compiler.test_blank_nodes import blanked
from tests.oracle.graph import AttributeFact, Concept, Entity, Graph, RelationFact

PLAIN = [name for name, shape in SHAPES.items() if shape.layout not in ("kqapro", "wikidata")]
AREA, VALUE, FLOOR = iri("area"), iri("value"), iri("floor")
FLOORS = ("one", "two")
GRAPH = Graph(
    {**{key: Entity(key, ("floor",)) for key in FLOORS}, **{f"a{key}": Entity(f"a{key}") for key in FLOORS}},
    {"floor": Concept("floor")},
    frozenset(AttributeFact(f"a{key}", "value", Quantity(number, "1")) for number, key in enumerate(FLOORS)),
    frozenset(RelationFact(key, "area", f"a{key}") for key in FLOORS),
)


def nameless(store: ox.Store) -> ox.Store:
    """The store with areas that have neither a class nor a label nor an IRI."""
    areas = [ox.NamedNode(iri(f"a{key}")) for key in FLOORS]
    for area in areas:
        for quad in list(store.quads_for_pattern(area, None, None)):
            if quad.predicate.value == RDF + "type" or quad.predicate.value.endswith("#label"):
                store.remove(quad)
    return blanked(store, [area.value for area in areas])


@pytest.mark.parametrize("name", PLAIN)
def test_they_are_what_their_relation_leads_to(name: str, tmp_path: Path) -> None:
    shape = SHAPES[name]
    store = nameless(shape.write(shape.prepare(GRAPH)))
    build(EmbeddedOxigraph(lambda: store, address="here"), shape.layout, tmp_path)
    with Index.open(tmp_path, None) as index:
        area, value = index.item(Kind.RELATION, AREA), index.item(Kind.ATTRIBUTE, VALUE)
        assert area is not None
        assert value is not None
        assert (area.domains, area.ranges) == (((FLOOR, 2),), ((AREA, 2),))
        assert value.domains == ((AREA, 2),)
        assert [(one.concept, one.target) for one in index.partitions((FLOOR,))] == [(FLOOR, AREA)]
        assert [one.values for one in index.partitions((AREA,)) if one.concept == AREA] == [("0", "1")]
        assert sorted(entity.label for entity in index.sample(10)) == list(FLOORS)
