"""Another version of an index is taken while the gateway runs; what is being answered keeps its own."""

from __future__ import annotations

import gc
import shutil
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.readiness import Readiness
from nlq_gateway.index import IndexMissing, Manifest
from nlq_gateway.settings import EndpointSettings, Settings

CINEMA = Path(__file__).parent / "fixtures" / "cinema.ttl"
QUESTION = "Who directed The Graduate?"


def opened(folder: Path, **index: object) -> Pipeline:
    values = {"id": "cinema", "data": [str(CINEMA)], "index": {"folder": str(folder), **index}}
    return Pipeline(Settings(endpoints=(EndpointSettings.model_validate(values),)))


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Pipeline]:
    gateway = opened(tmp_path)
    gateway.endpoint(None).prepare()
    yield gateway
    gateway.close()


def publish_copy(gateway: Pipeline, version: str) -> None:
    """Act as another machine that has built a version of the same content."""
    source = gateway.endpoint(None).source()
    old = gateway.endpoint(None).index.folder
    new = source.versions.root / version
    shutil.copytree(old, new)
    replace(Manifest.read(old), version=version).write(new)
    source.versions.point(source.recipe, version)


def test_questions_keep_the_version_that_they_began_with(gateway: Pipeline) -> None:
    endpoint = gateway.endpoint(None)
    first = gateway.ask(Ask(QUESTION))
    running = endpoint.snapshot()
    assert not endpoint.refresh()
    publish_copy(gateway, "9-newer")
    assert endpoint.refresh()
    second = gateway.ask(Ask(QUESTION))
    assert (first.index_version, second.index_version) == (running.index.manifest.version, "9-newer")
    assert first.answer == second.answer
    assert running.index.entities_named("The Graduate") == endpoint.index.entities_named("The Graduate")
    assert running.connector is endpoint.connector
    old = weakref.ref(running.index)
    del running
    gc.collect()
    assert old() is None


def test_an_older_version_can_be_put_to_use_again(gateway: Pipeline) -> None:
    endpoint = gateway.endpoint(None)
    old = endpoint.index.manifest.version
    publish_copy(gateway, "9-newer")
    endpoint.refresh()
    source = endpoint.source()
    source.versions.use(source.recipe, old)
    assert endpoint.refresh()
    assert endpoint.index.manifest.version == old


def test_who_looks_after_endpoints_takes_newer_versions(gateway: Pipeline) -> None:
    publish_copy(gateway, "9-newer")
    readiness = Readiness(gateway, lambda _: readiness.stop())
    readiness.start()
    readiness.wait(20)
    assert gateway.endpoint(None).index.manifest.version == "9-newer"


def test_a_gateway_that_builds_nothing_opens_what_there_is(gateway: Pipeline, tmp_path: Path) -> None:
    reader = opened(tmp_path, build=False)
    reader.endpoint(None).prepare()
    assert reader.endpoint(None).index.folder == gateway.endpoint(None).index.folder
    other = opened(tmp_path, build=False, entities=5)
    with pytest.raises(IndexMissing, match="entities is 1000000, not 5"):
        other.endpoint(None).prepare()
    assert other.endpoint(None).status == "down"
