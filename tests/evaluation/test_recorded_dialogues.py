"""Dialogues are recorded whole, and replayed without a model; their graph is one of many."""

from __future__ import annotations

import gzip
import json
import tarfile
from pathlib import Path

import pytest
from model_kinds import AS_STEPS, AT_FIRST, running

from benchmarks.recorded import main
from benchmarks.recorded.measure import outcomes
from benchmarks.recorded.merged import merged
from benchmarks.recorded.record import read_replies, record
from benchmarks.recorded.sets import EXPLORE, Graph, Set
from nlq_gateway.offline.evaluation import GoldQuestion, read_questions
from nlq_gateway.settings import SAMPLE

ASKED = GoldQuestion("one", "Who directed Pulp Fiction?", "all", ("Quentin Tarantino",), None)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Set, Path]:
    """A set of one question, and the file of its dialogue with a server whose model calls tools."""
    one = Set("looks", (Graph("sample", (SAMPLE,), (ASKED,), card=300),), EXPLORE)
    file = tmp_path_factory.mktemp("recorded") / "replies.jsonl"
    with running("calls") as url:
        record([one], url, file)
    return one, file


def test_all_texts_of_a_dialogue_are_kept(recorded: tuple[Set, Path]) -> None:
    (reply,) = read_replies(recorded[1])
    assert (reply.strategy, reply.reply) == (EXPLORE, AT_FIRST)
    looks, run, program = reply.others
    assert looks.split("\n")[-2:] == ['Look: find "director"', 'Look: describe "Pulp Fiction"']
    assert run.strip() == f"Look: run\nStep 1:{AS_STEPS}"
    assert program == AS_STEPS


def test_a_dialogue_is_replayed_beside_its_first_text(recorded: tuple[Set, Path]) -> None:
    one, file = recorded
    (outcome,) = outcomes([one], read_replies(file), ("only", "steps", "auto"))
    assert {way: exact for way, (exact, _) in outcome.scores.items()} == {"only": 0, "explored": 1}
    assert outcome.calls == 4


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Data in the form of the benchmark's: three graphs, two of which have a class in common."""
    classes = {
        "kennel": ["pet", "owner"],
        "zoo": ["pet", "keeper", "cage"],
        "port": ["ship", "dock", "quay"],
    }
    folder = tmp_path / "data"
    folder.mkdir()
    with tarfile.open(folder / "train_kgs.tar.xz", "w:xz") as members:
        for name, found in classes.items():
            file = tmp_path / f"{name}.nt"
            iris = (f"<http://valuenet/ontop/{one}>" for one in found)
            types = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
            file.write_text("".join(f"<urn:{name}> <{types}> {iri} .\n" for iri in iris), encoding="utf-8")
            members.add(file, f"kg_train/{name}.nt")
    queries = ["SELECT ?x { ?x :ship\\#name 'a' }", "SELECT ?x { ?x a :ship } LIMIT 1", "SELECT ?x {}"]
    pairs = [
        {"id": f"{name}-{number}", "question": "Which?", "kg": name, "gold_rows": 2 - number}
        | {"gold": {"sparql": query}}
        for name in classes
        for number, query in enumerate(queries)
    ]
    lines = "\n".join(map(json.dumps, pairs))
    (folder / "train.pairs.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    return folder


def test_graphs_with_a_class_of_another_are_left_out(archive: Path, tmp_path: Path) -> None:
    files = merged(archive, archive, tmp_path)
    assert files is not None
    graph, questions, reworded = files
    assert {line.split("> ")[0] for line in graph.read_text().splitlines()} == {"<urn:kennel", "<urn:port"}
    asked = list(read_questions(str(questions)))
    # Of each the query that gives rows and is without a limit.
    assert sorted(one.id for one in asked) == ["kennel-0", "port-0"]
    assert reworded.read_text() == questions.read_text()
    assert {one.sparql for one in asked} == {"SELECT ?x { ?x <http://valuenet/ontop/ship#name> 'a' }"}


def test_there_is_no_such_graph_without_the_data(tmp_path: Path) -> None:
    assert merged(tmp_path, tmp_path, tmp_path) is None


def test_the_table_compares_dialogues_with_one_text(
    recorded: tuple[Set, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one, file = recorded
    monkeypatch.setattr("benchmarks.recorded.sets", lambda *_: [one])
    monkeypatch.setattr("benchmarks.recorded.REPLIES", file)
    main([])
    assert "looks              1     0.000   0.000     1.000   1.000    4.0     4" in capsys.readouterr().out
