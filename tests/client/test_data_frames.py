"""Questions to a pandas data frame."""

from __future__ import annotations

import gc
from pathlib import Path

import pandas
import pytest

from nlq_gateway.client import accessor


@pytest.fixture
def cities(cache: Path) -> pandas.DataFrame:
    assert cache.name == "cache"
    return pandas.DataFrame(
        {
            "city": ["Berlin", "Hamburg", "Paris", "Lyon", "Rome"],
            "country": ["Germany", "Germany", "France", "France", "Italy"],
            "population": [3_700_000, 1_900_000, 2_100_000, 520_000, None],
            "first_mayor": pandas.to_datetime(["1809-07-06", None, "1789-07-15", "1790-01-01", None]),
            "capital": [True, False, True, False, True],
        }
    )


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which city has the largest population?", {"Berlin"}),
        ("List the cities in Italy.", {"Rome"}),
        ("How many cities are in Germany?", {"2"}),
        ("What is the population of Lyon?", {"520000"}),
        ("Which cities have a population over 2000000?", {"Paris", "Berlin"}),
        ("What is the average population of cities in France?", {"1310000"}),
    ],
)
def test_a_frame_is_asked(cities: pandas.DataFrame, question: str, expected: set[str]) -> None:
    answer = cities.nlq.ask(question, rows="city")
    assert {value.label or value.value for value in answer.values} == expected


def test_cells_keep_their_types_and_empty_ones_are_left_out(cities: pandas.DataFrame) -> None:
    triples = [(str(one.predicate.value), one.object) for one in accessor.triples_of(cities, "city")]
    population = [cell for predicate, cell in triples if predicate.endswith("column:population")]
    assert [cell.value for cell in population] == ["3700000", "1900000", "2100000", "520000"]
    days = [cell for predicate, cell in triples if predicate.endswith("column:first_mayor")]
    assert [cell.value for cell in days] == ["1809-07-06", "1789-07-15", "1790-01-01"]
    assert {cell.datatype.value.rpartition("#")[2] for cell in days} == {"date"}


def test_rows_without_names_are_numbered() -> None:
    frame = pandas.DataFrame({"colour": ["red", "red"], "size": [1, 2]})
    triples = accessor.triples_of(frame, "shirt")
    labels = {one.object.value for one in triples if one.predicate.value.endswith("#label")}
    assert labels == {"shirt", "shirt 1", "shirt 2", "colour", "size"}


def test_the_gateway_goes_with_its_frame(cities: pandas.DataFrame) -> None:
    gateway = cities.nlq.gateway("city")
    assert cities.nlq.gateway("city") is gateway
    copied = cities.copy()
    key = id(copied), "city"
    copied.nlq.ask("How many cities are there?", rows="city")
    assert key in accessor._gateways
    del copied
    gc.collect()
    assert key not in accessor._gateways
