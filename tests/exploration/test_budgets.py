"""The same corpus whatever happens on the way, and never more than a budget allows."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from library import lines_of, write_plain

from nlq_gateway.answering import Pipeline
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.offline.exploration.explore import Exploration

Explored = Callable[..., tuple[str, Exploration]]


def test_one_seed_gives_one_corpus(explored: Explored, tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        explored(tmp_path / name, seed=seed, programs=60)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "again").read_bytes()
    assert (tmp_path / "one").read_bytes() != (tmp_path / "other").read_bytes()


def test_a_corpus_grows_as_if_it_had_not_been_stopped(explored: Explored, tmp_path: Path) -> None:
    explored(tmp_path / "whole", programs=90)
    for programs in (25, 61, 90):
        assert explored(tmp_path / "grown", programs=programs)[0] == "programs"
        assert len(lines_of(tmp_path / "grown")) == programs
    assert (tmp_path / "grown").read_bytes() == (tmp_path / "whole").read_bytes()
    assert (tmp_path / "grown.state").exists()


def test_what_a_killed_process_was_writing_is_written_again(explored: Explored, tmp_path: Path) -> None:
    explored(tmp_path / "whole", programs=60)
    explored(tmp_path / "killed", programs=30)
    with (tmp_path / "killed").open("a") as corpus, (tmp_path / "killed.state").open("a") as state:
        corpus.write('{"id": "explored-00031", "questi')
        state.write('{"found": [1, 2')
    explored(tmp_path / "killed", programs=60)
    assert (tmp_path / "killed").read_bytes() == (tmp_path / "whole").read_bytes()


def test_an_interrupted_exploration_goes_on(
    explored: Explored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    explored(tmp_path / "whole", programs=60)
    taken = Exploration._take

    def interrupted(self: Exploration, done: object) -> None:
        taken(self, done)  # type: ignore[arg-type]
        if self.programs > 30:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Exploration, "_take", interrupted)
        with pytest.raises(KeyboardInterrupt):
            explored(tmp_path / "stopped", programs=60)
    assert 30 < len(lines_of(tmp_path / "stopped")) < 60
    explored(tmp_path / "stopped", programs=60)
    assert (tmp_path / "stopped").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize("queries", [1, 40, 150])
def test_no_query_is_sent_beyond_the_budget(
    gateway: Pipeline, explored: Explored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, queries: int
) -> None:
    endpoint = gateway.endpoint("plain")
    select, sent = endpoint.select, []

    def counted(text: str, **limits: int) -> object:
        sent.append(text)
        return select(text, **limits)

    monkeypatch.setattr(endpoint, "select", counted)
    reason, exploration = explored(tmp_path / "some", queries=queries)
    assert (reason, exploration.queries) == ("queries", len(sent))
    assert len(sent) == queries
    explored(tmp_path / "some", programs=120)
    explored(tmp_path / "whole", programs=120)
    assert (tmp_path / "some").read_bytes() == (tmp_path / "whole").read_bytes()


def test_the_time_is_kept(explored: Explored, tmp_path: Path) -> None:
    reason, exploration = explored(tmp_path / "late", seconds=0.5)
    assert reason == "seconds"
    assert exploration.programs == len(lines_of(tmp_path / "late"))


def test_a_small_graph_is_exhausted(explored: Explored, tmp_path: Path) -> None:
    reason, exploration = explored(tmp_path / "all", dataset="tiny", programs=100_000)
    assert reason == "exhausted"
    assert 3 < exploration.programs == len(lines_of(tmp_path / "all"))


def test_an_edited_corpus_is_not_written_over(explored: Explored, tmp_path: Path) -> None:
    file = tmp_path / "edited"
    explored(file, programs=20)
    file.write_text(file.read_text().replace("What()", "Count()", 1))
    with pytest.raises(ConfigurationError, match="was changed"):
        explored(file, programs=40)


def test_a_file_that_is_no_corpus_is_not_written_over(explored: Explored, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("my notes\n")
    with pytest.raises(ConfigurationError, match="no state"):
        explored(file, programs=20)
    assert file.read_text() == "my notes\n"


def test_another_seed_wants_another_file(explored: Explored, tmp_path: Path) -> None:
    explored(tmp_path / "corpus", seed=1, programs=20)
    with pytest.raises(ConfigurationError, match="another graph, seed or version"):
        explored(tmp_path / "corpus", seed=2, programs=40)


def test_processes_give_the_same_corpus_as_one(tmp_path: Path) -> None:
    data = write_plain(tmp_path / "plain.ttl")
    for workers in ("1", "2"):
        command = ["explore", "--data", str(data), "--programs", "70", "--workers", workers]
        done = nlq(*command, "--out", str(tmp_path / workers))
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def nlq(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nlq_gateway", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
