"""An index whose files are damaged is set aside: the last good version serves, or a new one is built."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.core.types import Question
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index import Index, IndexDamaged
from nlq_gateway.question.linking import Linker
from nlq_gateway.settings import EndpointSettings, Settings
from tests.slow_store import GRAPH

PATH = re.compile(r"(?<![\w/:.<])/(?:tmp|home|root|var)/")
QUESTION = "How many films are there?"

Damage = Callable[[Path], None]


def cut(file: Path) -> None:
    with file.open("r+b") as stream:
        stream.truncate(file.stat().st_size // 2)


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def scribbled(file: Path) -> None:
    with file.open("r+b") as stream:
        stream.write(b"no database" * 10)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EndpointSettings:
    monkeypatch.setenv("NLQ_CACHE", str(tmp_path / "cache"))
    data = tmp_path / "films.ttl"
    data.write_text(GRAPH, encoding="utf-8")
    return EndpointSettings(id="films", data=(str(data),))


@pytest.fixture
def opened(settings: EndpointSettings) -> Iterator[Callable[[], Endpoint]]:
    endpoints: list[Endpoint] = []

    def new() -> Endpoint:
        endpoints.append(Endpoint(settings))
        endpoints[-1].prepare(any_age=True)
        return endpoints[-1]

    yield new
    for endpoint in endpoints:
        endpoint.close()


@pytest.mark.parametrize("damage", [cut, emptied, scribbled, Path.unlink])
@pytest.mark.parametrize("name", ["items.sqlite", "schema.npy"])
def test_a_damaged_version_is_built_anew(opened: Callable[[], Endpoint], damage: Damage, name: str) -> None:
    folder = opened().index.folder
    damage(folder / name)
    endpoint = opened()
    assert endpoint.status == "ready"
    assert endpoint.index.folder != folder
    assert not folder.exists()
    assert endpoint.index.schema


def test_the_last_good_version_serves(opened: Callable[[], Endpoint]) -> None:
    good = opened()
    newer = good.source().folder(fresh=True)
    assert newer != good.index.folder
    cut(newer / "items.sqlite")
    assert opened().index.folder == good.index.folder


def test_damage_that_comes_while_it_serves_is_mended(opened: Callable[[], Endpoint]) -> None:
    endpoint = opened()
    folder = endpoint.index.folder
    scribbled(folder / "schema.npy")
    cut(folder / "schema.npy")
    assert endpoint.refresh()
    assert endpoint.index.folder != folder
    assert not endpoint.refresh()


def test_a_gateway_that_builds_none_says_so_without_a_path(
    settings: EndpointSettings, opened: Callable[[], Endpoint], tmp_path: Path
) -> None:
    folder = opened().index.folder
    cut(folder / "items.sqlite")
    unable = settings.model_copy(update={"index": settings.index.model_copy(update={"build": False})})
    gateway = Pipeline(Settings(endpoints=(unable,)))
    with pytest.raises(Exception, match="no index") as caught:
        gateway.endpoint("films").prepare(any_age=True)
    store = TraceStore(tmp_path / "traces.sqlite")
    client = create_app(gateway, store).test_client()
    said = [client.get(path).text for path in ("/readyz", "/datasets", "/metrics")]
    said += [client.post("/nlq", json={"question": QUESTION}).text]
    said += [str(caught.value.args), str(getattr(caught.value, "hint", ""))]
    assert [text for text in said if PATH.search(text)] == []
    gateway.close()
    store.close()


def test_what_is_damaged_is_told_without_a_path(opened: Callable[[], Endpoint]) -> None:
    folder = opened().index.folder
    scribbled(folder / "items.sqlite")
    with pytest.raises(IndexDamaged) as caught:
        Index.open(folder, None)
    assert not PATH.search(caught.value.message + caught.value.hint)
    assert caught.value.place == folder


def test_damage_that_only_a_question_meets_is_mended(opened: Callable[[], Endpoint]) -> None:
    endpoint = opened()
    folder = endpoint.index.folder
    with closing(sqlite3.connect(folder / "items.sqlite")) as items:
        items.executescript("DROP TABLE value; VACUUM")
    (folder / "sizes.json").unlink()
    other = Endpoint(endpoint.settings)
    other.prepare()
    with pytest.raises(IndexDamaged):
        Linker(other.index).link(Question("a film"))
    assert other.refresh()
    assert Linker(other.index).link(Question("a film")).mentions is not None
    other.close()


def test_a_wrong_examples_file_is_told_without_a_path(settings: EndpointSettings, tmp_path: Path) -> None:
    (tmp_path / "examples.jsonl").write_text("{}\n", encoding="utf-8")
    index = settings.index.model_copy(update={"examples": str(tmp_path / "examples.jsonl")})
    endpoint = Endpoint(settings.model_copy(update={"index": index}))
    with pytest.raises(ConfigurationError, match="examples"):
        endpoint.prepare()
    assert endpoint.status == "down"
    assert not PATH.search(endpoint.detail)


@pytest.mark.usefixtures("opened")
def test_no_address_of_data_files_is_a_path(settings: EndpointSettings) -> None:
    gateway = Pipeline(Settings(endpoints=(settings,)))
    gateway.endpoint("films").prepare()
    trace = gateway.ask(Ask(QUESTION))
    assert not PATH.search(str(trace.as_json()))
    assert gateway.endpoint("films").connector.address == "films"
    gateway.close()
