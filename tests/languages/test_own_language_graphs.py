"""Questions in German, French and Spanish over graphs with labels in that language alone."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from nlq_gateway.answering import Ask, Gateway
from nlq_gateway.answering.example_questions import make_examples
from nlq_gateway.settings import Settings

GRAPHS = Path(__file__).parent / "graphs"
LANGUAGES = {"bibliothek": "de", "zoo": "de", "cinema": "fr", "museos": "es"}
QUESTIONS = [
    (graph, row["question"], row["answer"])
    for graph in LANGUAGES
    for row in map(json.loads, (GRAPHS / f"{graph}.jsonl").read_text("utf-8").splitlines())
]


@pytest.fixture(scope="module")
def opened() -> Iterator[dict[str, Gateway]]:
    """A gateway for each graph."""
    gateways = {graph: Gateway(Settings.for_data([GRAPHS / f"{graph}.ttl"])) for graph in LANGUAGES}
    for gateway in gateways.values():
        gateway.endpoint(None).prepare()
    yield gateways
    for gateway in gateways.values():
        gateway.close()


@pytest.mark.parametrize(("graph", "question", "expected"), QUESTIONS, ids=[row[1] for row in QUESTIONS])
def test_a_question_in_the_language_of_the_labels_gets_its_answer(
    opened: dict[str, Gateway], graph: str, question: str, expected: list[str]
) -> None:
    trace = opened[graph].ask(Ask(question))
    assert trace.status == "answered"
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == sorted(expected)


@pytest.mark.parametrize("graph", LANGUAGES)
def test_no_label_is_marked_with_the_language_of_the_question(
    opened: dict[str, Gateway], graph: str
) -> None:
    texts = [opened[graph].ask(Ask(question)).text for one, question, _ in QUESTIONS if one == graph]
    assert not [text for text in texts if f"({LANGUAGES[graph]})" in text]


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("bibliothek", "Was ist die Temperatur von Berlin?"),
        ("bibliothek", "Welche Bücher hat Clara Winter übersetzt?"),
        ("zoo", "Welche Tiere haben mehr als 3 Zähne?"),
        ("zoo", "Wie viele Aquarien gibt es?"),
        ("cinema", "Combien de musées y a-t-il ?"),
        ("museos", "¿Cuántos restaurantes hay?"),
    ],
)
def test_what_the_graph_does_not_have_is_refused(
    opened: dict[str, Gateway], graph: str, question: str
) -> None:
    assert opened[graph].ask(Ask(question)).status in ("unanswerable", "ambiguous", "empty")
