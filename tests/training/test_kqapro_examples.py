"""KQA Pro's patterns, queries and programs become one program in canonical order."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from compilers.kopl.functions import ValueType
from compilers.kopl.notations.json import from_data
from compilers.kopl.program import Program
from training.kqapro.examples import Example, distinct, is_valid
from training.kqapro.grammar import grammar_examples
from training.kqapro.labels import Labels
from training.kqapro.mentions import in_order, is_said
from training.kqapro.patterns import OddPatterns, joined, read_patterns, tree_of
from training.kqapro.pools import Pools
from training.kqapro.queries import plain_numbers, tree_of_query
from training.kqapro.surfaces import VALUES
from training.kqapro.trees import read, write
from training.kqapro.variants import variants

FIXTURES = Path(__file__).parent / "fixtures" / "kqapro"


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FIXTURES / name).read_text(encoding="utf-8").splitlines()]


def _calls(program: Program) -> list[str]:
    return [str(step) for step in program.steps]


@pytest.fixture(scope="module")
def labels() -> Labels:
    data = json.loads((FIXTURES / "labels.json").read_text(encoding="utf-8"))
    types = {label: ValueType(kind) for label, kind in data["types"].items()}
    return Labels(frozenset(data["relations"]), types)


@pytest.fixture(scope="module")
def pools(labels: Labels) -> Pools:
    made = Pools(labels)
    for row in _rows("patterns.jsonl"):
        made.add_patterns(read_patterns(row["patterns"]))
    for subject, postal_code in (("Lima", "15001"), ("Washington", "20001")):
        made.add_fact(subject, "postal code", postal_code)
    made.add_fact("Lima", "population", "8852000")
    made.add_fact("Paris", "population", "2175601")
    return made


@pytest.mark.parametrize("row", _rows("patterns.jsonl"), ids=lambda row: row["target"])
def test_patterns_become_a_program(row: dict[str, Any], labels: Labels) -> None:
    patterns = read_patterns(row["patterns"])
    if row["program"] is None:
        with pytest.raises(OddPatterns):
            tree_of(row["target"], patterns, labels)
        return
    program = write(tree_of(row["target"], patterns, labels))
    assert _calls(program) == row["program"]
    assert is_valid(program)


@pytest.mark.parametrize("row", _rows("queries.jsonl"), ids=lambda row: row["sparql"][:40])
def test_queries_become_a_program(row: dict[str, Any], labels: Labels) -> None:
    if row["program"] is None:
        with pytest.raises(OddPatterns):
            tree_of_query(row["sparql"], labels)
        return
    assert _calls(write(tree_of_query(row["sparql"], labels))) == row["program"]


@pytest.mark.parametrize("row", _rows("canonical.jsonl"), ids=lambda row: row["question"])
def test_programs_have_one_order(row: dict[str, Any]) -> None:
    program = write(in_order(read(from_data(row["program"])), row["question"]))
    assert _calls(program) == row["canonical"]
    assert write(read(program)) == program


def test_a_text_broken_at_commas_is_put_together() -> None:
    assert joined(["Washington", " D.C.", "country", "USA"]) == ["Washington, D.C.", "country", "USA"]


def test_numbers_lose_what_machines_put_on() -> None:
    assert (
        plain_numbers("rank 360.0 and 2.5e+06, not 1.0.1 or 12.05")
        == "rank 360 and 2500000, not 1.0.1 or 12.05"
    )


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("When did Gregg Allman stop being the spouse of Cher, born Cherilyn Sarkisian?", True),
        ("When did Gregg Allmann divorce Cher (born Cherilyn Sarkisian)?", True),
        ("When did he divorce Cher, born Cherilyn Sarkisian?", False),
    ],
)
def test_names_must_be_said_at_least_nearly(question: str, said: bool, labels: Labels) -> None:
    row = _rows("patterns.jsonl")[0]
    assert is_said(tree_of(row["target"], read_patterns(row["patterns"]), labels), question) is said


def test_variants_say_what_their_programs_say(pools: Pools) -> None:
    row = _rows("canonical.jsonl")[0]
    found = list(
        variants(Example(row["question"], from_data(row["program"]), "official"), pools, 4, Random(1))
    )
    assert found
    for example in found:
        assert example.question != row["question"]
        assert is_said(read(example.program), example.question)
        assert is_valid(example.program)


def test_the_grammar_makes_what_it_is_asked_for(pools: Pools) -> None:
    found = list(grammar_examples(pools, 60, Random(3)))
    assert len(found) == len({example.question for example in found}) == 60
    assert {"Count", "QueryRelation", "SelectBetween", "SelectAmong"} <= {
        example.program.steps[-1].function for example in found
    }
    assert all(is_valid(example.program) for example in found)
    assert not any("{" in example.question for example in found)


def test_a_question_for_development_stays_there() -> None:
    program = from_data([{"function": "Find", "inputs": ["Cher"]}, {"function": "What"}])
    train, dev = (
        Example("Who is Cher?", program, "shots"),
        Example("who is Cher?", program, "official", "dev"),
    )
    assert distinct([train, dev]) == [dev]


@pytest.mark.parametrize(
    ("value", "ways"),
    [
        ("1200 minute", {"1200 minute", "1,200 minute", "1200 minutes", "1,200 minutes"}),
        ("2010-07-01", {"2010-07-01", "July 1, 2010", "1 July 2010"}),
        ("http://dc.gov/", {"http://dc.gov/", "dc.gov"}),
    ],
)
def test_values_are_written_in_ways_that_people_use(value: str, ways: set[str]) -> None:
    assert {written for surface in VALUES if (written := surface(value))} == ways
