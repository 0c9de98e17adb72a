"""The predicates of triples for a class, a relation or an attribute, by layout."""

from __future__ import annotations

import pytest

from compilers.layouts import LAYOUTS, class_predicate, predicate_of

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
WIKIDATA = "http://www.wikidata.org/"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_class_is_stated_by(layout: str) -> None:
    own = {"kqapro": "pred:instance_of", "wikidata": f"{WIKIDATA}prop/direct/P31"}
    assert class_predicate(layout) == own.get(layout, RDF_TYPE)


@pytest.mark.parametrize(
    ("layout", "iri", "predicate"),
    [
        ("direct", "http://ex.example/p", "http://ex.example/p"),
        ("direct", f"{WIKIDATA}entity/P57", f"{WIKIDATA}entity/P57"),
        ("wikidata", f"{WIKIDATA}entity/P57", f"{WIKIDATA}prop/direct/P57"),
        ("wikidata", "http://ex.example/p", "http://ex.example/p"),
    ],
)
def test_a_relation_is_stated_by(layout: str, iri: str, predicate: str) -> None:
    assert predicate_of(layout, iri) == predicate
