"""Demonstrations of the sample graph answer questions that it cannot read without them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.core.types import Demonstration, Question
from nlq_gateway.drafts.demonstrations import corpus_file
from nlq_gateway.question.linking import Linker
from nlq_gateway.settings import SAMPLE, Settings
from nlq_gateway.trace import Trace

Open = Callable[..., Pipeline]

EXAMPLES = {
    "Who helmed Pulp Fiction?": "Find(Pulp Fiction)->Relate(directed by, forward)->What()",
    "Which movies has Quentin Tarantino helmed?": (
        "Find(Quentin Tarantino)->Relate(directed by, backward)->FilterConcept(film)->What()"
    ),
    "Which movies did Stanley Kubrick helm after 1975?": (
        "Find(Stanley Kubrick)->Relate(directed by, backward)->FilterYear(publication date, 1975, >)->What()"
    ),
    "Which films run beyond 180 minutes?": (
        "FindAll()->FilterConcept(film)->FilterNum(duration, 180 minute, >)->What()"
    ),
    "Who scored the movies helmed by Steven Spielberg?": (
        "Find(Steven Spielberg)->Relate(directed by, backward)->Relate(music by, forward)->What()"
    ),
    "In which countries do people pay with pound sterling?": (
        "FindAll()->FilterConcept(country)->FilterStr(currency, pound sterling)->What()"
    ),
    "How many countries does the Danube traverse?": (
        "Find(Danube)->Relate(flows through, forward)->FilterConcept(country)->Count()"
    ),
}


@pytest.fixture(scope="module")
def taught(opened: Open) -> Pipeline:
    return opened(*(Demonstration(question, read_program(chain)) for question, chain in EXAMPLES.items()))


@pytest.fixture(scope="module")
def plain(opened: Open) -> Pipeline:
    return opened()


def answers(trace: Trace) -> set[str]:
    return set(trace.answer.strings) if trace.answer else set()


def calls(trace: Trace) -> list[str]:
    assert trace.program is not None
    return [str(step) for step in trace.program.steps]


def test_a_word_that_the_graph_does_not_know_is_learned(taught: Pipeline) -> None:
    trace = taught.ask(Ask("Who helmed Inception?"))
    assert answers(trace) == {"Christopher Nolan"}
    assert "demonstration" in {attempt.source for attempt in trace.attempts}


def test_a_measure_that_the_graph_does_not_know_is_learned(opened: Open) -> None:
    program = read_program("Find(Fargo)->QueryAttr(duration)")
    taught = opened(Demonstration("How beefy is Fargo?", program))
    assert taught.ask(Ask("How beefy is Titanic?")).text == "195 minutes"


def test_the_trace_says_which_demonstrations_were_near(taught: Pipeline) -> None:
    document = taught.ask(Ask("Who helmed Inception?")).as_json()
    nearest = document["demonstrations"][0]
    assert nearest["question"] == "Who helmed Pulp Fiction?"
    assert nearest["source"] == "example"
    assert 0.9 < nearest["similarity"] <= 1.0001
    assert "demonstration" in {attempt["source"] for attempt in document["attempts"]}


def test_without_demonstrations_a_trace_is_as_before(plain: Pipeline) -> None:
    trace = plain.ask(Ask("Who directed Pulp Fiction?"))
    assert "demonstrations" not in trace.as_json()
    assert trace.strategy == "drafter"


def test_the_reasoner_alone_can_be_asked_for(taught: Pipeline) -> None:
    trace = taught.ask(Ask("Who helmed Inception?", strategy="bottom-up"))
    assert trace.demonstrations == ()
    assert {attempt.source for attempt in trace.attempts} == {"bottom-up"}


def test_an_entity_takes_the_place_of_another_in_the_same_direction(taught: Pipeline) -> None:
    trace = taught.ask(Ask("Which movies has Stanley Kubrick helmed?"))
    assert answers(trace) == {"2001: A Space Odyssey", "The Shining"}


def test_a_value_takes_the_place_of_another(taught: Pipeline) -> None:
    trace = taught.ask(Ask("Which movies did Christopher Nolan helm after 2010?"))
    assert "FilterYear(publication date, 2010, >)" in calls(trace)
    assert answers(trace) == {"Oppenheimer"}


def test_a_string_of_the_graph_takes_the_place_of_another(taught: Pipeline) -> None:
    trace = taught.ask(Ask("In which countries do people pay with Japanese yen?"))
    assert answers(trace) == {"Japan"}
    assert trace.strategy == "demonstration"


def test_a_range_does_not_take_the_place_of_a_value(taught: Pipeline) -> None:
    trace = taught.ask(Ask("Which movies did Christopher Nolan helm after 2005-2010?"))
    assert all(attempt.source != "demonstration" for attempt in trace.attempts)


def test_a_bare_number_is_in_the_unit_of_the_one_that_it_replaces(taught: Pipeline) -> None:
    trace = taught.ask(Ask("Which films run beyond 190 minutes?"))
    assert "FilterNum(duration, 190 minute, >)" in calls(trace)


def test_a_relation_takes_the_place_of_another_that_is_spoken_of(taught: Pipeline) -> None:
    ready = taught.endpoint(None).prepared
    around = StoreSurroundings(ready.connector, ready.index, ready.layout, ready.traits, ready.options)
    links = Linker(ready.index).link(Question("Who helmed the movies scored by Hans Zimmer?"))
    drafts = ready.demonstrations.adapt(links, around).drafts
    related = [[str(step) for step in draft.program.steps[1:3]] for draft in drafts]
    assert ["Relate(music by, backward)", "Relate(directed by, forward)"] in related


def test_a_concept_takes_the_place_of_another(taught: Pipeline) -> None:
    trace = taught.ask(Ask("How many states does the Rio Grande traverse?"))
    assert "FilterConcept(state)" in calls(trace)


@pytest.mark.parametrize(
    "question",
    [
        "Which movies has Stanley Kubrick not helmed?",
        "Who helmed Xaver Unbekannt?",
        "Which movies did Stanley Kubrick helm with Angela Merkel?",
    ],
)
def test_what_demonstrations_do_not_say_is_not_passed_over(taught: Pipeline, question: str) -> None:
    trace = taught.ask(Ask(question))
    assert all(attempt.source != "demonstration" for attempt in trace.attempts)


def test_a_name_that_leads_nowhere_makes_no_draft(taught: Pipeline) -> None:
    trace = taught.ask(Ask("Who helmed the Danube?"))
    assert all(attempt.source != "demonstration" for attempt in trace.attempts)


def test_one_demonstration_of_stop_words_is_enough(opened: Open) -> None:
    gateway = opened(
        Demonstration("Who did Pulp Fiction?", read_program(EXAMPLES["Who helmed Pulp Fiction?"]))
    )
    trace = gateway.ask(Ask("Who did Inception?"))
    assert answers(trace) == {"Christopher Nolan"}


def test_queries_are_demonstrations_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    world = "http://world.example/"
    stated = f"SELECT ?d {{ <{world}Pulp_Fiction> <{world}directed_by> ?d }}"
    lines = [
        {"question": "Who helmed Pulp Fiction?", "sparql": stated},
        {"question": "What is not stated?", "sparql": "CONSTRUCT WHERE { ?s ?p ?o }"},
    ]
    file = tmp_path / "pool.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    gateway = Pipeline(Settings.for_data([SAMPLE]).with_source(examples=str(file)))
    try:
        with caplog.at_level(logging.WARNING):
            gateway.endpoint(None).prepare()
        assert f"{file}, line 2" in caplog.text
        assert len(gateway.endpoint(None).demonstrations) == 1
        assert answers(gateway.ask(Ask("Who helmed Inception?"))) == {"Christopher Nolan"}
    finally:
        gateway.close()


def test_a_wrong_file_keeps_the_endpoint_from_being_ready(tmp_path: Path) -> None:
    file = tmp_path / "pool.jsonl"
    file.write_text('{"question": "a?"}\n', encoding="utf-8")
    gateway = Pipeline(Settings.for_data([SAMPLE]).with_source(examples=str(file)))
    with pytest.raises(ConfigurationError, match="line 1"):
        gateway.endpoint(None).prepare()


def test_the_corpus_of_an_exploration_is_part_of_the_pool(cache: Path) -> None:
    record = {
        "questions": ["Who helmed Pulp Fiction?", "Pulp Fiction was helmed by whom?"],
        "program": EXAMPLES["Who helmed Pulp Fiction?"],
        "source": "explored",
    }
    settings = Settings.for_data([SAMPLE])
    explored = settings.endpoints[0].model_copy(update={"id": "explored"})
    file = corpus_file("explored")
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert cache in file.parents
    gateway = Pipeline(Settings(endpoints=(explored,)))
    seen: list[tuple[str, int, int]] = []
    try:
        gateway.endpoint(None).prepare(lambda *told: seen.append(told))
        # A large corpus takes a while, which the bar shows.
        assert seen[-1] == ("demonstrations", 2, 2)
        trace = gateway.ask(Ask("Who helmed Inception?"))
        assert answers(trace) == {"Christopher Nolan"}
        assert trace.demonstrations[0].source == "explored"
    finally:
        gateway.close()


def test_vectors_are_kept_for_the_next_start(cache: Path, taught: Pipeline) -> None:
    assert len(taught.endpoint(None).demonstrations) == len(EXAMPLES)
    assert list((cache / "endpoints" / "sample" / "demonstrations").glob("vectors-*.npz"))
