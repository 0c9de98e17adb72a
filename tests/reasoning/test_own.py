"""Members compared with what is their own: another value of theirs, or that of what they lead to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from nlq_gateway.answering import Ask, Pipeline

GatewayOf = Callable[[str], Pipeline]
COUPLES = (
    "@prefix : <http://couples.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
) + "".join(
    f':p{n} a :Person ; rdfs:label "{name}" ; :dateOfBirth "{1950 + n}-05-04"^^xsd:date ;'
    f" :spouse :p{n ^ 1} .\n"
    for n, name in enumerate(("Ada Brook", "Ben Cole", "Cyd Dale", "Don Eads", "Eve Ford", "Fay Gunn"))
)


def functions_of(gateway: Pipeline, question: str) -> tuple[list[str], tuple[str, ...]]:
    trace = gateway.ask(Ask(question, guess=True))
    assert trace.program is not None
    assert trace.answer is not None
    return [str(step) for step in trace.program.steps], trace.answer.strings


@pytest.mark.parametrize(
    ("graph", "question", "expected"),
    [
        (
            "company",
            "Which employees earn more than their manager?",
            ("Relate(reports to, forward)", "QueryAttr(salary)", "QueryAttr(salary)", "FilterCompare(>)"),
        ),
        (
            "company",
            "Which employees were hired before their manager?",
            ("Relate(reports to, forward)", "QueryAttr(hire date)", "FilterCompare(<)"),
        ),
        (
            "sample",
            "Which films had a box office larger than their production cost?",
            ("QueryAttr(box office)", "QueryAttr(production cost)", "FilterCompare(>)"),
        ),
    ],
)
def test_members_are_compared_with_their_own(
    gateway_of: GatewayOf, graph: str, question: str, expected: tuple[str, ...]
) -> None:
    steps, _ = functions_of(gateway_of(graph), question)
    assert set(expected) <= set(steps)


def test_a_relation_is_named_by_a_noun(tmp_path: Path) -> None:
    file = tmp_path / "couples.ttl"
    file.write_text(COUPLES, encoding="utf-8")
    with opened((file,)) as gateway:
        steps, found = functions_of(gateway, "Which people are older than their spouse?")
        assert "FilterCompare(<)" in steps
        assert sorted(found) == ["Ada Brook", "Cyd Dale", "Eve Ford"]


@pytest.mark.parametrize(
    ("graph", "question", "total"),
    [
        ("sample", "How many people live in France and Germany together?", "152000000"),
        ("sample", "What is the combined length of the Rhine and the Elbe?", "2327 kilometre"),
        ("building", "What is the combined area of Room 205 and Room 206?", "143"),
        ("company", "What is the total salary of Karin Steiner and Leo Quist?", None),
    ],
)
def test_two_amounts_together(gateway_of: GatewayOf, graph: str, question: str, total: str | None) -> None:
    steps, found = functions_of(gateway_of(graph), question)
    assert steps[-1] in ("Sum()", "Calculate(+)")
    assert total is None or found == (total,)
