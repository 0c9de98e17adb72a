"""Recorded replies of a strong model are read, and its right programs stay right answers."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from benchmarks.recorded import arbitration
from benchmarks.recorded.measure import Outcome, outcomes
from benchmarks.recorded.record import Recorded, read_replies
from benchmarks.recorded.sets import GERMAN, LANGUAGES, Set, sets
from nlq_gateway.drafts.generation.reading import read

RECORDED = read_replies()


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Set:
    """The first of the sets whose graph is there: the sample's."""
    nowhere = tmp_path_factory.mktemp("data")
    (one,) = (found for found in sets(nowhere, nowhere) if found.name == "German")
    return one


@pytest.fixture(scope="module")
def made(german: Set) -> list[Outcome]:
    return list(outcomes([german], RECORDED, ("only", "steps", "auto", "bottom-up")))


def test_every_question_is_recorded_once() -> None:
    assert len({(one.set, one.id) for one in RECORDED}) == len(RECORDED)


def test_every_reply_is_read() -> None:
    assert [one.id for one in RECORDED if read(one.reply, one.strategy).program is None] == []


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


def test_what_was_said_is_measured_by_its_words(german: Set) -> None:
    graph = german.graphs[0]
    question = next(one for one in graph.questions if one.id == "sample-01-de")
    program = "Step 1: Find(Pulp Fiction)\nStep 2: Relate(directed by, forward)\nStep 3: What()"
    one = Recorded(german.name, graph.name, question.id, question.text, "steps", program)
    spoken = replace(one, response="Bei Pulp Fiction führte Quentin Tarantino Regie.")
    for recorded, said in ((one, False), (spoken, True)):
        (made,) = outcomes([german], [recorded], ("only", "auto"))
        assert made.spoken == {"only": said, "auto": said}


def test_translated_questions_are_of_known_ones_and_each_once() -> None:
    records = [json.loads(line) for line in LANGUAGES.read_text("utf-8").splitlines()]
    assert len(records) == len({one["of"] for one in records}) == 30
    assert min(Counter(one["lang"] for one in records).values()) >= 7
    german = [json.loads(line) for line in GERMAN.read_text("utf-8").splitlines()]
    assert not {one["of"] for one in records} & {one["of"] for one in german}
