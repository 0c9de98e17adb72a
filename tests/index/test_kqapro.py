from __future__ import annotations

from pathlib import Path

import pytest

from compilers.kopl.functions import Kind, ValueType
from connectors.oxigraph import EmbeddedOxigraph
from connectors.results import Result
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index import Index, build

BASE = "http://facts.example/"


def items(index: Index, kind: Kind) -> dict[str, SchemaItem]:
    return {item.iri.removeprefix(BASE): item for item in index.schema if item.kind == kind}


def test_concepts(facts: Index) -> None:
    found = items(facts, Kind.CONCEPT)
    assert {name: item.count for name, item in found.items()} == {"C1": 1, "C2": 1, "C3": 1}
    assert found["C2"].label == "city"
    assert found["C2"].aliases == ("Stadt", "municipality")
    assert found["C2"].parents == (BASE + "C1",)


def test_one_predicate_may_be_of_several_kinds(facts: Index) -> None:
    assert sorted(items(facts, Kind.RELATION)) == ["born_in", "known_for"]
    assert sorted(items(facts, Kind.ATTRIBUTE)) == [
        "caf%C3%A9_count",
        "known_for",
        "number_of_points/goals/set_scored",
        "point_in_time",
    ]
    assert sorted(items(facts, Kind.QUALIFIER)) == ["point_in_time"]


def test_predicates_are_named_by_themselves_or_by_their_iri(facts: Index) -> None:
    assert items(facts, Kind.RELATION)["born_in"].label == "place of birth"
    attributes = items(facts, Kind.ATTRIBUTE)
    assert attributes["number_of_points/goals/set_scored"].label == "number of points/goals/set scored"
    assert attributes["caf%C3%A9_count"].label == "café count"


def test_values(facts: Index) -> None:
    attributes = items(facts, Kind.ATTRIBUTE)
    assert attributes["point_in_time"].value_types == (ValueType.DATE, ValueType.YEAR)
    assert attributes["known_for"].value_types == (ValueType.STRING,)
    cafes = attributes["caf%C3%A9_count"]
    assert cafes.value_types == (ValueType.QUANTITY,)
    assert cafes.units == ("hundred", "dozen")
    assert set(cafes.examples) == {"3 hundred", "4.5 hundred", "7 dozen"}
    assert not cafes.functional
    goals = attributes["number_of_points/goals/set_scored"]
    assert (goals.units, goals.examples, goals.functional) == (("1",), ("12",), True)
    assert items(facts, Kind.QUALIFIER)["point_in_time"].value_types == (ValueType.YEAR,)


def test_where_facts_begin_and_end(facts: Index) -> None:
    born = items(facts, Kind.RELATION)["born_in"]
    assert born.domains == ((BASE + "C3", 1),)
    assert born.ranges == ((BASE + "C1", 1), (BASE + "C2", 1))
    assert born.qualifiers == (BASE + "point_in_time",)


def test_entities(facts: Index) -> None:
    lyon = facts.entity(BASE + "Q1")
    assert lyon is not None
    assert (lyon.label, lyon.aliases, lyon.concepts) == ("Lyon", ("Lugdunum",), (BASE + "C2",))
    assert lyon.degree == 5
    assert facts.entities_named("no concept")[0].concepts == ()
    assert facts.manifest.counts["entities"] == 3


def test_no_query_is_asked_twice(
    facts_store: EmbeddedOxigraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    query = EmbeddedOxigraph.query

    def counted(store: EmbeddedOxigraph, text: str, **bounds: int | None) -> Result:
        asked.append(text)
        return query(store, text, **bounds)

    monkeypatch.setattr(EmbeddedOxigraph, "query", counted)
    build(facts_store, "kqapro", tmp_path)
    assert asked
    assert len(asked) == len(set(asked))
