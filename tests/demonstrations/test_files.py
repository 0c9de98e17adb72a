"""Demonstrations as JSON Lines: read, written, and refused with every wrong line named."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.core.types import Demonstration
from nlq_gateway.drafts.demonstrations import corpus_file, read_demonstrations, write_demonstrations

CHAIN = "Find(Fargo)->Relate(directed by, forward)->What()"


def written(file: Path, *records: Any) -> str:
    lines = (record if isinstance(record, str) else json.dumps(record) for record in records)
    file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return str(file)


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    program = read_program(CHAIN)
    given = (
        Demonstration("Who directed Fargo?", program, "example", {(0, 0): ("urn:fargo", "urn:fargo-2")}),
        Demonstration("Wer drehte Fargo – und wann?", program, "confirmed"),
    )
    write_demonstrations(tmp_path / "pool.jsonl", given)
    assert read_demonstrations(str(tmp_path / "pool.jsonl")).demonstrations == given


def test_a_line_may_have_several_questions_and_members_of_others(tmp_path: Path) -> None:
    record = {"questions": ["Who made Fargo?", "Fargo is by whom?"], "program": CHAIN, "source": "explored"}
    file = written(tmp_path / "corpus.jsonl", record | {"pattern": "Find Relate What", "count": 2}, "")
    found = read_demonstrations(file)
    assert [one.question for one in found.demonstrations] == record["questions"]
    assert {one.source for one in found.demonstrations} == {"explored"}


def test_queries_are_kept_with_their_place(tmp_path: Path) -> None:
    file = tmp_path / "pool.jsonl.gz"
    file.write_bytes(gzip.compress(json.dumps({"question": "?", "sparql": "ASK {}"}).encode()))
    (query,) = read_demonstrations(str(file)).queries
    assert (query.question, query.sparql, query.place) == ("?", "ASK {}", f"{file}, line 1")


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("{", "not JSON"),
        ([], "an object is expected"),
        ({"program": CHAIN}, "`question`"),
        ({"question": "  ", "program": CHAIN}, "`question`"),
        ({"questions": "a?", "program": CHAIN}, "`questions`"),
        ({"question": "a?"}, "neither `program` nor `sparql`"),
        ({"question": "a?", "program": "Seek(Fargo)"}, "the program is wrong"),
        ({"question": "a?", "program": "Find(Fargo"}, "the program is wrong"),
        ({"question": "a?", "program": CHAIN, "source": "heard"}, "`source`"),
        ({"question": "a?", "program": CHAIN, "bindings": {}}, "`bindings`"),
        ({"question": "a?", "program": CHAIN, "bindings": [{"step": 1}]}, "`bindings`"),
        (
            {"question": "a?", "program": CHAIN, "bindings": [{"step": 2, "argument": 1, "iri": "urn:a"}]},
            "argument 1 of step 2",
        ),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, record: Any, told: str) -> None:
    good = {"question": "a?", "program": CHAIN}
    file = written(tmp_path / "pool.jsonl", good, record, good)
    with pytest.raises(ConfigurationError) as failure:
        read_demonstrations(file)
    assert (failure.value.file, failure.value.line) == (file, 2)
    assert f"line 2: {told}" in failure.value.message or (
        "line 2: " in failure.value.message and told in failure.value.message
    )


def test_all_wrong_lines_are_named(tmp_path: Path) -> None:
    file = written(tmp_path / "pool.jsonl", "{", {"question": "a?", "program": CHAIN}, [], {})
    with pytest.raises(ConfigurationError) as failure:
        read_demonstrations(file)
    message = failure.value.message
    assert "3 lines are wrong" in message
    assert all(f"line {number}: " in message for number in (1, 3, 4))
    assert failure.value.hint


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"pool\.jsonl"):
        read_demonstrations(str(tmp_path / "pool.jsonl"))


def test_the_corpus_lies_beside_the_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NLQ_CACHE", str(tmp_path))
    assert corpus_file("films") == tmp_path / "endpoints" / "films" / "corpus.jsonl"
