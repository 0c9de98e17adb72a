"""The findings of `nlq doctor`, and its exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from model_kinds import running
from plain_store import Manners, serving
from protocol_server import Manners as ModelManners
from protocol_server import ProtocolServer

from connectors import EmbeddedOxigraph
from connectors.updating import MALFORMED, NO_CHANGE
from nlq_gateway.edges.cli import main
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.models.opened import OpenedModel
from nlq_gateway.models.server import ServerModel
from nlq_gateway.offline.doctor import examine, examine_model
from nlq_gateway.offline.doctor.finding import Found
from nlq_gateway.settings import EndpointSettings

TOWNS = """
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX : <http://t.example/>
:Lisbon a :Town ; rdfs:label "Lisbon" ; :in :Portugal . :Porto a :Town ; rdfs:label "Porto" ; :in :Portugal .
:Portugal a :Country ; rdfs:label "Portugal" . :Spain a :Country .
"""
LOGIN = {"type": "basic", "user": "reader", "password": "hush"}


@pytest.fixture(scope="module")
def towns(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedOxigraph:
    file = tmp_path_factory.mktemp("towns") / "towns.ttl"
    file.write_text(TOWNS, encoding="utf-8")
    return EmbeddedOxigraph.in_memory([file])


def found(url: str, *, try_update: bool = False, **keys: Any) -> dict[str, list[Found]]:
    """The findings of each check of a store."""
    settings = EndpointSettings.model_validate({"id": "towns", "url": url, **keys})
    by_check: dict[str, list[Found]] = {}
    for finding in examine(Endpoint(settings), try_update=try_update):
        assert finding.subject == "towns"
        by_check.setdefault(finding.check, []).append(finding.found)
    return by_check


@pytest.fixture(autouse=True)
def _away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache folder of the test's own."""
    monkeypatch.setenv("NLQ_CACHE", str(tmp_path))


def test_a_store_without_fault(towns: EmbeddedOxigraph) -> None:
    with serving(towns, Manners()) as url:
        by_check = found(url)
    severities = {check: [one.severity for one in some] for check, some in by_check.items()}
    assert severities == {
        "reachable": ["ok"],
        "login": ["note"],
        "product": ["note"],
        "updates": ["note"],
        "graphs": ["ok"],
        "rows": ["ok"],
        "timeouts": ["ok"],
        "layout": ["ok"],
        "labels": ["warning"],
        "full text": ["note"],
        "index": ["note"],
    }
    assert by_check["graphs"][0].message == "the store has triples"
    assert re.fullmatch(r"the store sent \d+ rows; up to 10,000 were asked for", by_check["rows"][0].message)
    assert by_check["labels"][0].evidence == ("Country: 50%",)
    assert all(one.remedy for some in by_check.values() for one in some if one.severity == "warning")


def test_attributes_that_name_things_without_labels_are_told(tmp_path: Path) -> None:
    file = tmp_path / "ports.ttl"
    ports = (f'<urn:p{n}> a <urn:x#Port> ; <urn:x#title> "port {n}" .' for n in range(3))
    file.write_text("\n".join(ports), encoding="utf-8")
    with serving(EmbeddedOxigraph.in_memory([file]), Manners()) as url:
        note, coverage = found(url)["labels"]
    assert note.severity == "note"
    assert "<urn:x#title> for Port" in note.message
    assert coverage.severity == "ok"


def test_a_store_that_is_down_is_not_asked_further() -> None:
    by_check = found("http://127.0.0.1:9/sparql")
    assert list(by_check) == ["reachable"]
    (only,) = by_check["reachable"]
    assert (only.severity, only.message) == ("error", "no connection to the store")
    assert only.remedy


@pytest.mark.parametrize(
    ("wanted", "given", "check", "severity"),
    [
        (("reader", "hush"), LOGIN, "login", "ok"),
        (None, LOGIN, "login", "warning"),
        (("reader", "hush"), None, "reachable", "error"),
        (("reader", "other"), LOGIN, "reachable", "error"),
    ],
    ids=["needed", "not needed", "missing", "wrong"],
)
def test_logins(
    towns: EmbeddedOxigraph,
    wanted: tuple[str, str] | None,
    given: dict[str, str] | None,
    check: str,
    severity: str,
) -> None:
    with serving(towns, Manners(login=wanted)) as url:
        by_check = found(url, **({"auth": _by_reference(given)} if given else {}))
    assert by_check[check][0].severity == severity
    assert "hush" not in f"{by_check}"


