"""Numbers that a graph states as texts, on each store: the same index, and the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from benchmarks.stores import Server, graph_of, triples_of_files
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.settings import EndpointSettings, Settings
from tests.pipeline.test_number_texts import NUMBER_TEXTS, PROGRAMS, ROOMS


@pytest.fixture(scope="module")
def gateway(server: Server) -> Iterator[Pipeline]:
    triples = triples_of_files([ROOMS])
    source = {
        "id": "rooms",
        "url": server.query,
        "auth": server.settings,
        "default_graphs": [graph_of(triples)],
        "layout": "direct",
        "dialect": server.holding(triples).dialect,
    }
    endpoint = EndpointSettings.model_validate(source)
    with closing(Pipeline(Settings(endpoints=(endpoint,)))) as gateway:
        gateway.endpoint(None).prepare()
        yield gateway


def test_the_index_knows_which_texts_are_numbers(gateway: Pipeline) -> None:
    assert gateway.endpoint(None).prepared.options.number_texts == NUMBER_TEXTS


@pytest.mark.parametrize(("text", "expected"), PROGRAMS)
def test_programs(gateway: Pipeline, text: str, expected: list[str]) -> None:
    answer = gateway.run(read_program(text)).answer
    assert answer is not None
    assert sorted(answer.strings) == expected
