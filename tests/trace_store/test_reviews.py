"""Feedback waits for decisions; what waits is bounded, and what is decided stays."""

from __future__ import annotations

import pytest

from nlq_gateway.edges.trace_store import reviews
from nlq_gateway.edges.trace_store.shares import Bounds
from tests.trace_store.conftest import Opened
from tests.trace_store.judging import said


def test_a_flood_of_feedback_leaves_that_of_others(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "WAITING", Bounds(10, 1_000_000))
    store = opened()
    approved = store.judge(said(0, client="flood"), by="curator")
    mine = [store.judge(said(number, client="me")) for number in range(3)]
    for number in range(40):
        store.judge(said(number, client="flood"))
    waiting = store.reviews(state="pending")
    assert len(waiting) == 10
    assert [one.number for one in waiting if one.said.client == "me"] == mine
    assert [one.number for one in store.reviews(state="approved")] == [approved]


def test_feedback_keeps_to_a_bound_in_bytes(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "WAITING", Bounds(1_000, 10_000))
    store = opened()
    for number in range(20):
        store.judge(said(number, comment="x" * 2_000))
    assert 3 <= len(store.reviews()) <= 5


def test_every_decision_is_seen_and_undone(opened: Opened) -> None:
    store, other = opened(), opened()
    first, second = store.judge(said(1)), store.judge(said(1, correct=False, right=None))
    assert (store.feedback_version(), store.confirmed("films")) == (0, ())
    store.decide(first, "approved", "ann")
    assert (other.feedback_version(), len(other.confirmed("films"))) == (1, 1)
    store.decide(second, "approved", "bob")
    assert (other.feedback_version(), other.confirmed("films")) == (2, ())
    store.decide(second, "rejected", "ann")
    assert (other.feedback_version(), len(other.confirmed("films"))) == (3, 1)
    assert [(one.state, one.by) for one in other.reviews()] == [("approved", "ann"), ("rejected", "ann")]
    [found] = other.reviews(number=first)
    assert found.said == said(1)
    assert found.teaches
