"""The gateway's own sentences are in the language of the question, else in English."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from benchmarks.rooms import opened
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.edges.cli import main
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.language.sentences import joined, saying, sentences


@pytest.fixture(scope="module")
def gateway() -> Iterator[Pipeline]:
    with opened(("builtin:sample",)) as gateway:
        yield gateway


def fields(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


@pytest.mark.parametrize("tag", ["de", "es", "fr"])
def test_each_language_has_the_same_sentences_with_the_same_fields(tag: str) -> None:
    own, english = sentences()[tag], sentences()[ENGLISH]
    assert list(own) == list(english)
    assert [fields(text) for text in own.values()] == [fields(text) for text in english.values()]
    assert all(own.values())


@pytest.mark.parametrize(("tag", "text"), [("de-AT", "a, b oder c"), ("it", "a, b or c"), ("", "a, b or c")])
def test_a_language_without_sentences_has_the_english_ones(tag: str, text: str) -> None:
    assert joined(["a", "b", "c"], saying(tag), "either") == text


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Wie groß ist Xaver Unbekannt?", "Nichts in diesem Graphen heißt „Xaver Unbekannt“."),
        ("¿Dónde está Xaver Unbekannt?", "Nada en este grafo se llama «Xaver Unbekannt»."),
        ("Quelle est Zorblax Quintoria ?", "Rien dans ce graphe ne s'appelle « Zorblax Quintoria »."),
        ("How tall is Xaver Unbekannt?", "Nothing in this graph is called “Xaver Unbekannt”."),
    ],
)
def test_a_refusal_is_in_the_language_of_the_question(gateway: Pipeline, question: str, start: str) -> None:
    trace = gateway.ask(Ask(question))
    assert trace.status == "unanswerable"
    assert trace.text.startswith(start)


def test_the_command_line_takes_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["ask", "--data", "builtin:sample", "Xaver Unbekannt?"]
    assert main([*asked, "--language", "fr"]) == 0
    assert capsys.readouterr().out.startswith("Rien dans ce graphe ne s'appelle « Xaver Unbekannt ».")
