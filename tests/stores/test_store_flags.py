"""Attributes that are true or false, on each store: some keep booleans as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from benchmarks.stores import Server, graph_of, triples_of_files
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.settings import EndpointSettings, Settings
from tests.pipeline.test_flags import HOTELS, PROGRAMS


@pytest.fixture(scope="module")
def gateway(server: Server) -> Iterator[Pipeline]:
    triples = triples_of_files([HOTELS])
    source = {
        "id": "hotels",
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


def test_the_index_knows_them(gateway: Pipeline) -> None:
    schema = gateway.endpoint(None).index.schema
    assert {item.label for item in schema if item.is_flag} == {"active", "has parking", "is open", "coastal"}


@pytest.mark.parametrize(("text", "expected"), PROGRAMS)
def test_programs(gateway: Pipeline, text: str, expected: list[str]) -> None:
    answer = gateway.run(read_program(text)).answer
    assert answer is not None
    assert sorted(answer.strings) == expected
