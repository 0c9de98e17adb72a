"""Processes, and a Dask cluster by its address."""

from __future__ import annotations

from pathlib import Path

import pytest
from library import lines_of, write_plain

from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.offline.exploration import Corpus, Exploration, ExplorationBudget, SchemaItems, cluster, here
from nlq_gateway.offline.workers import QUIET
from nlq_gateway.settings import Settings, load


def test_a_cluster_gives_the_same_corpus_as_this_process(tmp_path: Path) -> None:
    dask = pytest.importorskip("dask")
    distributed = pytest.importorskip("distributed")
    settings = Settings.for_data([write_plain(tmp_path / "plain.ttl")]).endpoints[0]
    endpoint = Endpoint(settings)
    endpoint.prepare()
    with (
        dask.config.set(QUIET),
        distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=2,
            processes=False,
            dashboard_address="127.0.0.1:0",
            protocol="tcp",
        ) as local,
    ):
        for name, pool in (("here", here(endpoint)), ("there", cluster(settings, local.scheduler_address))):
            with pool as workers:
                corpus = Corpus(tmp_path / name, {})
                Exploration(
                    SchemaItems(endpoint.index.schema), corpus, workers, 0, ExplorationBudget(30)
                ).run()
    endpoint.close()
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()
    assert len(lines_of(tmp_path / "here")) == 30


def test_no_scheduler_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nlq_gateway.offline.workers.CONNECT_SECONDS", 0.5)
    settings = Settings.for_data(["builtin:sample"]).endpoints[0]
    with (
        pytest.raises(ConfigurationError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"),
        cluster(settings, "tcp://127.0.0.1:9"),
    ):
        pass


def test_credentials_do_not_travel_unprotected(tmp_path: Path) -> None:
    file = tmp_path / "nlq.yaml"
    file.write_text(
        "endpoints: [{id: kg, url: https://store.example/sparql, auth: {type: bearer, token: '${TOKEN}'}}]"
    )
    settings = load(file, {"TOKEN": "secret"}).endpoints[0]
    with (
        pytest.raises(ConfigurationError, match="unprotected"),
        cluster(settings, "tcp://192.0.2.1:8786"),
    ):
        pass
