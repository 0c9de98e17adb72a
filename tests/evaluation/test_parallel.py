"""Questions in several processes and on a cluster: the same report as in one."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Executor
from importlib import resources
from typing import Any

import dask
import pytest
from distributed import LocalCluster

from nlq_gateway.answering import Pipeline
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.offline.evaluation import GoldQuestion, Measurement, Measurer, Tally, read_questions
from nlq_gateway.offline.evaluation.parallel import EvaluationJob, cluster, measured, processes
from nlq_gateway.offline.workers import QUIET, WorkerLost
from nlq_gateway.settings import Settings

QUESTIONS = 12
JOB = EvaluationJob(Settings.for_data(["builtin:sample"]))


@pytest.fixture(scope="module")
def questions() -> list[GoldQuestion]:
    """Some of the sample's, one that is answered wrong, one that fails and one without gold."""
    file = resources.files("nlq_gateway.sample") / "questions.jsonl"
    return [
        *read_questions(str(file), QUESTIONS),
        GoldQuestion("wrong", "Who directed Pulp Fiction?", "own", ("somebody else",)),
        GoldQuestion("long", "x" * 5_000, "own", ("a",)),
        GoldQuestion("refused", "Who directed Pulp Fiction?", "own", None, "DROP ALL"),
    ]


@pytest.fixture
def indexed(gateway: Pipeline) -> None:
    """Processes open the index that is there already."""
    assert gateway.endpoint(None).status == "ready"


def timeless(report: dict[str, Any]) -> dict[str, Any]:
    return {key: part for key, part in report.items() if key != "latency_ms"}


def in_one_process(gateway: Pipeline, questions: list[GoldQuestion]) -> dict[str, Any]:
    return timeless(Tally(list(map(Measurer(gateway).measure, questions))).report())


def all_of(executor: Executor, questions: list[GoldQuestion]) -> list[Measurement]:
    return list(measured(executor, JOB, questions))


@pytest.mark.usefixtures("indexed")
def test_two_processes_report_as_one_does(gateway: Pipeline, questions: list[GoldQuestion]) -> None:
    with processes(2) as executor:
        found = all_of(executor, questions)
    assert [one.question for one in found] == questions
    report = Tally(found).report()
    assert timeless(report) == in_one_process(gateway, questions)
    assert report["n"] == QUESTIONS + 2
    assert report["errors_by_code"] == {"too-large": 1, "query-refused": 1}
    assert report["error_table"]["execution"] == 1


@pytest.mark.usefixtures("indexed")
def test_a_cluster_reports_as_one_process_does(gateway: Pipeline, questions: list[GoldQuestion]) -> None:
    with (
        dask.config.set(QUIET),
        LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address="127.0.0.1:0"
        ) as local,
        cluster(local.scheduler_address, JOB.settings.endpoints[0]) as executor,
    ):
        found = all_of(executor, questions)
    assert timeless(Tally(found).report()) == in_one_process(gateway, questions)


def test_a_scheduler_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nlq_gateway.offline.workers.CONNECT_SECONDS", 1)
    with (
        pytest.raises(ConfigurationError, match="no scheduler"),
        cluster("tcp://127.0.0.1:1", JOB.settings.endpoints[0]),
    ):
        pass


def _die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_ends_is_said(monkeypatch: pytest.MonkeyPatch, questions: list[GoldQuestion]) -> None:
    monkeypatch.setattr("nlq_gateway.offline.evaluation.parallel._measure", _die)
    with pytest.raises(WorkerLost), processes(1) as executor:
        all_of(executor, questions)
