"""Questions made of others by a small change, for the judge."""

from __future__ import annotations

from training.examples import is_train
from training.judging.edited import Edits, edited, read_edits

RECORD = {
    "question": "Who bought the mill?",
    "kind": "written",
    "candidates": [{"steps": "relate buyer", "right": True}, {"steps": "relate seller", "right": False}],
}


def test_the_same_program_is_right_for_one_question_and_wrong_for_the_other() -> None:
    edits = {("mills", "Who bought the mill?"): Edits("The mill's buyer?", "Who sold the mill?")}
    same, other = edited("mills", RECORD, edits)
    assert (same["question"], same["candidates"]) == ("The mill's buyer?", RECORD["candidates"])
    assert other["question"] == "Who sold the mill?"
    assert other["candidates"] == [{"steps": "relate buyer", "right": False}]


def test_nothing_is_made_of_other_records() -> None:
    edits = {("mills", "Who bought the mill?"): Edits("The mill's buyer?", "Who sold the mill?")}
    unanswered = {**RECORD, "candidates": [{"steps": "relate seller", "right": False}]}
    assert not list(edited("mills", unanswered, edits))
    assert not list(edited("barns", RECORD, edits))


def test_edits_differ_and_some_are_kept_out_of_training() -> None:
    edits = read_edits()
    assert 300 < sum(not is_train(graph) for graph, _ in edits) < len(edits) / 5
    for (_, question), made in edits.items():
        assert len({question, made.other, made.same}) == 3
