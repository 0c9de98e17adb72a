"""The demonstrations that come with the package."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from benchmarks.rooms import opened
from compilers.kopl.check import check
from compilers.kopl.functions import FUNCTIONS, Kind
from nlq_gateway.answering import Pipeline
from nlq_gateway.drafts.generation.known import Example
from nlq_gateway.drafts.generation.prompting.examples import builtin_examples
from nlq_gateway.settings import SAMPLE

EXAMPLES = builtin_examples()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.known.question)
def test_each_checks_and_its_facts_are_about_what_it_names(example: Example) -> None:
    assert check(example.program) == ()
    entities = {one.label for one in example.known.entities}
    assert entities.union(example.known.concepts)
    for fact in example.known.facts:
        assert (fact.direction in ("forward", "backward")) == (fact.kind == Kind.RELATION)
        assert (fact.about_kind == Kind.ENTITY) == (fact.about in entities)


@pytest.fixture(scope="module")
def gateway() -> Iterator[Pipeline]:
    with opened((SAMPLE,)) as gateway:
        yield gateway


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.known.question)
def test_each_finds_something_in_the_sample_graph(gateway: Pipeline, example: Example) -> None:
    trace = gateway.run(example.program, None)
    assert trace.answer is not None
    assert trace.answer.strings


def test_they_use_all_functions_with_little_overlap() -> None:
    used = [{step.function for step in one.program.steps} for one in EXAMPLES]
    assert set().union(*used) >= {name for name, one in FUNCTIONS.items() if not one.extension}
    everywhere = {"Find", "FindAll", "Relate", "FilterConcept", "Table", "SortTable", "DropColumn"}
    assert all(len(one & other - everywhere) <= 1 for one, other in combinations(used, 2))
