"""What a graph never states: nothing is found for anybody, and so an answer of nothing says little."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.confidence.impossible import is_impossible
from nlq_gateway.pipeline import Ask, Gateway
from nlq_gateway.settings import Settings


@pytest.fixture(scope="module")
def gateway() -> Gateway:
    gateway = Gateway(Settings.for_data(["builtin:sample"]))
    gateway.endpoint(None).prepare()
    return gateway


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Find(Satya Nadella)->Relate(occupation, forward)->FilterConcept(company)->What()", True),
        ("Find(Satya Nadella)->Relate(occupation, forward)->Relate(founded by, backward)->What()", True),
        ("Find(France)->Relate(country of citizenship, backward)->FilterNum(population, 1, >)->What()", True),
        ("FindAll()->FilterConcept(mountain)->QueryAttr(country code)", True),
        ("FindAll()->FilterConcept(country)->QueryAttr(country code)", False),
        ("FindAll()->FilterConcept(place)->QueryAttr(country code)", False),
        ("Find(Satya Nadella)->Relate(occupation, forward)->What()", False),
        ("Find(Microsoft)->Relate(founded by, forward)->Relate(educated at, forward)->What()", False),
        ("Find(Microsoft)->Relate(founded by, forward)->FilterConcept(person)->What()", False),
        # Nothing is known of the members of a set that is not reached by a relation.
        ("FindAll()->FilterConcept(city)->FilterNum(population, 1, >)->Count()", False),
    ],
)
def test_it_is_seen_in_the_schema(gateway: Gateway, text: str, expected: bool) -> None:
    trace = gateway.run(read_program(text), probes=False)
    assert trace.program is not None
    assert is_impossible(trace.program, trace.bindings, gateway.endpoint(None).index) is expected


def test_none_is_not_said_for_sure_where_nobody_has_any(gateway: Gateway) -> None:
    trace = gateway.ask(Ask("Who founded the company that Satya Nadella works for?"))
    assert (trace.status, trace.confidence < 0.2) == ("empty", True)


def test_none_is_an_answer_where_there_could_be_one(gateway: Gateway) -> None:
    trace = gateway.ask(Ask("Which awards did Satya Nadella win?"))
    assert (trace.status, trace.confidence > 0.9) == ("empty", True)
