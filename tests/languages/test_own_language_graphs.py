"""Questions in German, French and Spanish over graphs with labels in that language alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from compilers.kopl.functions import Kind
from connectors.errors import EndpointError, EndpointTimeout, EndpointUnreachable
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.describing import Asking, SuggestedQuestion
from nlq_gateway.drafts.reasoning import Facts
from nlq_gateway.settings import Settings

GRAPHS = Path(__file__).parent / "graphs"
LANGUAGES = {"bibliothek": "de", "zoo": "de", "cinema": "fr", "museos": "es"}
QUESTIONS = [
    (graph, row["question"], row["answer"])
    for graph in LANGUAGES
    for row in map(json.loads, (GRAPHS / f"{graph}.jsonl").read_text("utf-8").splitlines())
]


@pytest.fixture(scope="module")
def opened() -> Iterator[dict[str, Pipeline]]:
    """A gateway for each graph."""
    gateways = {graph: Pipeline(Settings.for_data([GRAPHS / f"{graph}.ttl"])) for graph in LANGUAGES}
    for gateway in gateways.values():
        gateway.endpoint(None).prepare()
    yield gateways
    for gateway in gateways.values():
        gateway.close()


@pytest.mark.parametrize(("graph", "question", "expected"), QUESTIONS, ids=[row[1] for row in QUESTIONS])
def test_a_question_in_the_language_of_the_labels_gets_its_answer(
    opened: dict[str, Pipeline], graph: str, question: str, expected: list[str]
) -> None:
    trace = opened[graph].ask(Ask(question))
    assert trace.status == "answered"
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == sorted(expected)


@pytest.mark.parametrize("graph", LANGUAGES)
def test_no_label_is_marked_with_the_language_of_the_question(
    opened: dict[str, Pipeline], graph: str
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
        ("zoo", "Wer füttert Kira?"),
        ("zoo", "Wie schnell ist Kira?"),
        ("bibliothek", "Wie viele Filme hat Clara Winter geschrieben?"),
        ("cinema", "Combien de musées y a-t-il ?"),
        ("museos", "¿Cuántos restaurantes hay?"),
    ],
)
def test_what_the_graph_does_not_have_is_refused(
    opened: dict[str, Pipeline], graph: str, question: str
) -> None:
    assert opened[graph].ask(Ask(question)).status in ("unanswerable", "ambiguous", "empty")


@pytest.mark.parametrize("graph", LANGUAGES)
def test_every_question_offered_is_answered_by_its_own_program(
    opened: dict[str, Pipeline], graph: str
) -> None:
    endpoint = opened[graph].endpoint(None).snapshot()
    concepts = [item for item in endpoint.index.schema if item.kind == Kind.CONCEPT]
    asking = Asking(endpoint, opened[graph].surroundings(endpoint).around)
    offered = [asked for concept in concepts for asked in asking.worded(concept)]
    read = {asked.question: opened[graph].ask(Ask(asked.question)) for asked in offered}
    assert len(offered) > 2 * len(concepts)
    assert [one.question for one in offered if read[one.question].program != one.draft.program] == []
    assert [asked for asked, trace in read.items() if trace.status != "answered"] == []


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("bibliothek", "Welche Städte gibt es?"),
        ("bibliothek", "Welche Stadt hat die meisten Einwohner?"),
        ("zoo", "Wie viele Einträge vom Typ „Futter“ gibt es?"),
        ("cinema", "Quel film a l'année de sortie la plus ancienne ?"),
        ("museos", "¿Qué cuadro tiene el año más reciente?"),
    ],
)
def test_a_question_is_offered_in_the_language_of_the_labels(
    opened: dict[str, Pipeline], graph: str, question: str
) -> None:
    endpoint = opened[graph].endpoint(None).snapshot()
    concepts = [item for item in endpoint.index.schema if item.kind == Kind.CONCEPT]
    asking = Asking(endpoint, opened[graph].surroundings(endpoint).around)
    assert question in [asked.question for concept in concepts for asked in asking.worded(concept)]


@pytest.mark.parametrize("graph", ["zoo", "cinema"])
def test_the_language_of_a_reading_is_told(opened: dict[str, Pipeline], graph: str) -> None:
    endpoint = opened[graph].endpoint(None).snapshot()
    asking = Asking(endpoint, opened[graph].surroundings(endpoint).around)
    concept = next(item for item in endpoint.index.schema if item.kind == Kind.CONCEPT)
    trace = opened[graph].ask(Ask(next(asking.worded(concept)).question))
    assert trace.reading
    assert trace.as_json()["reading_language"] == {"zoo": "de", "cinema": "fr"}[graph]


def test_questions_about_members_are_left_out_only_where_the_store_is_slow(
    opened: dict[str, Pipeline],
) -> None:
    endpoint = opened["zoo"].endpoint(None).snapshot()
    concept = next(item for item in endpoint.index.schema if item.kind == Kind.CONCEPT)

    def offered(error: EndpointError) -> list[SuggestedQuestion]:
        def around(_: str) -> Facts:
            raise error

        return list(Asking(endpoint, around).worded(concept))

    assert offered(EndpointTimeout("slow"))
    with pytest.raises(EndpointUnreachable):
        offered(EndpointUnreachable("down"))


def test_columns_are_called_as_their_items_are_labelled(opened: dict[str, Pipeline]) -> None:
    assert opened["zoo"].ask(Ask("Welches ist das größte Gehege?")).columns == ("Gehege", "Fläche")
