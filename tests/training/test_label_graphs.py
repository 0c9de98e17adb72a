"""Graphs made of labels: their programs find what their facts say, and what is left out is not there."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program, Step
from nlq_gateway.offline.evaluation import GoldQuestion
from training.judging.collect import Collecting, Part
from training.judging.labels import lines
from training.labels import LabelGraph, label_graphs
from training.labels.properties import property_graphs
from training.labels.relations import relation_graphs
from training.mentioned import as_mentioned

GRAPHS = {graph.name: graph for graph in (next(relation_graphs()), next(property_graphs()))}


def answers(graph: LabelGraph) -> dict[str, tuple[object, ...]]:
    """What the program of each question finds, by the question."""
    with graph.as_file() as file:
        collecting = Collecting(Part(graph.name, (str(file),), tuple, mutated=False))
        with closing(collecting.gateway):
            asked = ((text, GoldQuestion("", text, "labels", program=one)) for text, one in graph.questions)
            return {text: collecting.gold(question) for text, question in asked}


@pytest.mark.parametrize("name", GRAPHS)
def test_programs_find_what_the_facts_say(name: str) -> None:
    graph = GRAPHS[name]
    found = answers(graph)
    compares = {text for text, program in graph.questions if "Filter" in NOTATIONS["chain"].write(program)}
    assert all(found[text] for text in found.keys() - compares)
    verdicts = Counter(rows[0] for rows in found.values() if rows and rows[0] in ("yes", "no"))
    assert not verdicts or 0.8 < verdicts["yes"] / verdicts["no"] < 1.25


def test_graphs_are_the_same_each_time() -> None:
    assert list(label_graphs()) == list(label_graphs())


def test_classes_that_are_held_out_are_in_no_graph_of_training() -> None:
    learned, held = (_classes(held_out) for held_out in (False, True))
    assert 4 < len(learned) / len(held) < 6
    assert not learned & held


def _classes(held_out: bool) -> set[str]:
    """The classes that questions begin from."""
    steps = (
        step
        for graph in property_graphs(held_out=held_out)
        for _, program in graph.questions
        for step in program.steps
    )
    return {step.inputs[0] for step in steps if step.function == "FilterConcept"}


def test_no_question_is_both_answered_and_absent() -> None:
    graph = next(property_graphs())
    assert graph.absent
    assert not {text for text, _ in graph.questions} & set(graph.absent)


def test_a_verdict_is_right_by_what_it_asks() -> None:
    """Nearly every wrong program says no; only the right one counts as right."""
    told = [line for line in lines(GRAPHS["relations_0"]) if line["candidates"]]
    verdicts = [line for line in told if line["candidates"][0]["answer"] in (["yes"], ["no"])]
    right = [set(_right(line)) for line in verdicts]
    assert len(verdicts) > 20
    assert all(len(programs) <= 1 for programs in right)
    assert sum(map(len, right)) > 0.9 * len(right)


def _right(line: dict[str, Any]) -> Iterator[Program]:
    for one in line["candidates"]:
        if one["right"]:
            yield as_mentioned(read_program(json.dumps(one["program"])), line["question"])


def test_a_class_that_is_named_counts_where_a_relation_has_several() -> None:
    """Which firms, and not what else it leads to."""
    graphs = list(relation_graphs())
    kept = [chain for graph in graphs for chain in chains(graph) if "FilterConcept" in chain]
    assert len(kept) > 300
    assert all(chain.startswith("Find") and chain.endswith("->What()") for chain in kept)


def test_two_relations_in_a_row_are_asked_for_by_the_words_of_both() -> None:
    asked = {text: program for graph in relation_graphs() for text, program in graph.questions}
    two = [text for text, program in asked.items() if len(_related(program)) == 2]
    assert len(two) > 150
    assert all("'s " in text for text in two)


def _related(program: Program) -> list[Step]:
    return [step for step in program.steps if step.function == "Relate"]


def chains(graph: LabelGraph) -> list[str]:
    """The programs of a graph's questions."""
    return [NOTATIONS["chain"].write(program) for _, program in graph.questions]
