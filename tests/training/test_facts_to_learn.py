"""The pairs of a fact and its reverse that the network of directions learns from."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from compilers.kopl.notations import read_program
from training.examples import Example, write_lines
from training.judging.facts import of_examples, of_labels


def label_of(fact: str) -> str:
    """The label between both ends of a fact."""
    return " ".join(fact.split()[1:-1])


def test_no_label_is_both_learned_and_held_out() -> None:
    learned = defaultdict[bool, set[str]](set)
    for is_held, (kind, ((_, fact), _)) in of_labels():
        if kind.startswith("label"):
            learned[is_held].add(label_of(fact))
    assert 8 < len(learned[False]) / len(learned[True]) < 10
    assert not learned[False] & learned[True]


def test_every_pair_has_one_question_and_both_ways() -> None:
    for _, (_, ((question, fact), (again, reverse))) in of_labels():
        first, *label, second = fact.split()
        assert again == question
        assert reverse.split() == [second, *label, first]


def test_of_relations_that_hold_both_ways_either_fact_is_right() -> None:
    asked = [both for _, (kind, both) in of_labels() if kind == "symmetric"]
    assert asked
    assert {both[::-1] for both in asked} == set(asked)


@pytest.mark.parametrize(
    ("question", "program", "facts"),
    [
        ("Who taught Ida?", "Find(Ida)->Relate(teacher, forward)->What()", ["Ann teacher what"]),
        ("How many did Ida teach?", "Find(Ida)->Relate(teacher, backward)->Count()", ["what teacher Ann"]),
        (
            "Did Leo teach Ida?",
            "Find(Leo)->Find(Ida)->Relate(teacher, forward)->And()->Exists()",
            ["Bob teacher Ann"],
        ),
        ("Who is a painter?", "Find(painter)->Relate(occupation, backward)->What()", []),
        ("Who taught Ada?", "Find(Ida)->Relate(teacher, forward)->What()", []),
    ],
)
def test_examples_are_told_as_facts(tmp_path: Path, question: str, program: str, facts: list[str]) -> None:
    example = Example(question, read_program(program), "some graph", "written")
    write_lines(tmp_path / "some.examples.jsonl", [example.record()])
    assert [fact for _, (_, ((_, fact), _)) in of_examples(tmp_path)] == facts
