"""One client's traces do not push out another's, and all of them keep to a bound in bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nlq_gateway.edges.trace_store.shares import fair_share
from tests.trace_store.conftest import Opened

LARGE = "x" * 10_000


def test_traces_keep_to_a_bound_in_bytes(opened: Opened) -> None:
    traces = opened(most_bytes=100_000)
    for number in range(30):
        traces.put(f"t{number}", {"text": LARGE})
    there = [n for n in range(30) if traces.get(f"t{n}") is not None]
    assert 8 <= len(there) <= 10
    assert there[-1] == 29
    assert there == list(range(30 - len(there), 30))


def test_a_flood_of_traces_leaves_those_of_others(opened: Opened) -> None:
    traces = opened(kept=20, most_bytes=200_000)
    for number in range(5):
        traces.put(f"mine{number}", {"text": LARGE}, "me")
    for number in range(100):
        traces.put(f"flood{number}", {"text": LARGE}, "flood")
    assert all(traces.get(f"mine{number}") for number in range(5))
    assert traces.get("flood99")
    assert 10 <= sum(traces.get(f"flood{number}") is not None for number in range(100)) <= 17


def test_clients_that_all_have_much_have_the_same(opened: Opened) -> None:
    traces = opened(kept=20)
    for number in range(60):
        traces.put(f"{number}", {}, f"client{number % 2}")
    there = [n for n in range(60) if traces.get(f"{n}") is not None]
    assert len(there) <= 22
    assert abs(sum(n % 2 for n in there) * 2 - len(there)) <= 2


@given(st.lists(st.integers(0, 50), max_size=8), st.integers(0, 200))
def test_a_fair_share_fills_the_bound(uses: list[int], bound: int) -> None:
    share = fair_share(uses, bound)
    if share is None:
        assert sum(uses) <= bound
    else:
        assert sum(min(use, share) for use in uses) <= bound
        assert sum(min(use, share + 1) for use in uses) > bound
