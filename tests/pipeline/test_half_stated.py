"""Inverse relations with facts that are stated one way alone: each is read with the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from compilers.kopl.functions import Kind
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.settings import Settings
from tests.half_stated import ANSWERS, FAMILY, answered

BASE = "https://family.example/"


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file = tmp_path_factory.mktemp("family") / "family.ttl"
    file.write_text(FAMILY, encoding="utf-8")
    opened = Pipeline(Settings.for_data([file]))
    opened.endpoint(None).prepare()
    yield opened
    opened.close()


@pytest.mark.parametrize(("text", "answer"), ANSWERS.items(), ids=ANSWERS)
def test_a_fact_that_is_stated_one_way_is_found_both_ways(
    gateway: Pipeline, text: str, answer: set[str]
) -> None:
    assert answered(gateway, text) == answer


def test_a_relation_is_completed_by_what_states_facts_that_it_lacks(gateway: Pipeline) -> None:
    schema = gateway.endpoint(None).index.schema
    found = {one.iri.removeprefix(BASE): one.completed_by for one in schema if one.kind == Kind.RELATION}
    assert found == {
        "hasParent": (f"{BASE}hasChild",),
        "hasChild": (f"{BASE}hasParent",),
        "spouse": (f"{BASE}spouse",),
    }


def test_facts_that_are_stated_both_ways_need_no_other_relation(tmp_path: Path) -> None:
    file = tmp_path / "family.ttl"
    file.write_text(f"{FAMILY}:al :spouse :ann . :cy :hasParent :ann .", encoding="utf-8")
    opened = Pipeline(Settings.for_data([file]))
    opened.endpoint(None).prepare()
    spouse = opened.endpoint(None).index.item(Kind.RELATION, f"{BASE}spouse")
    opened.close()
    assert spouse is not None
    assert spouse.completed_by == ()


def test_the_query_shows_both_ways(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("Who are the children of Ann?"))
    assert trace.answer is not None
    assert set(trace.answer.strings) == {"Bo", "Cy", "Di"}
    assert trace.query is not None
    assert "|^" in trace.query.text
