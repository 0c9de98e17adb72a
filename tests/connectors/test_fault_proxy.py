"""A proxy between the connector and a real store, which breaks what the store says in every way we know."""

from __future__ import annotations

import http.client
import os
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

import pytest

from connectors import EndpointError, HttpEndpoint, Limits, patience
from tests.clock import PROMPT_S, until
from tests.fault_proxy import TOXICS, FaultProxy

pytestmark = pytest.mark.oxigraph_server

ROWS = "SELECT ?s ?o { ?s <http://e.example/p> ?o } ORDER BY ?o LIMIT 20"
JSON = "application/sparql-results+json"
REQUESTS = 1_000
# These take their time, and cannot be done hundreds of times in a test.
SLOW = ("stall", "drip")


@pytest.fixture
def proxy(oxigraph_url: str) -> Iterator[FaultProxy]:
    proxy = FaultProxy(oxigraph_url)
    yield proxy
    proxy.close()


def asked(endpoint: HttpEndpoint, way: str, timeout_ms: int) -> object:
    if way == "query":
        return endpoint.query(ROWS, timeout_ms=timeout_ms)
    return endpoint.raw(ROWS, JSON, timeout_ms=timeout_ms)


@pytest.mark.parametrize("toxic", TOXICS)
@pytest.mark.parametrize("way", ["query", "raw"])
def test_each_fault_is_its_error_and_the_next_answer_is_right(
    proxy: FaultProxy, toxic: str, way: str
) -> None:
    endpoint = HttpEndpoint(proxy.url, Limits(retries=1))
    expected = endpoint.query(ROWS)
    assert len(expected.rows) == 20
    proxy.poison(toxic)
    started = time.monotonic()
    with pytest.raises(EndpointError) as caught:
        asked(endpoint, way, 500)
    assert type(caught.value) is TOXICS[toxic].error
    assert time.monotonic() - started < 3
    assert caught.value.endpoint == proxy.url
    assert caught.value.hint
    proxy.poison("")
    assert endpoint.query(ROWS).rows == expected.rows
    endpoint.close()


def test_a_request_in_two_late_parts_is_answered(proxy: FaultProxy) -> None:
    """A busy client does this, and the proxy is not to hang where no fault was asked for."""
    body = urlencode({"query": ROWS}).encode()
    connection = http.client.HTTPConnection(urlsplit(proxy.url).netloc, timeout=PROMPT_S)
    connection.putrequest("POST", proxy.path)
    connection.putheader("Content-Type", "application/x-www-form-urlencoded")
    connection.putheader("Content-Length", str(len(body)))
    connection.endheaders()
    time.sleep(0.5)
    connection.send(body)
    assert connection.getresponse().status == 200
    connection.close()


def sockets() -> int:
    """Sockets that this process has open."""
    links = (f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd"))
    return sum(os.path.exists(link) and os.readlink(link).startswith("socket:") for link in links)


def held() -> tuple[int, int]:
    """The open files of this process, and its threads."""
    return sockets(), threading.active_count()


def leaked(before: tuple[int, int]) -> bool:
    """True if more is open now; resources of other tests may have ended meanwhile."""
    return any(now > then for now, then in zip(held(), before, strict=True))


def test_a_thousand_requests_over_all_faults_leak_nothing(
    proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each fault is followed by an answer, which has to be the right one."""
    monkeypatch.setattr(patience, "OUTAGES", REQUESTS)
    endpoint = HttpEndpoint(proxy.url, Limits(retries=0, query_ms=10_000))
    expected = endpoint.query(ROWS).rows
    endpoint.close()
    time.sleep(0.5)
    before = held()
    endpoint = HttpEndpoint(proxy.url, Limits(retries=0, query_ms=10_000))
    often = [toxic for toxic in TOXICS if toxic not in SLOW]
    failed = 0
    for number in range(REQUESTS // 2):
        toxic = SLOW[number % 2] if number % 50 == 0 or number % 50 == 1 else often[number % len(often)]
        proxy.poison(toxic)
        with pytest.raises(TOXICS[toxic].error):
            asked(endpoint, ("query", "raw")[number % 2], 60 if toxic in SLOW else 10_000)
        failed += 1
        proxy.poison("")
        assert endpoint.query(ROWS).rows == expected
    endpoint.close()
    assert failed == REQUESTS // 2
    # The proxy sees the ends of its connections a moment later.
    until(lambda: not leaked(before), PROMPT_S)
