"""Numbers and dates that a graph states as texts, on each store: the same index, and the same answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.stores import Server
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from tests.pipeline.test_typed_texts import DATE_TEXTS, NUMBER_TEXTS, PROGRAMS, ROOMS
from tests.stores.loading import opened_at


@pytest.fixture(scope="module")
def gateway(server: Server) -> Iterator[Pipeline]:
    with opened_at(server, ROOMS) as gateway:
        yield gateway


def test_the_index_knows_which_texts_are_numbers_or_dates(gateway: Pipeline) -> None:
    options = gateway.endpoint(None).prepared.options
    assert options.number_texts == NUMBER_TEXTS
    assert options.date_texts == DATE_TEXTS


@pytest.mark.parametrize(("text", "expected"), PROGRAMS)
def test_programs(gateway: Pipeline, text: str, expected: list[str]) -> None:
    answer = gateway.run(read_program(text)).answer
    assert answer is not None
    assert sorted(answer.strings) == expected
