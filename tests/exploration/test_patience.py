"""A store that is busy, slow or away, behind HTTP: waited for, and given up in the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from busy_server import BusyServer, Response
from library import lines_of, write_plain

from connectors import EmbeddedOxigraph, HttpEndpoint, Limits
from connectors.errors import EndpointError, EndpointRefusedQuery
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.offline.exploration import (
    Corpus,
    Exploration,
    ExplorationBudget,
    SchemaItems,
    here,
    patience,
)
from nlq_gateway.offline.exploration.patience import ExplorationBudgetSpent, GivesUp, PatientSender
from nlq_gateway.settings import EndpointSettings

JSON = "application/sparql-results+json"
EMPTY = Response(200, b'{"head":{"vars":["x"]},"results":{"bindings":[]}}')
TOO_MANY, UNAVAILABLE = Response(429), Response(503)
QUERY = "SELECT ?x { ?x ?y ?z }"


class Store:
    """Answers from a store in memory, but for queries that `busy` has an answer for, by their number."""

    def __init__(self, file: Path) -> None:
        self._store = EmbeddedOxigraph.in_memory([file])
        self.busy: Callable[[int], Response | None] = lambda _: None
        self.asked = 0

    def __call__(self, text: str) -> Response:
        self.asked += 1
        return self.busy(self.asked) or Response(200, self._store.raw(text, JSON).body)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(write_plain(tmp_path / "plain.ttl"))


@pytest.fixture
def server(store: Store) -> Iterator[BusyServer]:
    server = BusyServer(store)
    yield server
    server.close()


@pytest.fixture
def endpoint(server: BusyServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """Behind a connector that soon tries again what has failed again and again."""
    monkeypatch.setattr("connectors.patience.OPEN_SECONDS", 0.1)
    settings = {
        "id": f"remote{server.server_port}",
        "url": server.url,
        "dialect": "oxigraph",
        "layout": "direct",
    }
    endpoint = Endpoint(EndpointSettings.model_validate(settings))
    endpoint.prepare()
    yield endpoint
    endpoint.close()


def explored(endpoint: Endpoint, file: Path, **budget: float) -> tuple[str, Exploration]:
    schema = SchemaItems(endpoint.index.schema)
    with here(endpoint) as pool:
        exploration = Exploration(schema, Corpus(file, {}), pool, 0, ExplorationBudget(**budget))  # type: ignore[arg-type]
        return exploration.run(), exploration


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_WAIT_S", "_LEAST_PAUSE_S", "_LONGEST_PAUSE_S"):
        monkeypatch.setattr(patience, name, 0.001)


def test_a_busy_store_is_explored_all_the_same(
    store: Store, endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    explored(endpoint, tmp_path / "calm", programs=40)
    hurry(monkeypatch)
    busy = {0: TOO_MANY, 1: UNAVAILABLE}
    store.busy = lambda number: busy.get(number % 5)
    assert explored(endpoint, tmp_path / "busy", programs=40)[0] == "programs"
    assert (tmp_path / "busy").read_bytes() == (tmp_path / "calm").read_bytes()


def test_a_store_that_is_away_ends_it_and_nothing_is_lost(
    store: Store, endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurry(monkeypatch)
    explored(endpoint, tmp_path / "whole", programs=60)
    begun = store.asked
    store.busy = lambda number: UNAVAILABLE if number > begun + 30 else None
    reason, exploration = explored(endpoint, tmp_path / "part", programs=60)
    assert reason == "unanswered"
    assert exploration.failure is not None
    assert "the store does not answer" in exploration.failure.message
    assert "resumes where it stopped" in exploration.failure.hint
    assert 0 < len(lines_of(tmp_path / "part")) < 60
    store.busy = lambda _: None
    explored(endpoint, tmp_path / "part", programs=60)
    assert (tmp_path / "part").read_bytes() == (tmp_path / "whole").read_bytes()


Asked = Callable[..., tuple[PatientSender, list[float], BusyServer]]


@pytest.fixture
def asked() -> Iterator[Asked]:
    """A patient sender to a server that gives these answers in turn, the last again and again."""
    servers: list[BusyServer] = []

    def make(
        *answers: Response, most: int = 100, **options: float
    ) -> tuple[PatientSender, list[float], BusyServer]:
        left = list(answers)
        waits: list[float] = []
        servers.append(BusyServer(lambda _: left.pop(0) if len(left) > 1 else left[0]))
        send = HttpEndpoint(servers[-1].url, Limits(retries=0)).query
        return PatientSender(send, most, sleep=waits.append, **options), waits, servers[-1]  # type: ignore[arg-type]

    yield make
    for server in servers:
        server.close()


def test_waits_grow_and_end_when_the_store_answers(asked: Asked) -> None:
    patient, waits, server = asked(UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, EMPTY)
    assert patient(QUERY).rows == ()
    assert patient.queries == server.requests == 4
    backed_off = waits[::2]
    assert len(backed_off) == 3
    assert all(0.25 * 2**n <= wait <= 0.75 * 2**n for n, wait in enumerate(backed_off))


def test_a_store_that_was_busy_is_asked_more_slowly_for_a_while(asked: Asked) -> None:
    patient, waits, _ = asked(TOO_MANY, EMPTY)
    patient(QUERY)
    paused = patient.pause_s
    assert paused > 0
    del waits[:]
    for _ in range(20):
        patient(QUERY)
    assert waits[0] == paused
    assert patient.pause_s == 0


@pytest.mark.parametrize("told", ["7", "date"])
def test_the_store_says_how_long_to_wait(asked: Asked, told: str) -> None:
    when = (
        time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 8)) if told == "date" else told
    )
    patient, waits, _ = asked(Response(503, headers={"Retry-After": when}), EMPTY)
    patient(QUERY)
    assert 5 < max(waits) <= 8


def test_a_wrong_query_is_not_sent_again(asked: Asked) -> None:
    patient, waits, _ = asked(Response(400))
    with pytest.raises(EndpointRefusedQuery):
        patient(QUERY)
    assert (patient.queries, waits) == (1, [])


def test_the_store_is_given_up_after_several_queries(asked: Asked) -> None:
    patient, _, _ = asked(UNAVAILABLE)
    for _ in range(patience.FAILURES - 1):
        with pytest.raises(EndpointError) as failure:
            patient(QUERY)
        assert not isinstance(failure.value, GivesUp)
    with pytest.raises(GivesUp, match="does not answer"):
        patient(QUERY)


def test_budgets_are_kept_while_waiting(asked: Asked) -> None:
    patient, _, server = asked(UNAVAILABLE, most=3)
    with pytest.raises(ExplorationBudgetSpent, match="queries"):
        patient(QUERY)
    assert server.requests == 3
    late, waits, _ = asked(UNAVAILABLE, until=time.time() + 0.2)
    with pytest.raises(ExplorationBudgetSpent, match="seconds"):
        late(QUERY)
    assert sum(waits) < 0.2
