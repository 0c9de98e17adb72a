"""The time that a look-up by spelling may take on a large graph."""

from __future__ import annotations

import random
import time

import pytest

from compilers.kopl.functions import Kind
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index import Index, build

LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """100,000 names of two words, from a few hundred first and many last names."""
    draw = random.Random(3)
    syllables = [one + two for one in "bcdfghjklmnprstvwz" for two in ("a", "e", "i", "o", "u", "an", "er")]

    def word(length: int) -> str:
        return "".join(draw.choices(syllables, k=length)).title()

    first = [word(2) for _ in range(300)]
    folder = tmp_path_factory.mktemp("people")
    lines = (
        f'<http://p.example/{n}> {LABEL} "{draw.choice(first)} {word(draw.choice((2, 3)))}" .\n'
        for n in range(100_000)
    )
    (folder / "people.nt").write_text("".join(lines))
    build(EmbeddedOxigraph.in_memory([folder / "people.nt"]), "direct", folder / "index")
    return Index.open(folder / "index", None)


@pytest.mark.benchmark
def test_a_misspelt_name_is_found_in_five_milliseconds(people: Index) -> None:
    draw = random.Random(5)
    names = [people.entity(f"http://p.example/{draw.randrange(100_000)}") for _ in range(100)]
    found, times = 0, []
    for item in names:
        assert item is not None
        at = draw.randrange(1, len(item.label) - 1)
        text = (item.label[:at] + item.label[at + 1 :]).lower()
        started = time.thread_time()
        hits = people.search(text, (Kind.ENTITY,), 5)
        near = people.misspelt(text, [text])
        times.append((time.thread_time() - started) / 2)
        found += item.label in {hit.label for hit in (*hits, *near.get(text, ()))}
    assert found >= 95
    assert sorted(times)[50] < 0.005


@pytest.mark.benchmark
def test_a_part_of_a_name_is_found_in_five_milliseconds(people: Index) -> None:
    item = people.entity("http://p.example/7")
    assert item is not None
    started = time.thread_time()
    for word in item.label.split() * 10:
        assert people.bearing(word)
    assert (time.thread_time() - started) / 20 < 0.005
