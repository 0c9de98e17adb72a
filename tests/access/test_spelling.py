"""Each address has one spelling: what a proxy's rule does not match does not lead there either."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from flask import Flask

from tests.cli.serving import running

Answers = Callable[..., int]

PATHS = ("/metrics", "/datasets", "/readyz", "/nlq", "/v1/models", "/datasets/sample/schema")
OTHERS = ("{}/", "/{}", "{}//", "{}%2f", "{}/.", "/x/..{}", "/.{}", "/%2e{}", "{};x", "{}%00")


@pytest.fixture(scope="module")
def status() -> Iterator[Answers]:
    """The status of a request to a running server with just this path, and perhaps one more header."""
    with running(dict(os.environ), "serve", "--data", "builtin:sample", "--workers", "1") as (_, address):
        place = urlsplit(address).hostname, urlsplit(address).port

        def asked(path: str, header: str = "X: y") -> int:
            with socket.create_connection(place, timeout=60) as connection:
                connection.sendall(f"GET {path} HTTP/1.0\r\n{header}\r\n\r\n".encode())
                return int(connection.makefile("rb").readline().split()[1])

        yield asked


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("other", OTHERS)
def test_no_other_spelling_leads_there(status: Answers, path: str, other: str) -> None:
    assert status(other.format(path)) in (400, 404)


def test_a_letter_in_percent_encoding_leads_nowhere(status: Answers) -> None:
    for path in ("/%6detrics", "/metric%73", "/Metrics", "/datasets/s%61mple/schema"):
        assert status(path) == 404, path
    assert status("/metrics") == 200
    assert status("/datasets/sample/schema?q=%66ilm") == 200


def test_every_rule_is_strict(app_with: Callable[..., Flask]) -> None:
    # Flask adds the rule of the page's files before there is anything to set.
    rules = [rule for rule in app_with().url_map.iter_rules() if rule.endpoint != "static"]
    assert not any(rule.merge_slashes for rule in rules)
    assert {rule.rule for rule in rules if not rule.strict_slashes} == {"/sparql", "/<dataset>/sparql"}


@pytest.mark.parametrize("name", ["SCRIPT_NAME", "Script-Name", "PATH_INFO"])
def test_no_header_takes_a_prefix_off_the_path(status: Answers, name: str) -> None:
    assert status("/x/metrics", f"{name}: /x") in (400, 404)
