from __future__ import annotations

import json
from importlib import resources

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.drafts.generation.context.facts import THRESHOLD
from nlq_gateway.drafts.generation.context.threshold import (
    FEWEST,
    GRID,
    MOST,
    Solved,
    qualities,
    threshold_of,
)
from tests.generation.asked import Asked


@pytest.fixture(scope="module")
def solved(sample: Asked) -> list[Solved]:
    """The sample's own questions with their programs."""
    lines = (resources.files("nlq_gateway.sample") / "questions.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    return [
        (sample.links(record["question"], record.get("lang", "en")), read_program(record))
        for record in records
    ]


def test_facts_are_mostly_right_on_the_sample(sample: Asked, solved: list[Solved]) -> None:
    (quality,) = qualities(sample.finder, solved, (THRESHOLD,))
    assert quality.precision > 0.7
    assert quality.recall > 0.45


def test_a_higher_threshold_never_finds_more(sample: Asked, solved: list[Solved]) -> None:
    recalls = [one.recall for one in qualities(sample.finder, solved)]
    assert recalls == sorted(recalls, reverse=True)


def test_the_most_precise_that_still_tells_something_is_taken(sample: Asked, solved: list[Solved]) -> None:
    chosen = threshold_of(sample.finder, solved)
    found = {one.threshold: one for one in qualities(sample.finder, solved)}
    highest = max(one.recall for one in found.values())
    telling = [one for one in found.values() if one.recall >= 2 / 3 * highest]
    assert found[chosen] in telling
    assert round(found[chosen].precision, 2) == max(round(one.precision, 2) for one in telling)


def test_of_equally_precise_ones_the_lowest(sample: Asked, solved: list[Solved]) -> None:
    plain = next(one for one in solved if one[0].question.text == "Who directed Pulp Fiction?")
    assert threshold_of(sample.finder, [plain] * FEWEST) == GRID[0]


def test_the_default_where_demonstrations_are_few_or_tell_nothing(
    sample: Asked, solved: list[Solved]
) -> None:
    assert threshold_of(sample.finder, solved[: FEWEST - 1], 0.42) == 0.42
    nothing = (sample.links("Why?"), read_program("Find(Paris)->Relate(capital, backward)->What()"))
    assert threshold_of(sample.finder, [nothing] * FEWEST, 0.42) == 0.42


def test_many_are_looked_at_in_part(sample: Asked, solved: list[Solved]) -> None:
    many = solved * 3
    assert len(many) > MOST
    assert threshold_of(sample.finder, many) in GRID


def test_names_of_a_program_may_be_iris_and_aliases(sample: Asked) -> None:
    links = sample.links("Who directed Pulp Fiction?")
    index = sample.finder.index
    (item,) = (one for one in index.schema if one.label == "directed by")
    for name in (item.label, *item.aliases, f"<{item.iri}>"):
        program = read_program(
            {
                "program": [
                    {"function": "Find", "dependencies": [], "inputs": ["Pulp Fiction"]},
                    {"function": "Relate", "dependencies": [0], "inputs": [name, "forward"]},
                    {"function": "What", "dependencies": [1], "inputs": []},
                ]
            }
        )
        (quality,) = qualities(sample.finder, [(links, program)], (0.7,))
        assert (quality.precision, quality.recall) == (1.0, 1.0)
