"""Failures on the command line: one message, a hint, an exit code, never a traceback."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nlq_gateway.edges.cli import main

Nlq = Callable[..., "subprocess.CompletedProcess[str]"]
Written = Callable[[str, object], str]

SAMPLE = ("--data", "builtin:sample")
CONFIG = "endpoints: [{id: films, data: ['builtin:sample']}]\n"

# The arguments, where {name} is a file of FILES; the exit code, and words of the message.
FILES = {
    "nlq.yaml": CONFIG,
    "bad.yaml": CONFIG + "modle: {}\n",
    "away.yaml": "endpoints: [{id: away, url: 'http://127.0.0.1:1/sparql'}]\n",
    "notes.txt": "these are no triples\n",
    "broken.ttl": "@prefix : <http://a.example/> .\n:a :b :c .\n:a :b\n",
    "binary.nt": "\x00\x01\x02\n",
    "type.json": '[{"function": "FindAll", "inputs": []}, {"function": "VerifyStr", "inputs": ["x"]}]',
    "half.json": '[{"function": "Find"',
    "fine.txt": "FindAll()->Count()",
    "questions.jsonl": '{"question": "a", "answers": ["b"]}\n{"question": 7}\n',
}
USAGE = [
    ((), "COMMAND"),
    (("asq", "x"), "invalid choice"),
    (("ask", "why?"), "or --config FILE (and --endpoint ID)"),
    (("feedback", "list"), "hint: give --config FILE (and --endpoint ID)"),
    (("ask", *SAMPLE), "question is missing"),
    (("ask", *SAMPLE, ""), "empty"),
    (("ask", *SAMPLE, " "), "empty"),
    (("ask", *SAMPLE, "x" * 100_000), "100000 characters"),
    (("ask", *SAMPLE, "a?", "--lang", "en"), "--lang"),
    (("ask", "--data", "/missing.ttl", "a?"), "nlq: there is no file /missing.ttl\n"),
    (("ask", "--data", "/a.ttl", "/b.ttl", "a?"), "nlq: there is no file /a.ttl; there is no file /b.ttl\n"),
    (("ask", "--data", "{notes.txt}", "a?"), "notes.txt"),
    (("ask", "--data", "{broken.ttl}", "a?"), "broken.ttl, line 4"),
    (("ask", "--data", "{binary.nt}", "a?"), "binary.nt"),
    (("ask", "--data", "/", "a?"), "folder"),
    (("ask", "--data", "http://kg.example.org/films.ttl", "a?"), "is an address and no file"),
    (("ask", "--config", "/missing.yaml", "a?"), "/missing.yaml"),
    (("ask", "--config", "{bad.yaml}", "a?"), "line 2, modle"),
    (("ask", "--config", "{nlq.yaml}", "--endpoint", "other", "a?"), "'other'"),
    (("ask", "--config", "{nlq.yaml}", *SAMPLE, "a?"), "either --data"),
    (("ask", *SAMPLE, "--layout", "tree", "a?"), "invalid choice: 'tree'"),
    (("ask", *SAMPLE, "--examples", "/missing.jsonl", "a?"), "/missing.jsonl"),
    (("run", *SAMPLE), "program is missing"),
    (("run", *SAMPLE, "/missing.json"), "/missing.json cannot be read"),
    (("run", "{fine.txt}", *SAMPLE, "--jsonl", "-"), "either a program"),
    (("run", *SAMPLE, "--jsonl", "/missing.jsonl"), "/missing.jsonl cannot be read"),
    (("compile", "{fine.txt}"), "layout is needed"),
    (("compile", "{fine.txt}", "--layout", "kqapro", "--dialect", "sql"), "invalid choice: 'sql'"),
    (("eval", *SAMPLE), "--questions"),
    (("eval", *SAMPLE, "--questions", "/missing.jsonl"), "/missing.jsonl cannot be read"),
    (("eval", *SAMPLE, "--questions", "{questions.jsonl}"), "line 2"),
    (("eval", *SAMPLE, "--questions", "{questions.jsonl}", "--limit", "0"), "from 1 on"),
    (("eval", *SAMPLE, "--questions", "{questions.jsonl}", "--limit", "1", "--report", "/no/x"), "/no/x"),
    (("serve", *SAMPLE, "--port", "99999"), "0 to 65535"),
    (("serve", *SAMPLE, "--workers", "0"), "from 1 on"),
    (("serve", *SAMPLE, "--host", "no.such.host.invalid"), "no.such.host.invalid"),
    (("serve", "--config", "{bad.yaml}"), "modle"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def filled(arguments: tuple[str, ...], folder: Path) -> list[str]:
    return [str(folder / word[1:-1]) if word.startswith("{") else word for word in arguments]


@pytest.mark.parametrize(("arguments", "words"), USAGE)
def test_usage_and_configuration_end_in_2(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    environment: dict[str, str],
    folder: Path,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.delenv("NLQ_CONFIG", raising=False)
    monkeypatch.setenv("NLQ_CACHE", environment["NLQ_CACHE"])
    try:
        code: object = main(filled(arguments, folder))
    except SystemExit as left:
        code = left.code
    shown = capsys.readouterr()
    assert (code, shown.out) == (2, "")
    assert words in shown.err
    assert len(shown.err) < 3_000


def test_a_program_with_a_type_error_fails(nlq: Nlq, folder: Path) -> None:
    done = nlq("run", *SAMPLE, str(folder / "type.json"))
    assert done.returncode == 1
    assert done.stderr.startswith("nlq: step 2")
    row = json.loads(done.stdout)
    assert (row["id"], row["answers"], row["error"]["code"]) == ("type", None, "invalid-program")


def test_a_program_that_is_half_there_fails(nlq: Nlq, folder: Path) -> None:
    done = nlq("run", *SAMPLE, str(folder / "half.json"))
    assert done.returncode == 1
    assert "JSON" in done.stderr


@pytest.mark.parametrize("command", [("ask", "a?"), ("run", "{fine.txt}"), ("index",)])
def test_a_store_that_is_down_fails_and_gives_no_answer(
    nlq: Nlq, folder: Path, command: tuple[str, ...]
) -> None:
    done = nlq(*filled(command, folder), "--config", str(folder / "away.yaml"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "127.0.0.1:1" in done.stderr
    assert "hint:" in done.stderr


def test_a_port_in_use_is_one_line_and_2(nlq: Nlq) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for command in ("demo", "serve"):
            done = nlq(command, "--port", str(port))
            assert done.returncode == 2
            assert f"port {port} is in use" in done.stderr


def test_a_reader_that_goes_away_ends_the_command_quietly(environment: dict[str, str], folder: Path) -> None:
    file = folder / "many.jsonl"
    file.write_text('{"program": "FindAll()->Count()"}\n' * 2_000, encoding="utf-8")
    command = f'set -o pipefail; "$0" -m nlq_gateway run --data builtin:sample --jsonl {file} | head -n 1'
    done = subprocess.run(
        ["bash", "-c", command, sys.executable], capture_output=True, text=True, env=environment, timeout=120
    )
    assert json.loads(done.stdout)["answers"]
    assert done.stderr == ""