def _by_reference(auth: dict[str, str]) -> dict[str, Any]:
    from nlq_gateway.settings.values import Expanded

    return {**auth, "password": Expanded(auth["password"])}


def test_rows_that_are_cut_without_a_word(towns: EmbeddedOxigraph) -> None:
    with serving(towns, Manners(cap=5)) as url:
        (rows,) = found(url)["rows"]
    assert (rows.severity, rows.message) == (
        "warning",
        "the store sends 5 rows of 10000 that were asked for, and there are more",
    )


@pytest.mark.parametrize(
    ("status", "try_update", "severity"),
    [
        (404, False, "note"),
        (403, False, "note"),
        (400, False, "warning"),
        (204, True, "warning"),
        (403, True, "ok"),
        (400, True, "ok"),
    ],
)
def test_updates(towns: EmbeddedOxigraph, status: int, try_update: bool, severity: str) -> None:
    manners = Manners(update=status)
    with serving(towns, manners) as url:
        (updates,) = found(url, try_update=try_update)["updates"]
    assert updates.severity == severity
    assert manners.updates == [NO_CHANGE if try_update else MALFORMED]


def test_graphs_that_are_empty() -> None:
    nothing = EmbeddedOxigraph.in_memory([])
    with serving(nothing, Manners()) as url:
        (graphs,) = found(url)["graphs"]
    assert (graphs.severity, graphs.message) == ("error", "the default graph is empty")


@pytest.fixture
def model_server() -> Iterator[Any]:
    servers: list[ProtocolServer] = []

    def made(**manners: Any) -> OpenedModel:
        servers.append(ProtocolServer(ModelManners(**manners)))
        return OpenedModel(lambda: ServerModel(servers[-1].url, connect_seconds=1.0), "model")

    yield made
    for server in servers:
        server.close()


def test_no_model_is_no_fault() -> None:
    (only,) = examine_model(None)
    assert (only.check, only.found.severity) == ("reachable", "note")


def test_a_model_that_is_down() -> None:
    model = OpenedModel(lambda: ServerModel("http://127.0.0.1:9/v1", connect_seconds=0.5), "model")
    (only,) = examine_model(model)
    model.close()
    assert (only.check, only.found.severity) == ("reachable", "error")


def test_a_model_that_does_as_it_is_told(model_server: Any) -> None:
    model = model_server(write=lambda _: "certainly", scores="echo")
    severities = {one.check: one.found.severity for one in examine_model(model)}
    model.close()
    assert severities["reachable"] == "ok"
    assert set(severities) == {"reachable", "grammar", "probabilities"}


@pytest.mark.parametrize("kind", ["tools", "vllm", "cloud", "thinks beside"])
def test_models_as_they_are_met(kind: str) -> None:
    # This "vllm" writes its program under any grammar.
    kept = {"tools": "the model keeps to a JSON Schema"}
    bound = {**kept, "vllm": "the model takes a grammar, and does not keep to it"}
    with running(kind) as url:
        model = OpenedModel(lambda: ServerModel(url), "model")
        found = {one.check: one.found for one in examine_model(model)}
        model.close()
    assert found["reachable"].severity == "ok"
    assert found["grammar"].message == bound.get(kind, "the model cannot be bound by a grammar")


def test_the_command(own_cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (own_cache / "endpoints" / "sample" / "index").is_dir()
    assert main(["doctor", "--data", "builtin:sample", "--json"]) == 0
    findings = json.loads(capsys.readouterr().out)
    assert {one["check"] for one in findings} >= {
        "reachable",
        "layout",
        "labels",
        "index",
        "rows",
        "timeouts",
    }
    assert all(one["severity"] in ("ok", "note") for one in findings)
    assert main(["doctor", "--data", "builtin:sample"]) == 0
    *_, summary = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\d+ ok, 2 notes", summary)
    config = tmp_path / "nlq.yaml"
    config.write_text("endpoints: [{id: away, url: 'http://127.0.0.1:9/sparql'}]")
    assert main(["doctor", "--config", str(config)]) == 1
    shown = capsys.readouterr().out
    assert "error   away         reachable" in shown
    assert "→" in shown
