from __future__ import annotations

import pytest

from compilers.kopl.functions import Kind, ValueType
from compilers.layouts.vocabulary import SKOS
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index import Index, detect_layout
from nlq_gateway.index.introspect.usage import decimal

EX = "http://shop.example/"


def test_layout(shop_store: EmbeddedOxigraph, facts_store: EmbeddedOxigraph) -> None:
    assert detect_layout(shop_store).layout == "direct"
    assert detect_layout(facts_store).layout == "kqapro"


def test_concepts_are_classes_in_use_or_declared(shop: Index) -> None:
    """A class that nothing is stated to be counts the members below it, one of which is counted twice."""
    found = {item.iri.removeprefix(EX): item.count for item in shop.schema if item.kind == Kind.CONCEPT}
    assert found == {
        "Thing": 11,
        "Publication": 11,
        "Book": 11,
        "AudioBook": 1,
        "Spare": 0,
        "Left": 0,
        "Right": 0,
        "Person": 2,
        "Company": 1,
        "Town": 4,
    }


def test_labels_come_in_the_order_of_languages(shop: Index) -> None:
    book = shop.item(Kind.CONCEPT, EX + "Book")
    assert book is not None
    assert (book.label, book.aliases) == ("book", ("Buch", "volume"))
    assert book.description == "Something with pages."


def test_names_are_made_from_iris_where_labels_are_missing(shop: Index) -> None:
    assert [item.label for item in shop.named(Kind.CONCEPT, "audio book")] == ["audio book"]
    cafe = shop.entity(EX + "caf%C3%A9_de_Flore")
    assert cafe is not None
    assert cafe.label == "café de Flore"
    state = shop.entity(EX + "Illinois")
    assert state is not None
    assert (state.label, state.concepts, state.degree) == ("Illinois", (), 3)


def test_hierarchy(shop: Index) -> None:
    book = shop.item(Kind.CONCEPT, EX + "Book")
    assert book is not None
    assert book.parents == (EX + "Publication",)
    assert shop.ancestors(EX + "AudioBook") == (EX + "Book", EX + "Publication", EX + "Thing")
    assert shop.descendants(EX + "Publication") == (EX + "AudioBook", EX + "Book")
    assert shop.descendants(EX + "Left") == (EX + "Right",)
    assert shop.ancestors(EX + "Left") == (EX + "Right",)
    assert shop.descendants("http://unknown.example/") == ()


def test_relations(shop: Index) -> None:
    found = {item.iri.removeprefix(EX): item for item in shop.schema if item.kind == Kind.RELATION}
    assert sorted(found) == [SKOS + "broader", SKOS + "narrower", "inState", "publisher", "writtenBy"]
    written = found["writtenBy"]
    assert (written.label, written.aliases, written.count) == ("written by", ("geschrieben von",), 2)
    assert written.domains == ((EX + "AudioBook", 1), (EX + "Book", 1), (EX + "Publication", 1))
    assert written.ranges == ((EX + "Person", 2),)
    assert written.functional
    assert found["inState"].label == "in state"
    assert found["inState"].domains == ((EX + "Town", 3),)


def test_attributes(shop: Index) -> None:
    found = {item.iri.removeprefix(EX): item for item in shop.schema if item.kind == Kind.ATTRIBUTE}
    types = {name: item.value_types for name, item in found.items()}
    assert types == {
        "publisher": (ValueType.STRING,),
        "firstPublished": (ValueType.DATE, ValueType.YEAR),
        "weight": (ValueType.QUANTITY,),
        "pageCount": (ValueType.QUANTITY,),
        "inPrint": (ValueType.STRING,),
        "motto": (ValueType.STRING,),
        "recorded": (ValueType.DATE,),
    }
    assert found["weight"].units == ("kilogram",)
    assert found["pageCount"].units == ("page",)
    assert found["publisher"].examples == ("Cotta",)
    assert found["publisher"].count == 1
    assert set(found["weight"].examples) == {"0.4", "0.3"}


def test_schema_itself_is_no_entity(shop: Index) -> None:
    for name in ("", "Book", "Spare", "writtenBy", "neverUsed"):
        assert shop.entity(EX + name) is None
    assert shop.entities_named("the shop's ontology") == ()
    assert shop.entities_named("nowhere") == ()
    assert [entity.iri for entity in shop.entities_named("an individual")] == [EX + "individual"]


def test_entities(shop: Index) -> None:
    faust = shop.entity(EX + "faust")
    assert faust is not None
    assert faust.label == "Faust"
    assert faust.aliases == ("Fausto", "Dr. Faustus")
    assert faust.concepts == (EX + "Book",)
    assert faust.degree == 7
    assert shop.entities_named("Emma")[0].concepts == (EX + "AudioBook",)


def test_ambiguous_names_give_all(shop: Index) -> None:
    assert [entity.iri for entity in shop.entities_named("Springfield")] == [
        EX + "springfield-il",
        EX + "springfield-ma",
    ]
    assert len(shop.entities_named("SPRINGFIELD")) == 3
    hits = shop.look_up(["Springfield"])["Springfield"]
    assert [(hit.iri.removeprefix(EX), hit.how) for hit in hits] == [
        ("springfield-il", "exact"),
        ("springfield-ma", "exact"),
        ("springfield-low", "folded"),
    ]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ('"; DROP TABLE entity; --', '"; DROP TABLE entity; --'),
        ("back\\slash new line tab", "back\\slash new line tab"),
        ("a AND b OR NOT c NEAR(d)* ^e", "a AND b OR NOT c NEAR(d)* ^e"),
        ("💥 \u202eright to left", "💥 \u202eright to left"),
        ("!!!", "!!!"),
        ("h6", "h6"),
        ("c++ fur anfanger", "C++ für Anfänger"),
        ("ВОЙНА И МИР", "Война и мир"),
        ("戦争と平和", "Война и мир"),
        ("100% _wild_ <b>&amp;</b> ?x } UNION { ?s ?p ?o", "100% _wild_ <b>&amp;</b> ?x } UNION { ?s ?p ?o"),
    ],
)
def test_hostile_labels_are_found(shop: Index, name: str, label: str) -> None:
    assert [entity.label for entity in shop.entities_named(name)] == [label]
    assert shop.look_up([name])[name][0].label == label
    assert shop.search(name)[0].label == label


def test_manifest(shop: Index) -> None:
    assert shop.manifest.endpoint == "shop"
    assert shop.manifest.layout == "direct"
    assert shop.manifest.counts["concepts"] == 10
    assert shop.manifest.counts["entity vectors"] == shop.manifest.counts["entities"]
    assert shop.manifest.sampled == {}
    assert shop.manifest.prefixes["ex"] == EX
    assert set(shop.manifest.languages) == {"de", "en", "es", "ja", "ru"}


@pytest.mark.parametrize(
    ("lexical", "shown"),
    [
        ("1.70", "1.70"),
        ("1.7e0", "1.7"),
        ("2E3", "2000"),
        ("4.0", "4"),
        ("1e999", "1e999"),
        ("NaN", "NaN"),
        ("x", "x"),
    ],
)
def test_numbers_are_shown_as_people_write_them(lexical: str, shown: str) -> None:
    assert decimal(lexical) == shown
