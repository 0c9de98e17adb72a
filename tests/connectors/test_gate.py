"""Turns at a store: fair, and never more than is allowed."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from faulty_server import FaultyServer, answer
from hypothesis import given
from hypothesis import strategies as st

from connectors import EmbeddedOxigraph, EndpointOverloaded, EndpointTimeout, HttpEndpoint, Limits, asking
from connectors.gate import Bucket, FairQueue, Gate

OWNERS = st.lists(st.sampled_from("abcd"), max_size=40)


@given(OWNERS)
def test_each_is_served_in_order_and_all_in_turn(owners: list[str]) -> None:
    queue: FairQueue[tuple[str, int]] = FairQueue()
    for number, owner in enumerate(owners):
        queue.put(owner, (owner, number))
    served = [queue.take() for _ in range(len(queue))]
    assert sorted(served) == sorted((owner, number) for number, owner in enumerate(owners))
    for owner in set(owners):
        numbers = [number for who, number in served if who == owner]
        assert numbers == sorted(numbers)
        places = [place for place, (who, _) in enumerate(served) if who == owner]
        # Between two turns of one, each other has at most one.
        for earlier, later in pairwise(places):
            assert max(Counter(who for who, _ in served[earlier + 1 : later]).values(), default=0) <= 1


@given(st.lists(st.tuples(st.sampled_from(["put", "take", "remove"]), st.sampled_from("abc")), max_size=60))
def test_who_waits_longest_among_those_who_had_the_fewest_turns_is_next(steps: list[tuple[str, str]]) -> None:
    """Whatever comes, goes and leaves: nobody is lost, and nobody has two turns while another waits."""
    queue: FairQueue[int] = FairQueue()
    waiting: dict[str, list[int]] = {}
    since_turn: dict[str, set[str]] = {}
    for number, (step, owner) in enumerate(steps):
        if step == "put":
            queue.put(owner, number)
            waiting.setdefault(owner, []).append(number)
            since_turn.setdefault(owner, set())
        elif step == "remove" and waiting.get(owner):
            queue.remove(owner, waiting[owner].pop())
        elif step == "take" and any(waiting.values()):
            number_taken = queue.take()
            served = next(who for who, numbers in waiting.items() if number_taken in numbers)
            assert waiting[served].pop(0) == number_taken
            for other, numbers in waiting.items():
                if other != served and numbers:
                    assert served not in since_turn[other]
                    since_turn[other].add(served)
            since_turn[served] = set()
        since_turn = {who: turns for who, turns in since_turn.items() if waiting.get(who)}
        assert len(queue) == sum(map(len, waiting.values()))


@given(
    st.floats(0.1, 1_000),
    st.lists(st.tuples(st.floats(0, 3), st.integers(0, 5)), max_size=40),
)
def test_never_more_than_the_rate(rate: float, waits: list[tuple[float, int]]) -> None:
    now = 0.0
    bucket = Bucket(rate, lambda: now)
    taken: list[float] = []
    for seconds, wanted in waits:
        now += seconds
        for _ in range(wanted):
            if bucket.pause() == 0:
                bucket.take()
                taken.append(now)
        now += bucket.pause() * (1 + 1e-9) + 1e-9
        assert bucket.pause() == 0
    for first, start in enumerate(taken):
        for count, end in enumerate(taken[first:], start=1):
            assert count <= max(1.0, rate) + rate * (end - start) + 1e-3


def test_never_more_at_a_time_and_all_have_their_turn() -> None:
    gate = Gate(3, math.inf)
    lock, running, most, done = threading.Lock(), 0, 0, 0

    def ask(who: str) -> None:
        nonlocal running, most, done
        with asking(who):
            for _ in range(10):
                with gate.turn(time.monotonic() + 20):
                    with lock:
                        running += 1
                        most = max(most, running)
                    time.sleep(0.001)
                    with lock:
                        running -= 1
                        done += 1

    threads = [threading.Thread(target=ask, args=(str(number % 3),)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (most, done, running) == (3, 120, 0)


def test_one_who_asks_much_does_not_keep_others_waiting() -> None:
    gate = Gate(1, math.inf)
    order: list[str] = []
    begun = threading.Barrier(12)

    def ask(who: str) -> None:
        begun.wait(10)
        time.sleep(0.05 if who == "few" else 0)
        with asking(who), gate.turn(time.monotonic() + 20):
            order.append(who)
            time.sleep(0.02)

    threads = [threading.Thread(target=ask, args=(who,)) for who in ["many"] * 10 + ["few"] * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    last_of_few = len(order) - order[::-1].index("few")
    assert last_of_few < len(order)


def test_queries_begin_no_faster_than_allowed() -> None:
    gate = Gate(10, 20.0)
    started = time.monotonic()
    for _ in range(26):
        with gate.turn(started + 10):
            pass
    assert time.monotonic() - started >= 0.28


def test_a_turn_that_does_not_come_is_a_timeout_and_takes_no_place() -> None:
    gate = Gate(1, math.inf)
    with gate.turn(time.monotonic() + 1):
        for _ in range(3):
            with pytest.raises(EndpointTimeout, match="turn"), gate.turn(time.monotonic() + 0.01):
                raise AssertionError
    with gate.turn(time.monotonic() + 0.01):
        pass


def test_no_more_wait_than_can_be_served() -> None:
    gate = Gate(1, math.inf)
    stop = threading.Event()
    refused: list[EndpointOverloaded] = []

    def ask() -> None:
        try:
            with gate.turn(time.monotonic() + 20):
                stop.wait(20)
        except EndpointOverloaded as error:
            refused.append(error)
            stop.set()

    threads = [threading.Thread(target=ask) for _ in range(34)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [error.retryable for error in refused] == [True]


@pytest.mark.parametrize("kind", ["http", "embedded"])
def test_connectors_wait_for_their_turn(serve: Callable[..., FaultyServer], kind: str) -> None:
    limits = Limits(per_second=4.0)
    if kind == "http":
        url = serve(answer(b'{"head":{},"boolean":true}')).url
        endpoint: HttpEndpoint | EmbeddedOxigraph = HttpEndpoint(url, limits)
    else:
        endpoint = EmbeddedOxigraph.in_memory([], limits=limits)
    started = time.monotonic()
    for _ in range(5):
        assert endpoint.query("ASK {}").boolean is True
    assert time.monotonic() - started >= 0.2
    with pytest.raises(EndpointTimeout, match="turn") as caught:
        endpoint.query("ASK {}", timeout_ms=20)
    assert caught.value.endpoint == endpoint.address
    endpoint.close()
