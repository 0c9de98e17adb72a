"""Attributes that are true or false, on each store: some keep booleans as numbers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.stores import Server
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from tests.pipeline.test_flags import HOTELS, PROGRAMS
from tests.stores.loading import opened_at


@pytest.fixture(scope="module")
def gateway(server: Server) -> Iterator[Pipeline]:
    with opened_at(server, HOTELS) as gateway:
        yield gateway


def test_the_index_knows_them(gateway: Pipeline) -> None:
    schema = gateway.endpoint(None).index.schema
    assert {item.label for item in schema if item.truths} == {"active", "has parking", "is open", "coastal"}


@pytest.mark.parametrize(("text", "expected"), PROGRAMS)
def test_programs(gateway: Pipeline, text: str, expected: list[str]) -> None:
    answer = gateway.run(read_program(text)).answer
    assert answer is not None
    assert sorted(answer.strings) == expected
