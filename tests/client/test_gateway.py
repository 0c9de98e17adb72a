"""The Python API over the sample graph, over files, and over settings."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import nlq_gateway
from compilers.errors import InvalidProgram, ProgramSyntaxError
from compilers.kopl.notations import read_program
from connectors.errors import EndpointError
from nlq_gateway import Gateway, GatewayAnswer, GatewayError
from nlq_gateway.client.options import AskOptions, CompileOptions, RunOptions
from nlq_gateway.core.errors import ConfigurationError, InvalidRequest, UnknownDataset
from tests.oxigraph_store import Store

QUESTION = "Who directed Pulp Fiction?"
PROGRAM = "Find(Pulp Fiction)->Relate(directed by, forward)->What()"
FARGO = """\
@prefix : <http://e.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Film rdfs:label "film" . :Person rdfs:label "person" . :by rdfs:label "directed by" .
:fargo a :Film ; rdfs:label "Fargo" ; :by :joel .
:joel a :Person ; rdfs:label "Joel Coen" .
"""


def test_a_question(gateway: Gateway) -> None:
    answer = gateway.ask(QUESTION)
    assert (answer.status, answer.text, answer.dataset) == ("answered", "Quentin Tarantino", "sample")
    assert [str(value) for value in answer.values] == ["Quentin Tarantino"]
    assert answer.rows == (("Quentin Tarantino",),)
    assert answer.sparql.startswith("PREFIX")
    assert 0.5 < answer.confidence <= 1
    assert answer.trace["question"] == answer.question == QUESTION
    assert str(answer) == "Quentin Tarantino"
    assert repr(answer) == f"GatewayAnswer('Quentin Tarantino', confidence={answer.confidence:.2f})"


def test_an_answer_is_a_value(gateway: Gateway) -> None:
    answer = gateway.ask(QUESTION)
    with pytest.raises(FrozenInstanceError):
        answer.text = "Another answer"  # type: ignore[misc]
    assert len({answer, gateway.ask(QUESTION)}) == 1


def test_an_answer_in_several_columns_reads_as_a_table(gateway: Gateway) -> None:
    answer = gateway.ask("How many films did each director direct?")
    assert len(answer.columns) == 2
    lines = str(answer).splitlines()
    assert lines[0] == answer.text
    assert lines[2].split() == list(answer.columns)


def test_an_answer_says_what_deserves_a_warning(gateway: Gateway) -> None:
    answer = gateway.run("Find(Nile)->QueryAttr(lenght)")
    assert answer.warnings
    assert str(answer).splitlines()[-1:] == [f"Note: {one}" for one in answer.warnings]


def test_no_answer_says_why(gateway: Gateway) -> None:
    answer = gateway.ask("Who directed the xylophone of Zanzibar?")
    assert answer.status == "unanswerable"
    assert not answer.values
    assert str(answer) == f"{answer.text or 'No answer (unanswerable).'}\n{answer.diagnosis}"


def test_a_question_without_running_it(gateway: Gateway) -> None:
    answer = gateway.ask(QUESTION, execute=False)
    assert answer.program
    assert not answer.values


def test_a_program_in_every_form_is_run_and_compiled(gateway: Gateway) -> None:
    asked, read = gateway.ask(QUESTION), read_program(PROGRAM)
    steps = [
        {"function": step.function, "inputs": list(step.inputs), "dependencies": list(step.dependencies)}
        for step in read.steps
    ]
    for program in (PROGRAM, asked.program, steps, read):
        assert gateway.run(program).values == asked.values
        assert str(gateway.compile(program)) == asked.sparql


def test_a_pin_chooses_what_a_name_stands_for(gateway: Gateway) -> None:
    other = gateway.run("Find(The Shining)->What()").values[0].value
    pinned = gateway.run(PROGRAM, pins={(1, 0): other})
    assert [str(value) for value in pinned.values] == ["Stanley Kubrick"]
    assert other in gateway.compile(PROGRAM, pins={(1, 0): other}).document["sparql"]["text"].replace(
        "world:", "http://world.example/"
    )


def test_a_query_in_another_dialect(gateway: Gateway) -> None:
    assert gateway.compile(PROGRAM, dialect="virtuoso").program == gateway.compile(PROGRAM).program
    with pytest.raises(GatewayError, match="sybase"):
        gateway.compile(PROGRAM, dialect="sybase")


def test_examples_have_answers(gateway: Gateway) -> None:
    first = gateway.examples()[0]
    assert gateway.ask(first).status == "answered"


def test_errors_say_what_to_do(gateway: Gateway) -> None:
    with pytest.raises(InvalidRequest, match="empty"):
        gateway.ask(" ")
    with pytest.raises(UnknownDataset) as unknown:
        gateway.ask(QUESTION, dataset="elsewhere")
    assert "sample" in unknown.value.hint
    with pytest.raises(ProgramSyntaxError):
        gateway.run("Find(")
    with pytest.raises(InvalidProgram):
        gateway.compile("Count()")


def test_files_of_ones_own(tmp_path: Path) -> None:
    lines = FARGO.splitlines(keepends=True)
    (tmp_path / "films.ttl").write_text("".join(lines[:4]), encoding="utf-8")
    (tmp_path / "people.ttl").write_text("".join(lines[:2] + lines[4:]), encoding="utf-8")
    stages: list[tuple[str, int, int]] = []
    with Gateway.open(
        tmp_path / "films.ttl", tmp_path / "people.ttl", progress=lambda *told: stages.append(told)
    ) as gateway:
        assert repr(gateway) == "Gateway(films)"
        assert str(gateway.ask("Who directed Fargo?")) == "Joel Coen"
    assert stages


def test_a_store_at_an_address(tmp_path: Path) -> None:
    (tmp_path / "fargo.ttl").write_text(FARGO, encoding="utf-8")
    store = Store(tmp_path / "store", [tmp_path / "fargo.ttl"])
    store.start()
    try:
        with Gateway.open(store.url, layout="direct") as gateway:
            assert gateway.datasets == (f"127.0.0.1-{store.port}-query",)
            assert str(gateway.ask("Who directed Fargo?")) == "Joel Coen"
    finally:
        store.stop()


def test_a_settings_file_with_several_endpoints(tmp_path: Path, closed_port: int) -> None:
    (tmp_path / "fargo.ttl").write_text(FARGO, encoding="utf-8")
    file = tmp_path / "nlq.yaml"
    file.write_text(
        "endpoints:\n- {id: sample, data: ['builtin:sample']}\n- {id: fargo, data: [fargo.ttl]}\n"
        f"- {{id: away, url: 'http://127.0.0.1:{closed_port}/sparql'}}\n",
        encoding="utf-8",
    )
    with Gateway.open(file) as gateway:
        assert gateway.datasets == ("sample", "fargo", "away")
        assert gateway.ask(QUESTION).dataset == "sample"
        assert str(gateway.ask("Who directed Fargo?", dataset="fargo")) == "Joel Coen"
        with pytest.raises(EndpointError) as outage:
            gateway.ask(QUESTION, dataset="away")
    assert outage.value.retryable


def test_sources_that_cannot_be_opened(closed_port: int) -> None:
    for sources, said in (
        (["missing.ttl"], "^there is no file"),
        (["missing.yaml"], "missing.yaml"),
        (["http://127.0.0.1/sparql", "films.ttl"], "has to be the only source"),
        (["films.ttl", "nlq.yaml"], "nlq.yaml has to be the only source"),
        (["http://user@127.0.0.1/sparql"], "url"),
    ):
        with pytest.raises(ConfigurationError, match=said):
            Gateway.open(*sources)
    with pytest.raises(EndpointError) as outage:
        Gateway.open(f"http://127.0.0.1:{closed_port}/sparql")
    assert outage.value.retryable


@pytest.mark.parametrize(
    ("method", "options"),
    [(Gateway.ask, AskOptions), (Gateway.run, RunOptions), (Gateway.compile, CompileOptions)],
)
def test_clients_take_the_same_keyword_arguments(method: object, options: type) -> None:
    given = inspect.signature(method).parameters.values()  # type: ignore[arg-type]
    assert {one.name for one in given if one.kind is one.KEYWORD_ONLY} == options.__optional_keys__  # type: ignore[attr-defined]


def test_importing_the_package_is_light() -> None:
    code = "import sys; before = set(sys.modules); import nlq_gateway; print(*set(sys.modules) - before)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    heavy = {"numpy", "pydantic", "httpx2", "rdflib", "nlq_gateway.core.errors", "nlq_gateway.answering"}
    assert "nlq_gateway" in loaded.split()
    assert not heavy & set(loaded.split())


def test_public_names_are_there() -> None:
    assert {name: getattr(nlq_gateway, name) for name in nlq_gateway.__all__}[
        "GatewayAnswer"
    ] is GatewayAnswer
    assert set(nlq_gateway.__all__) <= set(dir(nlq_gateway))
    with pytest.raises(AttributeError, match="Gatewey"):
        nlq_gateway.Gatewey  # noqa: B018
