"""`deploy/nginx` as a real nginx reads it, in front of a running gateway."""

from __future__ import annotations

import http.client
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from scripts import check_nginx
from tests.cli.serving import running
from tests.ports import free_port

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
# Every spelling that nginx, or the gateway behind it, could take for the same address.
METRICS = (
    "/nlq/metrics",
    "/nlq/metrics/",
    "/nlq/metrics//",
    "/nlq//metrics",
    "/nlq/./metrics",
    "/nlq/x/../metrics",
    "/nlq/metrics%2f",
    "/nlq/%2fmetrics",
    "/nlq/metrics%2F",
    "/nlq/metric%73",
    "/nlq/metrics%00",
    "/nlq/metrics/.",
    "/nlq/metrics;x",
    "/nlq/metrics%3fx",
    "/traces/..%2fmetrics",
    "/traces/../nlq/metrics",
    "/nlq/x%2f..%2fmetrics",
    "/nlq/METRICS",
)
# nginx runs on the machine itself, whose one address is let in; the rest of the loopback network is not.
LOCAL, STRANGE = "127.0.0.1", "127.0.0.2"

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of nginx before a gateway over the sample graph; its store is not there."""
    folder = tmp_path_factory.mktemp("nginx")
    # Started by root, nginx works as another user.
    for each in (folder, *folder.parents[:2]):
        each.chmod(0o755)
    with (
        running(dict(os.environ), "serve", "--data", "builtin:sample", "--workers", "1") as (_, gateway),
        ExitStack() as stack,
    ):
        port, store = free_port(), free_port()
        configuration = check_nginx.write(folder, port, urlsplit(gateway).port, store)
        check_nginx.start(stack, [NGINX, "-c", str(configuration)], port)
        yield f"127.0.0.1:{port}"


def asked(site: str, path: str, source: str = LOCAL) -> tuple[int, bytes]:
    """Status and body of a request with just this spelling, from this address."""
    connection = http.client.HTTPConnection(site, timeout=60, source_address=(source, 0))
    try:
        connection.putrequest("GET", path, skip_accept_encoding=True)
        connection.endheaders()
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


@pytest.mark.parametrize("path", METRICS)
def test_no_spelling_of_metrics_passes_nginx(site: str, path: str) -> None:
    status, body = asked(site, path, STRANGE)
    assert status in (400, 403, 404)
    assert b"nlq_model_ready" not in body


def test_metrics_are_for_the_machine_itself(site: str) -> None:
    status, body = asked(site, "/nlq/metrics")
    assert status == 200
    assert b"nlq_model_ready" in body


@pytest.mark.parametrize(
    "path", ["/nlq/", "/nlq/datasets", "/nlq/healthz", "/nlq?question=Who", "/nlq/static/page.css"]
)
def test_the_rest_is_for_all(site: str, path: str) -> None:
    assert asked(site, path, STRANGE)[0] == 200
