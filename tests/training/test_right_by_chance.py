"""Candidates that find the gold rows by chance are told from those that mean the same."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pyoxigraph as ox
import pytest

from compilers.kopl.functions import Kind
from compilers.kopl.notations import NOTATIONS, read_program
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.offline.evaluation import GoldQuestion
from training.judging.chance import Suite
from training.judging.collect import Part
from training.judging.shaken import WAYS, Graph, Way

PEOPLE = Path(__file__).parent / "fixtures" / "people.ttl"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
IRI = "http://people.example/"


@pytest.fixture(scope="module")
def people() -> Graph:
    store = ox.Store()
    store.load(PEOPLE.read_bytes(), format=ox.RdfFormat.TURTLE)
    owner = SchemaItem(Kind.RELATION, IRI + "owner", "owner", inverse=(IRI + "owns",))
    return Graph.of(store, {LABEL}, [owner])


def pairs(store: ox.Store, name: str) -> set[tuple[str, str]]:
    found = store.quads_for_pattern(None, ox.NamedNode(IRI + name), None)
    return {(str(one.subject), str(one.object)) for one in found}


@pytest.mark.parametrize("way", WAYS)
def test_names_and_classes_stay(people: Graph, way: Way) -> None:
    found = people.shaken(way, Random(1))
    for predicate in (LABEL, "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"):
        given = {(str(s), str(o)) for s, p, o in people.facts if p.value == predicate}
        kept = found.quads_for_pattern(None, ox.NamedNode(predicate), None)
        assert {(str(one.subject), str(one.object)) for one in kept} == given


def test_ends_are_exchanged_and_an_inverse_follows(people: Graph) -> None:
    given = people.shaken(Way(False, False), Random(1))
    found = people.shaken(Way(True, False), Random(1))
    assert pairs(found, "owner") != pairs(given, "owner")
    assert {pet for pet, _ in pairs(found, "owner")} == {pet for pet, _ in pairs(given, "owner")}
    assert {(o, s) for s, o in pairs(found, "owns")} == pairs(found, "owner")


def test_what_is_symmetric_stays_so(people: Graph) -> None:
    given = people.shaken(Way(False, False), Random(1))
    found = pairs(people.shaken(Way(True, False), Random(1)), "neighbour")
    assert found != pairs(given, "neighbour")
    assert found == {(o, s) for s, o in found}


def test_a_foreign_key_follows_its_relation(people: Graph) -> None:
    found = people.shaken(Way(True, False), Random(1))
    numbers = dict(pairs(found, "number"))
    assert pairs(found, "ownerNumber") == {(pet, numbers[owner]) for pet, owner in pairs(found, "owner")}


def test_numbers_move_and_codes_stay(people: Graph) -> None:
    given = people.shaken(Way(False, False), Random(1))
    found = people.shaken(Way(False, True), Random(1))
    assert pairs(found, "weight") != pairs(given, "weight")
    assert pairs(found, "chip") == pairs(given, "chip")


@pytest.mark.parametrize(
    ("program", "right"),
    [
        ("Find(Ann)->Relate(owns, forward)->Count()", True),
        ("Find(Ann)->Relate(owner, backward)->Count()", True),
        ("Find(Ann)->Relate(knows, forward)->Count()", False),
    ],
)
def test_a_count_that_happens_to_be_equal_is_wrong(program: str, right: bool) -> None:
    suite = Suite.of(Part("people", (str(PEOPLE),), tuple, mutated=False))
    gold = read_program("Find(Ann)->Relate(owns, forward)->Count()")
    question = GoldQuestion("1", "How many pets does Ann own?", "", program=gold)
    written = json.loads(NOTATIONS["json"].write(read_program(program)))
    candidate = {"program": written, "choices": [], "right": True, "sources": ["drafter"]}
    told = suite.without_chance({"question": question.text, "candidates": [candidate]}, question)
    suite.collecting.gateway.close()
    assert [one["right"] for one in told["candidates"]] == [right]
