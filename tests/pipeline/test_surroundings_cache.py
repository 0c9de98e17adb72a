"""Answers of a store are kept, and making room never removes what a question is about to read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from nlq_gateway.answering import Pipeline, store_surroundings
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.drafts.reasoning import Partial

FILMS = ("Pulp Fiction", "The Shining", "2001: A Space Odyssey", "Fargo")


def surroundings(gateway: Pipeline) -> StoreSurroundings:
    """With caches of its own, which are empty."""
    ready = gateway.endpoint("sample").prepared
    return StoreSurroundings(ready.connector, ready.index, ready.layout, ready.traits, ready.options)


def found(name: str) -> Program:
    return read_program(f'Find("{name}") -> Relate(directed by, forward)')


def test_a_full_cache_is_emptied_under_a_question(gateway: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    partials = [Partial(found(name), {}) for name in FILMS]
    told = surroundings(gateway).reach(partials)
    assert all(one is not None and one.facts for one in told)
    monkeypatch.setattr(store_surroundings, "CACHED", 1)
    small = surroundings(gateway)
    for size in range(1, len(partials) + 1):
        # All but the last are kept, and there is no room for it.
        assert small.reach(partials[:size]) == told[:size]


def test_threads_that_empty_one_cache(gateway: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    index = gateway.endpoint("sample").index
    iris = [hit.iri for name in FILMS for hit in index.entities_named(name)]
    told = {iri: surroundings(gateway).around(iri) for iri in iris}
    assert len(told) >= 3
    monkeypatch.setattr(store_surroundings, "CACHED", 2)
    small = surroundings(gateway)
    with ThreadPoolExecutor(4) as pool:
        asked = list(pool.map(small.around, iris * 50))
    assert asked == [told[iri] for iri in iris * 50]
