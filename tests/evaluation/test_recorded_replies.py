"""What a strong model wrote is read, and right programs of it stay right answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.recorded import arbitration
from benchmarks.recorded.measure import Outcome, outcomes
from benchmarks.recorded.record import Recorded, read_replies
from benchmarks.recorded.sets import Set, sets
from nlq_gateway.generation.reading import read

RECORDED = read_replies()


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Set:
    """The set whose graph is there: the sample's."""
    nowhere = tmp_path_factory.mktemp("data")
    (one,) = (found for found in sets(nowhere, nowhere) if found.name == "German")
    return one


@pytest.fixture(scope="module")
def made(german: Set, cache: Path) -> list[Outcome]:
    assert cache.name == "cache"
    return list(outcomes([german], RECORDED, ("only", "steps", "auto", "bottom-up")))


def test_every_question_is_recorded_once() -> None:
    assert len({(one.set, one.id) for one in RECORDED}) == len(RECORDED)


@pytest.mark.parametrize("one", RECORDED, ids=lambda one: one.id)
def test_every_reply_is_read(one: Recorded) -> None:
    assert read(one.reply, one.strategy).program is not None


def test_what_is_right_alone_is_right_beside_the_others(made: list[Outcome]) -> None:
    assert made
    for one in made:
        assert one.repaired
        assert one.parts
        assert one.scores["auto"] >= one.scores["only"], one.id
        assert one.scores["steps"] >= one.scores["only"], one.id


def test_the_numbers_for_auto_are_weighed(made: list[Outcome]) -> None:
    shown = arbitration.shown(made).splitlines()
    alone = sum(one.scores["only"][0] == 1 for one in made)
    assert shown[0] == f"right with the model alone: {alone} of {len(made)}"
    assert len(shown) == 14
