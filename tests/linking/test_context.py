"""Which of several things of one name a question means."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.types import Question
from nlq_gateway.question.linking import Linker


@pytest.fixture(scope="module")
def namesakes(gateway: Pipeline) -> Linker:
    endpoint = gateway.endpoint("namesakes")
    return Linker(endpoint.index, endpoint.linked)


@pytest.mark.parametrize(
    ("question", "name", "meant"),
    [
        ("How long is the Amazon?", "Amazon", "Amazon"),
        ("How long is the river Amazon?", "Amazon", "Amazon_river"),
        ("How long is the Amazon river?", "Amazon", "Amazon_river"),
        ("Where is the company Amazon?", "Amazon", "Amazon"),
        ("Which river is the Amazon?", "Amazon", "Amazon_river"),
        ("Which films did Paris direct?", "Paris", "Paris_director"),
        ("What is Paris the capital of?", "Paris", "Paris"),
        ("Where is Paris, Texas?", "Paris", "Paris_Texas"),
        ("Who lives in Paris in France?", "Paris", "Paris"),
        ("Where is Springfield in Illinois?", "Springfield", "Springfield_Illinois"),
        ("Where is Springfield in Ohio?", "Springfield", "Springfield_Ohio"),
        ("Where is Springfield?", "Springfield", "Springfield_Missouri"),
        ("What is the capital of Georgia?", "Georgia", "Georgia"),
        ("Is Atlanta in Georgia?", "Georgia", "Georgia_US"),
        ("Is Tbilisi in Georgia?", "Georgia", "Georgia"),
        ("What is the state Georgia?", "Georgia", "Georgia_US"),
    ],
)
def test_the_context_says_who_is_meant(namesakes: Linker, question: str, name: str, meant: str) -> None:
    mention = next(one for one in namesakes.link(Question(question)).mentions if one.text == name)
    assert mention.hits[0].iri == f"http://namesakes.example/{meant}"
    assert len(mention.hits) > 1
    assert all(hit.score in (1.0, 0.9) for hit in mention.hits)


def test_without_a_store_names_are_ordered_by_what_the_index_knows(namesakes: Linker) -> None:
    linker = Linker(namesakes.index)
    mention = next(
        one for one in linker.link(Question("Where is Paris, Texas?")).mentions if one.text == "Paris"
    )
    assert {hit.iri.rpartition("/")[2] for hit in mention.hits} == {"Paris", "Paris_director", "Paris_Texas"}


def test_the_alternatives_stay_in_the_trace_with_their_scores(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("Which films did Paris direct?", "namesakes"))
    assert [str(value) for value in trace.answer.values] == ["Rain"]
    binding = next(one for one in trace.bindings if one.mention == "Paris")
    assert {one.iri.rpartition("/")[2] for one in binding.alternatives} == {"Paris", "Paris_Texas"}
    assert all(0 < one.score <= 1 for one in binding.alternatives)
