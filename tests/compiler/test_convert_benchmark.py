"""The benchmark of conversions over a small graph: what it counts, what it reports, what it gives up on."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest

from benchmarks import convert

BASE = convert.BASE
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
INTEGER = "http://www.w3.org/2001/XMLSchema#integer"
MEMBERS = 100

# Each compares all members with all others, five times over.
ENDLESS = " ".join(f"?p{n} :age ?a{n} . FILTER(?a{n} != ?a{n - 1})" for n in range(1, 6))
PAIRS = (
    ("people", "SELECT ?p WHERE { ?p :age 7 }", 1),
    ("people", "SELECT ?p WHERE {  ?p :age 7 }", 1),
    ("people", f"SELECT (COUNT(*) AS ?n) WHERE {{ ?p0 :age ?a0 . {ENDLESS} }}", 1),
    ("people", "SELECT ?p ?a WHERE { ?p :age ?a } ORDER BY DESC(?a) LIMIT 3", 3),
    ("things", "SELECT ?p WHERE { ?p :age ?a OPTIONAL { ?p :name ?n } }", 100),
    ("things", "SELECT (AVG(?a) AS ?m) WHERE { ?p :age ?a FILTER(?a > 1000) }", 1),
    ("things", "SELECT ?p WHERE { ?p :age 1000 }", 0),
    ("things", "SELECT WHERE", "ERR"),
    ("things", "SELECT ?p WHERE { ?p :age 1 }", None),
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    people = "".join(
        f'<{BASE}p{n}> <{TYPE}> <{BASE}Person> .\n<{BASE}p{n}> <{BASE}age> "{n}"^^<{INTEGER}> .\n'
        for n in range(MEMBERS)
    )
    with tarfile.open(tmp_path / convert.GRAPHS, "w:xz") as archive:
        for graph in ("people", "things"):
            member = tarfile.TarInfo(f"graphs/{graph}.nt")
            member.size = len(people)
            archive.addfile(member, io.BytesIO(people.encode()))
    with gzip.open(tmp_path / convert.PAIRS, "wt", encoding="utf-8") as file:
        for number, (graph, query, rows) in enumerate(PAIRS):
            record = {"id": f"q{number}", "question": "?", "kg": graph, "gold": {"sparql": query}}
            print(json.dumps({**record, "gold_rows": rows}), file=file)
    return tmp_path


def test_counts_and_report(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = data / "report.jsonl"
    convert.main(["--data", str(data), "--report", str(report), "--seconds", "3"])
    lines = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines()]
    assert " ".join(lines[0]) == "convert: 6 pairs that give rows, 5 queries, 2 graphs"
    assert {tuple(line) for line in lines[1:-1]} == {
        ("5", "83.3%", "converted"),
        ("3", "50.0%", "same rows"),
        ("1", "16.7%", "different rows"),
        ("1", "16.7%", "too slow to compare"),
        ("1", "16.7%", "no program"),
        ("1", "16.7%", "OPTIONAL inside a pattern"),
    }
    records = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    assert [(record["id"], record["verdict"], record["reason"]) for record in records] == [
        ("q2", "too slow to compare", ""),
        ("q4", "no program", "OPTIONAL inside a pattern"),
        # The average of nothing is 0 in SPARQL, and no answer of a program.
        ("q5", "different rows", ""),
    ]


def test_some_pairs_alone(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    convert.main(["--data", str(data), "--kg", "things", "--limit", "1"])
    assert capsys.readouterr().out.startswith("convert: 1 pairs that give rows, 1 queries, 1 graphs")


def test_without_the_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    convert.main(["--data", str(tmp_path)])
    assert "name its folder with --data" in capsys.readouterr().out
