"""Facts that a graph never states: their absence says little about the answer."""

from __future__ import annotations

import pytest

from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.selection import EMPTY
from nlq_gateway.index import found_classes, is_impossible
from nlq_gateway.settings import Settings


@pytest.fixture(scope="module")
def gateway() -> Pipeline:
    gateway = Pipeline(Settings.for_data(["builtin:sample"]))
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
        ("FindAll()->FilterConcept(film)->FilterHasRelation(capital, forward)->What()", True),
        ("FindAll()->FilterConcept(country)->FilterHasRelation(capital, forward)->What()", False),
        ("FindAll()->FilterConcept(city)->FilterHasRelation(capital, backward)->What()", False),
        ("Find(Satya Nadella)->Relate(occupation, forward)->What()", False),
        ("Find(Microsoft)->Relate(founded by, forward)->Relate(educated at, forward)->What()", False),
        ("Find(Microsoft)->Relate(founded by, forward)->FilterConcept(person)->What()", False),
        # Rivers and countries are places, and only rivers flow through countries.
        ("Find(Danube)->Relate(flows through, backward)->What()", True),
        ("Find(Danube)->Relate(flows through, forward)->Relate(flows into, backward)->What()", True),
        ("Find(Danube)->Relate(flows through, forward)->Relate(shares border with, forward)->What()", False),
        ("Find(Berlin)->Relate(located in, forward)->What()", False),
        # Nothing is known of the members of a set that is not reached by a relation.
        ("FindAll()->FilterConcept(city)->FilterNum(population, 1, >)->Count()", False),
    ],
)
def test_it_is_seen_in_the_schema(gateway: Pipeline, text: str, expected: bool) -> None:
    trace = gateway.run(read_program(text), probes=False)
    assert trace.program is not None
    meant = {(one.step, one.argument): one.iri for one in trace.bindings}
    assert is_impossible(trace.program, meant, gateway.endpoint(None).index) is expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Find(Princeton University)->Relate(educated at, backward)->What()", "person"),
        ("Find(Ulm)->Relate(place of birth, backward)->FilterYear(date of birth, 1900, <)->What()", "person"),
    ],
)
def test_what_is_found_has_a_class(gateway: Pipeline, text: str, kind: str) -> None:
    trace = gateway.run(read_program(text), probes=False)
    index = gateway.endpoint(None).index
    assert trace.program is not None
    meant = {(one.step, one.argument): one.iri for one in trace.bindings}
    found = found_classes(trace.program, meant, index)
    (named,) = index.named(Kind.CONCEPT, kind)
    assert found <= {named.iri, *index.descendants(named.iri)}
    assert found


@pytest.mark.parametrize(
    "text",
    [
        "FindAll()->FilterConcept(city)->Count()",
        # The program says itself what it takes them for.
        "Find(Germany)->Relate(located in, backward)->FilterConcept(mountain)->What()",
    ],
)
def test_of_others_it_is_not_told(gateway: Pipeline, text: str) -> None:
    trace = gateway.run(read_program(text), probes=False)
    assert trace.program is not None
    meant = {(one.step, one.argument): one.iri for one in trace.bindings}
    assert not found_classes(trace.program, meant, gateway.endpoint(None).index)


def test_an_answer_of_another_kind_is_not_given(gateway: Pipeline) -> None:
    """The university of that name has graduates, and the graph has no town of it."""
    trace = gateway.ask(Ask("Which universities are in Princeton?"))
    assert (trace.status, trace.confidence_parts["kind"]) == ("unanswerable", 0.0)


@pytest.mark.parametrize("question", ["Which companies did Bill Gates found?", "Which author wrote Hamlet?"])
def test_of_the_kind_that_is_asked_for_is_what_may_be(gateway: Pipeline, question: str) -> None:
    assert gateway.ask(Ask(question)).confidence_parts["kind"] == 1.0


def test_none_is_not_said_for_sure_where_nobody_has_any(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("Which mountains did Marie Curie discover?"))
    assert (trace.status, trace.confidence < 0.2) == ("unanswerable", True)
    assert trace.text == "Nothing in this graph speaks of “discover”."


def test_none_is_an_answer_where_there_could_be_one(gateway: Pipeline) -> None:
    assert gateway.ask(Ask("Which awards has Satya Nadella received?")).status == "empty"


def test_none_is_the_likeliest_answer_where_it_is_hardly_sure_enough(gateway: Pipeline) -> None:
    """Its confidence is that from which none is said, or just less."""
    trace = gateway.ask(Ask("Which awards did Satya Nadella win?"))
    assert trace.status in ("empty", "unanswerable")
    assert trace.values == ()
    assert "Relate(award received, forward)" in trace.attempts[0].program
    assert trace.attempts[0].outcome == EMPTY
