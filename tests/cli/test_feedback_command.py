"""`nlq feedback`: what waits, what is decided, and what goes out as an examples file."""

from __future__ import annotations

import json
from pathlib import Path

import yaml

from compilers.kopl.notations import read_program
from nlq_gateway.core.types import Demonstration
from nlq_gateway.drafts.demonstrations import read_demonstrations
from nlq_gateway.edges.trace_store import Feedback, TraceStore
from tests.cli.conftest import Nlq


def test_feedback_is_listed_decided_on_and_exported(nlq: Nlq, tmp_path: Path) -> None:
    file, traces = tmp_path / "nlq.yaml", tmp_path / "traces.sqlite"
    server = {"trace_store": f"sqlite:///{traces}"}
    file.write_text(
        yaml.safe_dump({"endpoints": [{"id": "films", "data": ["builtin:sample"]}], "server": server})
    )
    store = TraceStore(traces)
    program = read_program("Find(Pulp Fiction)->Relate(directed by, forward)->What()")
    for number, dataset in enumerate(("films", "films", "other")):
        question = f"Who directed\x1b[2J {number}?"
        right = Demonstration(question, program, "confirmed")
        store.judge(Feedback("t", dataset, question, True, right, "yes\nno", "@10.0.0.1"))

    def feedback(*arguments: str, code: int = 0) -> str:
        done = nlq("feedback", *arguments, "--config", str(file))
        assert done.returncode == code, done.stderr
        return done.stdout

    listed = feedback("list")
    assert listed.count("Find(Pulp Fiction)->") == 2
    assert "\x1b" not in listed
    assert [json.loads(line)["id"] for line in feedback("list", "--json").splitlines()] == [1, 2]
    assert feedback("export") == ""
    assert feedback("approve", "2").startswith("2 is approved: Who directed")
    feedback("reject", "1")
    assert feedback("list") == ""
    assert [
        one["by"] for one in map(json.loads, feedback("list", "--state", "all", "--json").splitlines())
    ] == [
        "operator",
        "operator",
    ]
    (tmp_path / "examples.jsonl").write_text(feedback("export"), encoding="utf-8")
    [exported] = read_demonstrations(str(tmp_path / "examples.jsonl")).demonstrations
    assert exported.program == program
    feedback("reject", "2")
    assert feedback("export") == ""
    feedback("approve", "3", code=1)
    assert store.confirmed("other") == ()
    store.close()
