"""Questions to a pandas data frame."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas
import pytest

from nlq_gateway.client import accessor


@pytest.fixture(scope="module", autouse=True)
def little_garbage() -> None:
    """Collections of garbage leave out what other files' tests made, which takes seconds to look at."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def cities() -> pandas.DataFrame:
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
    assert answer.dataset.startswith("frame-")


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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache without frames, of which two are kept at most."""
    monkeypatch.setenv("NLQ_CACHE", str(tmp_path))
    monkeypatch.setattr(accessor, "MOST_FRAMES", 2)
    yield tmp_path
    gc.collect()


def numbered(number: int) -> pandas.DataFrame:
    return pandas.DataFrame({"city": ["Berlin", "Lyon"], "population": [number, 2]})


def asked(number: int) -> str:
    """The answer about a frame that is let go of; frames differ by the number."""
    frame = numbered(number)
    answer = str(frame.nlq.ask("What is the population of Berlin?", rows="city"))
    del frame
    gc.collect()
    return answer


def kept(folder: Path) -> set[str]:
    """The first row of each frame that is kept."""
    assert {file.stem for file in folder.glob("frames/*.nt")} == {
        one.name for one in folder.glob("endpoints/*")
    }
    return {file.read_text().partition('column:population> "')[2][0] for file in folder.glob("frames/*.nt")}


def test_the_frames_used_longest_ago_are_removed_with_their_indexes(folder: Path) -> None:
    assert [asked(number) for number in (3, 4, 3, 5)] == ["3", "4", "3", "5"]
    assert kept(folder) == {"3", "5"}
    assert asked(4) == "4"
    assert kept(folder) == {"4", "5"}


def test_large_frames_are_removed_earlier(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accessor, "MOST_BYTES", 1_000)
    assert [asked(number) for number in (3, 4)] == ["3", "4"]
    assert kept(folder) == {"4"}


def test_an_index_outlives_that_its_frame_is_used_again(folder: Path) -> None:
    asked(3)
    built = {file: file.stat().st_mtime_ns for file in folder.glob("endpoints/*/index/*/manifest.json")}
    asked(3)
    assert {file: file.stat().st_mtime_ns for file in built} == built
    assert len(list(folder.glob("endpoints/*/index/*/manifest.json"))) == len(built) == 1


OTHER = """
import sys
import pandas
import nlq_gateway.client.accessor
frame = pandas.DataFrame({"city": ["Berlin", "Lyon"], "population": [3, 2]})
for _ in sys.stdin:
    print(frame.nlq.ask("What is the population of Berlin?", rows="city"), flush=True)
"""


def test_a_frame_that_another_process_has_open_is_kept(folder: Path) -> None:
    environment = {**os.environ, "NLQ_CACHE": str(folder)}
    with subprocess.Popen(
        [sys.executable, "-c", OTHER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        for number in (4, 5, 6):
            other.stdin.write("\n")
            other.stdin.flush()
            assert other.stdout.readline() == "3\n"
            assert asked(number) == str(number)
        assert kept(folder) == {"3", "5", "6"}
        other.stdin.close()
    assert asked(7) == "7"
    assert kept(folder) == {"6", "7"}
