"""The drawings of charts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlq_gateway.offline.evaluation.charts import duration, histogram


def test_marks_stand_in_order_on_a_logarithmic_axis() -> None:
    found = histogram([10.0] * 90 + [100.0] * 9 + [1000.0])
    assert found is not None
    assert [(mark.name, mark.ms) for mark in found.marks] == [("p50", 10), ("p95", 100), ("p99", 100)]
    assert [tick.name for tick in found.ticks] == ["10 ms", "100 ms", "1 s"]
    assert found.marks[1].place == pytest.approx(math.log(100 / 10) / math.log(2000 / 10))
    assert sum(one.n for one in found.bins) == 100
    assert max(one.height for one in found.bins) == 1


@given(st.lists(st.floats(0, 1e7), min_size=1, max_size=50))
def test_every_time_is_in_one_bin_within_the_chart(times: list[float]) -> None:
    found = histogram(times)
    assert found is not None
    assert sum(one.n for one in found.bins) == len(times)
    places = [mark.place for mark in (*found.marks, *found.ticks)]
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in places)
    assert len(found.ticks) >= 2


def test_nothing_measured_has_no_histogram() -> None:
    assert histogram([]) is None


def test_durations() -> None:
    assert [duration(ms) for ms in (0.25, 9.96, 120.4, 1000, 1540)] == [
        "0.2 ms",
        "10 ms",
        "120 ms",
        "1 s",
        "1.54 s",
    ]
