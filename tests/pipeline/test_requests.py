"""Requests: limits, pins, datasets, languages, and questions that are refused or strange."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing

import pytest

from compilers.errors import CompilerError, InvalidProgram
from compilers.kopl.notations import NOTATIONS
from connectors.guard import require_read_only
from nlq_gateway.answering import Ask, Pin, Pipeline
from nlq_gateway.core.errors import GatewayError, InvalidRequest, NotReady, TooLarge, UnknownDataset
from nlq_gateway.settings import Settings

WORLD = "http://world.example/"
MANY = "FindAll()->FilterConcept(film)->What()"


def answers(gateway: Pipeline, question: str, dataset: str | None = None, language: str = "en") -> set[str]:
    answer = gateway.ask(Ask(question, dataset, language)).answer
    assert answer is not None
    return set(answer.strings)


@pytest.mark.parametrize("question", ["", " ", "\n\t ", "\u00a0\u2003", "\x00", "\x00 \ud800\x1b"])
def test_an_empty_question_is_refused(gateway: Pipeline, question: str) -> None:
    with pytest.raises(InvalidRequest, match="empty"):
        gateway.ask(Ask(question))


@pytest.mark.parametrize("length", [2_001, 100_000])
def test_a_long_question_is_refused(gateway: Pipeline, length: int) -> None:
    with pytest.raises(TooLarge, match=f"{length} characters") as caught:
        gateway.ask(Ask("x" * length))
    assert "2000" in caught.value.hint


def test_a_question_of_the_greatest_length_is_asked(gateway: Pipeline) -> None:
    question = "Who directed Psycho?".ljust(2_000)
    assert answers(gateway, question, "cinema") == {"Alfred Hitchcock"}


def test_blanks_and_control_characters_do_not_matter(gateway: Pipeline) -> None:
    expected = answers(gateway, "Who directed Psycho?", "cinema")
    for question in (
        " Who\tdirected\n Psycho ? ",
        "Who directed\x00 Psycho\ud800?",
        "Who\u00a0directed Psycho?",
    ):
        assert answers(gateway, question, "cinema") == expected
    trace = gateway.ask(Ask("Who directed\x00 Psycho\ud800?", "cinema"))
    json.dumps(trace.as_json(), ensure_ascii=False).encode()


def test_a_question_that_speaks_sparql_is_a_question(gateway: Pipeline) -> None:
    for question in (
        'Who directed "Psycho" } ; DROP ALL # <http://x> \\u0022',
        "Psycho' . SERVICE <http://x> {}",
    ):
        trace = gateway.ask(Ask(question, "cinema"))
        assert trace.query is not None
        require_read_only(trace.query.text)


def test_datasets(gateway: Pipeline) -> None:
    assert gateway.ask(Ask("How long is the Nile?")).dataset == "sample"
    assert answers(gateway, "Who directed Her?", "cinema") == {"Spike Jonze"}
    with pytest.raises(UnknownDataset, match="'nowhere'") as caught:
        gateway.ask(Ask("How long is the Nile?", "nowhere"))
    assert "sample, cinema" in caught.value.hint


def test_an_endpoint_has_its_aliases(settings: Settings) -> None:
    first, second = settings.endpoints
    named = second.model_copy(update={"aliases": ("https://cinema.example/",)})
    gateway = Pipeline(Settings(endpoints=(first, named)))
    assert gateway.endpoint("https://cinema.example/").id == gateway.endpoint("cinema").id == "cinema"


def test_an_endpoint_that_is_not_prepared_says_so(settings: Settings) -> None:
    with pytest.raises(NotReady) as caught:
        Pipeline(settings).ask(Ask("How long is the Nile?"))
    assert caught.value.retryable


def test_who_asks_too_early_is_answered_when_the_endpoint_is_ready(settings: Settings) -> None:
    with closing(Pipeline(settings)) as gateway:
        with pytest.raises(NotReady):
            gateway.ask(Ask("What is the capital of Germany?"))
        gateway.endpoint(None).prepare()
        assert answers(gateway, "What is the capital of Germany?") == {"Berlin"}


def test_an_endpoint_that_a_fault_keeps_from_being_prepared_is_down(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a fault")

    monkeypatch.setattr("nlq_gateway.endpoints.endpoint.connected", broken)
    gateway = Pipeline(settings)
    with pytest.raises(KeyError):
        gateway.endpoint(None).prepare()
    assert gateway.endpoint(None).status == "down"
    with pytest.raises(GatewayError, match="failed to open"):
        gateway.ask(Ask("How long is the Nile?"))


def test_an_unknown_strategy_is_refused(gateway: Pipeline) -> None:
    with pytest.raises(InvalidRequest, match="clairvoyance"):
        gateway.ask(Ask("How long is the Nile?", strategy="clairvoyance"))


def test_labels_come_in_the_language_of_the_question(gateway: Pipeline) -> None:
    chain = NOTATIONS["chain"].read("Find(Germany)->Relate(capital, backward)->Or()->What()")
    with pytest.raises(InvalidProgram):
        gateway.run(chain)
    program = NOTATIONS["chain"].read(
        "Find(Munich)->Relate(located in, forward)->FilterConcept(country)->What()"
    )
    assert _strings(gateway, program, "en") == ["Germany"]
    assert _strings(gateway, program, "de") == ["Deutschland"]
    assert _strings(gateway, program, "'} x") == ["Germany"]


def _strings(gateway: Pipeline, program: object, language: str) -> list[str]:
    answer = gateway.run(program, language=language).answer  # type: ignore[arg-type]
    assert answer is not None
    return list(answer.strings)


def test_an_answer_is_cut_at_the_rows_that_were_asked_for(gateway: Pipeline) -> None:
    whole, cut = (gateway.run(NOTATIONS["chain"].read(MANY), max_rows=rows) for rows in (None, 3))
    assert whole.answer is not None
    assert cut.answer is not None
    assert (whole.truncated, cut.truncated) == (False, True)
    assert len(cut.answer.values) == len(cut.rows) == 3
    assert set(cut.answer.strings) < set(whole.answer.strings)
    assert cut.text.endswith("perhaps more")
    asked = gateway.ask(Ask("Which movies did Stanley Kubrick make?", max_rows=1))
    assert (asked.truncated, len(asked.rows)) == (True, 1)


def test_many_answers_are_counted_in_the_text(gateway: Pipeline) -> None:
    trace = gateway.run(NOTATIONS["chain"].read(MANY))
    assert trace.answer is not None
    assert trace.text.endswith(f" and {len(trace.answer.strings) - 10} more")


@pytest.mark.parametrize("bound", [{"max_rows": 0}, {"max_rows": -1}, {"timeout_ms": 0}, {"timeout_ms": -5}])
def test_no_rows_and_no_time_are_refused(gateway: Pipeline, bound: dict[str, int]) -> None:
    with pytest.raises(InvalidRequest, match=next(iter(bound))):
        gateway.ask(Ask("How long is the Nile?", **bound))  # type: ignore[arg-type]
    with pytest.raises(InvalidRequest, match=next(iter(bound))):
        gateway.run(NOTATIONS["chain"].read(MANY), **bound)  # type: ignore[arg-type]


def test_a_pin_changes_the_answer(gateway: Pipeline) -> None:
    question = "Which movies did Stanley Kubrick make?"
    free = gateway.ask(Ask(question))
    pinned = gateway.ask(Ask(question, pins=(Pin(0, 0, WORLD + "Quentin_Tarantino"),)))
    assert free.program == pinned.program
    assert pinned.answer is not None
    assert "Pulp Fiction" in pinned.answer.strings
    assert (pinned.bindings[0].iri, pinned.bindings[0].how) == (WORLD + "Quentin_Tarantino", "pinned")


def test_a_pin_settles_which_bearer_is_meant(gateway: Pipeline) -> None:
    program = NOTATIONS["chain"].read("Find(Paris)->Relate(located in, forward)->What()")
    texas = gateway.run(program, pins=[Pin(0, 0, WORLD + "Paris_Texas")])
    assert texas.answer is not None
    assert "Texas" in texas.answer.strings
    assert "France" not in texas.answer.strings
    assert texas.steps[0].count == 1


def test_a_pin_without_a_place_is_reported(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("How long is the Nile?", pins=(Pin(9, 0, WORLD + "Amazon"),)))
    assert "pin-ignored" in [warning.code for warning in trace.warnings]


@pytest.mark.parametrize(
    ("program", "pin"),
    [
        ("Find(Paris)->QueryAttr(population)", Pin(0, 0, WORLD + "Pariss")),
        ("FindAll()->FilterConcept(city)->Count()", Pin(1, 0, WORLD + "cities")),
        ("Find(Paris)->Relate(located in, forward)->What()", Pin(1, 0, WORLD + "situated_in")),
    ],
)
def test_a_pin_to_what_the_graph_lacks_is_reported(gateway: Pipeline, program: str, pin: Pin) -> None:
    trace = gateway.run(NOTATIONS["chain"].read(program), pins=[pin])
    (warning,) = [one for one in trace.warnings if one.code == "unknown-pin"]
    assert warning.message == f"step {pin.step + 1}: nothing in this graph has the IRI <{pin.iri}>"


@pytest.mark.parametrize("iri", [WORLD + "population", "pred:name"])
def test_a_pin_to_what_the_graph_has_is_not_reported(gateway: Pipeline, iri: str) -> None:
    """Be it in the index or not."""
    trace = gateway.run(NOTATIONS["chain"].read("Find(Paris)->QueryAttr(area)"), pins=[Pin(1, 0, iri)])
    assert "unknown-pin" not in [warning.code for warning in trace.warnings]


@pytest.mark.parametrize("iri", ["", "no iri", "http://x> } DROP ALL {", "http://x\n.example/", "javascript"])
def test_a_pin_that_is_no_iri_is_refused(gateway: Pipeline, iri: str) -> None:
    with pytest.raises(CompilerError):
        gateway.ask(Ask("How long is the Nile?", pins=(Pin(0, 0, iri),)))


def test_the_same_question_gives_the_same_program(gateway: Pipeline) -> None:
    for question in (
        "Which films star Amy Adams?",
        "Which films are longer than 120 minutes?",
        "Who wrote It?",
    ):
        first, second = (gateway.ask(Ask(question, "cinema")) for _ in range(2))
        assert first.program is not None
        assert first.query is not None
        assert (first.program, first.query, first.attempts) == (second.program, second.query, second.attempts)
        assert first.id != second.id


_ASK = """
import sys
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.settings import Settings
gateway = Pipeline(Settings.for_data([sys.argv[1]]))
gateway.endpoint(None).prepare()
for question in sys.argv[2:]:
    trace = gateway.ask(Ask(question))
    print(trace.query.text if trace.query else trace.text, *trace.attempts, sep="\\n")
"""


def test_another_process_writes_the_same_programs(gateway: Pipeline, settings: Settings) -> None:
    """Sets of texts are ordered otherwise in every process: nothing may depend on that."""
    assert gateway.endpoint("cinema").status == "ready"
    questions = [
        "Which films star Amy Adams?",
        "Who directed It and Her?",
        "Which films came out before 1965?",
    ]
    command = [sys.executable, "-c", _ASK, settings.endpoints[1].data[0], *questions]
    texts = {
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True, timeout=60
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
    assert texts != {b""}
