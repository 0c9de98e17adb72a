"""The challenge's own client against `nlq serve`: it asks, runs the queries at `/sparql`, and evaluates."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from text2sparql_client import Client, NotInstalled, install

pytestmark = pytest.mark.stores

ALIAS = "https://text2sparql.aksw.org/2025/sample/"
PREFIX = "PREFIX world: <http://world.example/> "
# With the gold query of the file's format; the last one has no query.
QUESTIONS = [
    ("Who directed Pulp Fiction?", "SELECT ?x { world:Pulp_Fiction world:directed_by ?x }"),
    ("Which films did Stanley Kubrick direct?", "SELECT ?x { ?x world:directed_by world:Stanley_Kubrick }"),
    ("Capital of Australia?", "SELECT ?x { world:Australia world:capital ?x }"),
    ("How many films did Christopher Nolan direct?",
     "SELECT (COUNT(?x) AS ?n) { ?x world:directed_by world:Christopher_Nolan }"),
    ("Is the Danube longer than 2000 km?", "ASK { world:Danube ?p ?x }"),
    ("zzz qqq xxx", "SELECT ?x { ?x world:directed_by world:zzz }"),
]  # fmt: skip


@pytest.fixture
def client(tmp_path: Path) -> Client:
    try:
        install()
    except NotInstalled as error:
        pytest.skip(f"the official client cannot be installed: {error}")
    file = {
        "dataset": {"id": ALIAS, "prefix": "sample"},
        "questions": [
            {"id": number, "question": {"en": text}, "query": {"sparql": PREFIX + gold}}
            for number, (text, gold) in enumerate(QUESTIONS, 1)
        ],
    }  # fmt: skip
    (tmp_path / "questions.yml").write_text(yaml.safe_dump(file), encoding="utf-8")
    return Client(tmp_path)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    config = tmp_path / "nlq.yaml"
    config.write_text(
        f"endpoints:\n- {{id: sample, aliases: ['{ALIAS}'], data: ['builtin:sample']}}\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "nlq_gateway", "serve", "--config", str(config), "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.fullmatch(r"nlq: open (\S+)\n", server.stdout.readline())
        assert found
        yield found[1]
    finally:
        server.terminate()
        server.communicate(timeout=60)


def test_it_asks_queries_and_evaluates(client: Client, served: str) -> None:
    asked = client.run("ask", "questions.yml", f"{served}/text2sparql", "-o", "answers.json")
    assert asked.returncode == 0, asked.stderr
    assert "validation error" in asked.stderr
    answers = read(client, "answers.json")
    assert [answer["qname"] for answer in answers] == [
        f"sample:{number}-en" for number in range(1, len(QUESTIONS))
    ]
    assert {answer["dataset"] for answer in answers} == {ALIAS}
    gold, found = ["-o", "gold.json"], ["-a", "answers.json", "-o", "found.json"]
    for more in (gold, found):
        done = client.run("query", "questions.yml", "-e", f"{served}/sparql", *more)
        assert done.returncode == 0, done.stderr
    done = client.run("evaluate", "nlq", "gold.json", "found.json", "-o", "scores.json")
    assert done.returncode == 0, done.stderr
    scores = read(client, "scores.json")
    # Where neither query finds anything there is nothing to score.
    each = {f"sample:{number}-en" for number in range(1, len(QUESTIONS))}
    assert {name: one["set_F"] for name, one in scores.items()} == dict.fromkeys((*each, "average"), 1.0)


def test_its_database_answers_a_second_time_without_the_gateway(client: Client, served: str) -> None:
    first = client.run("ask", "questions.yml", f"{served}/text2sparql", "-o", "first.json")
    assert first.stderr.count("Cached response found") == 0
    again = client.run("ask", "questions.yml", f"{served}/text2sparql", "-o", "again.json")
    assert again.stderr.count("Cached response found") == len(QUESTIONS)
    assert read(client, "first.json") == read(client, "again.json")


def read(client: Client, name: str) -> Any:
    return json.loads((client.folder / name).read_text(encoding="utf-8"))
