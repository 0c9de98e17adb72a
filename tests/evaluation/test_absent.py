"""Questions about what a graph lacks, made of the sample's own."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from benchmarks.absent import Asked, Thing, asked_of, foreign, left_out, mixed, swapped
from compilers.kopl.functions import Kind
from nlq_gateway.answering import Pipeline
from nlq_gateway.endpoints.data_store import files_of
from nlq_gateway.offline.evaluation import GoldQuestion, Measurer, Tally, read_questions

SAMPLE = Path(str(resources.files("nlq_gateway.sample"))) / "questions.jsonl"


@pytest.fixture(scope="module")
def asked(gateway: Pipeline) -> tuple[Asked, ...]:
    return tuple(asked_of(read_questions(str(SAMPLE)), gateway.endpoint(None)))


def test_what_a_question_needs_is_in_its_program(asked: tuple[Asked, ...]) -> None:
    (first,) = (one for one in asked if one.question.id == "sample-01")
    assert [(thing.kind, thing.label) for thing in first.things] == [
        (Kind.ENTITY, "Pulp Fiction"),
        (Kind.RELATION, "directed by"),
    ]


def test_what_is_left_out_is_not_in_the_graph(asked: tuple[Asked, ...]) -> None:
    lacking = left_out(files_of(["builtin:sample"]), asked, 4, seed=3)
    text = " ".join(map(str, lacking.triples))
    needs = {one.question.text: one.things for one in asked}
    assert lacking.questions
    for question in lacking.questions:
        assert question.unanswerable
        assert any(not any(f"<{iri}>" in text for iri in thing.iris) for thing in needs[question.text])


def test_a_foreign_question_speaks_of_something_that_has_no_word_here(
    gateway: Pipeline, asked: tuple[Asked, ...]
) -> None:
    assert not list(foreign(asked, gateway.endpoint(None).index))


def test_a_swapped_question_names_what_the_graph_has_not(gateway: Pipeline, asked: tuple[Asked, ...]) -> None:
    index = gateway.endpoint(None).index
    (first,) = (one for one in asked if one.question.id == "sample-01")
    stranger = Asked(first.question, (Thing(Kind.ENTITY, "Pulp Friction"), Thing(Kind.ENTITY, "Warsaw")))
    (swap,) = swapped([first], [stranger], index, seed=3)
    assert swap.text == first.question.text.replace("Pulp Fiction", "Pulp Friction")
    assert swap.unanswerable
    assert not list(swapped([first], asked, index, seed=3))


def test_a_mixed_question_has_a_name_of_two_halves(gateway: Pipeline, asked: tuple[Asked, ...]) -> None:
    index = gateway.endpoint(None).index
    first, second = (one for one in asked if one.question.id in ("sample-01", "sample-02"))
    texts = {question.text for question in mixed([first, second], index, seed=3)}
    halves = [one.longest_name.split() for one in (first, second)]
    assert texts
    assert all(any(half[0] in text for half in halves) for text in texts)
    assert not texts & {one.question.text for one in asked}


def test_refusing_what_the_graph_lacks_is_right(gateway: Pipeline) -> None:
    questions = [
        GoldQuestion("1", "How tall is Xaver Unbekannt?", "name", (), unanswerable=True),
        GoldQuestion("2", "Who directed Pulp Fiction?", "name", (), unanswerable=True),
    ]
    report = Tally(list(map(Measurer(gateway).measure, questions))).report()
    assert report["unanswerable"] == {"n": 2, "answered": 1}
    assert (report["n"], report["hits_at_1"], report["answered"]) == (2, 0.5, 0.5)
    assert report["error_table"]["invented"] == 1
    assert report["calibration"]["table"][0]["n"] == 1
