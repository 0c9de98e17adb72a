"""Whose a trace is: no other client's traces push it out, whichever way it was asked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from flask import Flask
from tokens import BEARER, FILMS, bearer

MadeApp = Callable[..., Flask]


def test_a_trace_is_kept_for_the_client_that_asked(app_with: MadeApp, tmp_path: Path) -> None:
    question = {"question": "How many films are there?", "dataset": "films"}
    chat = {"model": "films", "messages": [{"role": "user", "content": question["question"]}]}
    client, named = app_with(auth=BEARER).test_client(), bearer(FILMS)
    client.post("/nlq", json=question, headers=named)
    client.post("/v1/chat/completions", json=chat, headers=named)
    events = client.post("/nlq", json=question, headers=named | {"Accept": "text/event-stream"})
    assert b"event: done" in events.data
    unnamed = {"REMOTE_ADDR": "2001:db8:1:2::3"}
    app_with().test_client().get("/text2sparql", query_string=question, environ_overrides=unnamed)
    with closing(sqlite3.connect(tmp_path / "traces.sqlite")) as connection:
        clients = [row[0] for row in connection.execute("SELECT client FROM traces ORDER BY position")]
        [smallest] = connection.execute("SELECT min(size) FROM traces").fetchone()
    assert clients == ["team-films"] * 3 + ["@2001:db8:1::/48"]
    assert smallest > 500
