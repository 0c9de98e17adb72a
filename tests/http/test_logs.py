"""The server's log: one line a record, in one format, without private content."""

from __future__ import annotations

import contextlib
import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings.logs import FIELDS, JsonLines, TextLines, write_logs
from nlq_gateway.settings.server import LogSettings

HOSTILE = "gone\nnlq: CRITICAL all is lost\x1b[2J\u2028\u202e \r\x00"
QUESTION = {"question": "Who directed Pulp Fiction?"}


def record(message: str, *, failure: Exception | None = None, **fields: object) -> logging.LogRecord:
    raised = (type(failure), failure, failure.__traceback__) if failure else None
    made = logging.LogRecord("nlq_gateway.x", logging.WARNING, "file", 1, "%s", (message,), raised)
    setattr(made, FIELDS, fields)
    return made


def test_a_record_is_one_line_of_text_whatever_is_in_it() -> None:
    written = TextLines().format(record(HOSTILE, name=HOSTILE))
    assert written.isprintable()
    assert written.startswith("nlq: WARNING gone\\u000anlq: CRITICAL")


def test_a_failure_makes_no_line_that_looks_like_a_record() -> None:
    written = TextLines().format(record("broken", failure=ValueError(HOSTILE))).split("\n")
    assert written[0] == "nlq: WARNING broken"
    assert all(line.startswith("  ") and line.isprintable() for line in written[1:])
    assert "nlq: CRITICAL" in "".join(written[1:])


def test_a_record_is_one_json_object() -> None:
    written = JsonLines().format(record(HOSTILE, failure=ValueError(HOSTILE), status=200, name="Zoë"))
    assert written.isprintable()
    assert written.isascii()
    found = json.loads(written)
    assert (found["message"], found["status"], found["name"]) == (HOSTILE, 200, "Zoë")
    assert (found["level"], found["logger"]) == ("warning", "nlq_gateway.x")
    assert found["exception"].endswith(f"ValueError: {HOSTILE}")


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Logs of level info as JSON; afterwards as before."""
    before, handlers = logging.root.level, list(logging.root.handlers)
    levels = {name: logging.getLogger(name).level for name in ("nlq_gateway", "connectors", "compilers")}
    stream = io.StringIO()
    with contextlib.redirect_stderr(stream):
        write_logs(LogSettings(format="json", level="info"))
    yield stream
    logging.root.handlers[:] = handlers
    logging.root.setLevel(before)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def lines(written: io.StringIO) -> list[dict[str, object]]:
    found = map(json.loads, written.getvalue().splitlines())
    return [line for line in found if line["logger"] == "nlq_gateway.request"]


def test_a_request_is_a_line_without_its_question(client: FlaskClient, written: io.StringIO) -> None:
    secret = {"X-API-Key": "geheim", "Authorization": "Bearer geheim"}
    response = client.post("/nlq?api_key=geheim", json=QUESTION, headers=secret, buffered=True)
    document = response.get_json()
    [line] = lines(written)
    assert line["request"] == response.headers["X-Request-Id"]
    told = {
        name: line[name] for name in ("method", "route", "status", "dataset", "trace", "strategy", "outcome")
    }
    assert told == {
        "method": "POST",
        "route": "/nlq",
        "status": 200,
        "dataset": "sample",
        "trace": document["id"],
        "strategy": document["strategy"],
        "outcome": "answered",
    }
    assert isinstance(line["ms"], float)
    assert "geheim" not in str(line)
    assert "Pulp" not in str(line)


def test_an_error_is_told_by_its_code_and_no_address(client: FlaskClient, written: io.StringIO) -> None:
    client.get("/nothing/here?key=geheim", buffered=True)
    client.get("/traces/geheim", buffered=True)
    found = [(line["route"], line["status"], line["problem"]) for line in lines(written)]
    assert found == [("", 404, "not-found"), ("/traces/<trace_id>", 404, "not-found")]


def test_questions_are_written_where_the_operator_says_so(
    gateway: Pipeline, tmp_path: Path, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = LogSettings(level="info", questions=True)
    server = gateway.settings.server.model_copy(update={"log": log})
    monkeypatch.setattr(gateway, "settings", gateway.settings.model_copy(update={"server": server}))
    app: Flask = create_app(gateway, TraceStore(tmp_path / "traces.sqlite"))
    app.test_client().post("/nlq", json=QUESTION, buffered=True)
    assert [line["question"] for line in lines(written)] == [QUESTION["question"]]


def test_libraries_stay_silent(written: io.StringIO) -> None:
    logging.getLogger("httpx").info("POST https://model.example/?key=geheim")
    logging.getLogger("gunicorn.error").info("ours")
    assert "geheim" not in written.getvalue()
    assert '"ours"' in written.getvalue()
