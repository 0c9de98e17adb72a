"""Blank nodes as things, on stores that have another identifier for them in each answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.building import write
from benchmarks.recorded.measure import outcomes
from benchmarks.recorded.record import read_replies
from benchmarks.recorded.sets import Graph, Set
from benchmarks.stores import Server, triples_of_files
from connectors import HttpEndpoint
from nlq_gateway.answering import Pipeline
from nlq_gateway.settings import EndpointSettings, Settings
from tests.building.asked import AREAS, misstated, questions, run, wrong
from tests.index.described import shown


@pytest.fixture(scope="module")
def building(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("building") / "building.ttl")


@pytest.fixture(scope="module")
def there(server: Server, building: Path) -> HttpEndpoint:
    return server.holding(triples_of_files([building]))


@pytest.fixture(scope="module")
def gateway(server: Server, building: Path) -> Iterator[Pipeline]:
    source = server.source(triples_of_files([building]))
    endpoint = EndpointSettings.model_validate({"id": "building", "layout": "direct", **source})
    with closing(Pipeline(Settings(endpoints=(endpoint,)))) as gateway:
        gateway.endpoint(None).prepare()
        yield gateway


def test_the_index_is_that_of_the_embedded_store(gateway: Pipeline, building: Path) -> None:
    with closing(Pipeline(Settings.for_data((str(building),)))) as embedded:
        embedded.endpoint(None).prepare()
        expected = shown(embedded.endpoint(None).index)
    assert shown(gateway.endpoint(None).index) == expected


def test_gold_queries_find_the_gold_answers(there: HttpEndpoint) -> None:
    assert list(misstated(there)) == []


def test_gold_programs_find_the_gold_answers(gateway: Pipeline) -> None:
    assert wrong(gateway) == {}


def test_a_blank_node_is_told_by_what_it_belongs_to(gateway: Pipeline) -> None:
    floors = {f"area of Floor {number}" for number in range(1, 5)}
    trace = run(gateway, f"{AREAS}->What()")
    assert trace.answer is not None
    assert set(trace.answer.strings) == floors
    assert set(trace.steps[2].examples) == floors
    assert [step.count for step in trace.steps][1:] == [4, 4, 4]
    assert trace.warnings == ()


def test_recorded_replies_give_the_answers_of_the_embedded_store(server: Server, building: Path) -> None:
    graph = Graph("building", (str(building),), questions(), store=server.name)
    made = list(outcomes([Set("Building", (graph,))], read_replies(), ("only",)))
    assert len(made) == 20
    assert sum(one.scores["only"][0] for one in made) >= 18
