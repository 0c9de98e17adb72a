"""Things without labels, each class with its own attribute for a name: found, asked for and shown by it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.settings import Settings
from nlq_gateway.trace import Trace

PLACE = "http://harbour.example/"
_SHIPS = ("Aurora", "Bellona", "Cormoran", "Dauntless", "Estrella", "Fulgur")
_PORTS = ("Oslo", "Porto", "Quebec")
GRAPH = f"@prefix : <{PLACE}> .\n@prefix ship: <{PLACE}ship#> .\n@prefix port: <{PLACE}port#> .\n" + "".join(
    (
        *(
            f'<{PLACE}ship/id={n}> a :Ship ; ship:ship_name "{name}" ; ship:flag "{("PT", "NO")[n % 2]}" ;'
            f" ship:tonnage {n * 100} ; ship:home <{PLACE}port/id={n % 3}> .\n"
            for n, name in enumerate(_SHIPS)
        ),
        *(
            f'<{PLACE}port/id={n}> a :Port ; port:title "{name}" ; port:harbour_master "master {n}" .\n'
            for n, name in enumerate(_PORTS)
        ),
        *(f'[] a :Berth ; :depth {n} ; :berth_name "berth {n}" .\n' for n in range(5)),
        *(f"<{PLACE}crane/id={n}> a :Crane ; :crane_number {n + 70} ; :load {n * 9} .\n" for n in range(4)),
    )
)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("harbour") / "harbour.ttl"
    file.write_text(GRAPH, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def gateway(graph: Path) -> Iterator[Pipeline]:
    opened = Pipeline(Settings.for_data([graph]))
    opened.endpoint(None).prepare()
    yield opened
    opened.close()


def asked(gateway: Pipeline, question: str) -> Trace:
    return gateway.ask(Ask(question))


def test_each_class_is_named_by_its_own_attribute_and_the_log_says_so(
    graph: Path, caplog: pytest.LogCaptureFixture
) -> None:
    gateway = Pipeline(Settings.for_data([graph]))
    with caplog.at_level(logging.WARNING):
        gateway.endpoint(None).prepare()
    manifest = gateway.endpoint(None).index.manifest
    gateway.close()
    assert manifest.naming == {PLACE + "Ship": PLACE + "ship#ship_name", PLACE + "Port": PLACE + "port#title"}
    assert f"<{PLACE}port#title> for Port, <{PLACE}ship#ship_name> for Ship" in caplog.text


@pytest.mark.parametrize(
    ("flag", "names"),
    [
        ("PT", ("Aurora", "Cormoran", "Estrella")),
        ("NO", ("Bellona", "Dauntless", "Fulgur")),
    ],
)
def test_things_are_shown_by_their_names_with_the_one_predicate_of_their_class(
    gateway: Pipeline, flag: str, names: tuple[str, ...]
) -> None:
    trace = asked(gateway, f"Which ships have the flag {flag}?")
    assert trace.answer is not None
    assert trace.answer.strings == names
    assert trace.query is not None
    assert "OPTIONAL { ?ship ship:ship_name ?shipLabel . }" in trace.query.text


def test_things_reached_by_a_relation_are_named_by_the_class_it_leads_to(gateway: Pipeline) -> None:
    trace = asked(gateway, "What is the home of Cormoran?")
    assert trace.answer is not None
    assert trace.answer.strings == ("Quebec",)
    assert trace.query is not None
    assert "port:title" in trace.query.text
    assert "|" not in trace.query.text


def test_things_of_a_class_without_labels_are_shown_by_their_names_beside_it(gateway: Pipeline) -> None:
    trace = asked(gateway, "Which berths have a depth over 2?")
    assert trace.answer is not None
    assert set(trace.answer.strings) == {"berth 3", "berth 4"}


def test_things_without_a_name_are_shown_by_their_number(gateway: Pipeline) -> None:
    program = "FindAll()->FilterConcept(Crane)->FilterNum(load, 10, >)->What()"
    trace = gateway.run(read_program(program))
    assert trace.answer is not None
    assert set(trace.answer.strings) == {"72", "73"}


def test_a_thing_is_found_by_its_name_which_stays_an_attribute(gateway: Pipeline) -> None:
    index = gateway.endpoint(None).index
    assert [one.iri for one in index.entities_named("Porto")] == [PLACE + "port/id=1"]
    assert index.item(Kind.ATTRIBUTE, PLACE + "port#title") is not None


def test_predicates_in_the_settings_switch_it_off(graph: Path) -> None:
    settings = Settings.for_data([graph])
    labels = settings.endpoints[0].labels.model_validate({"predicates": ["rdfs:label"]})
    endpoint = settings.endpoints[0].model_copy(update={"labels": labels})
    gateway = Pipeline(settings.model_copy(update={"endpoints": (endpoint,)}))
    gateway.endpoint(None).prepare()
    assert gateway.endpoint(None).index.manifest.naming == {}
    assert not gateway.endpoint(None).index.entities_named("Aurora")
    answer = gateway.run(read_program("FindAll()->FilterConcept(Crane)->What()")).answer
    assert answer is not None
    assert "id=0" in answer.strings
    gateway.close()
