"""The numbers behind the report's charts: shares for bars, bins and places for the histogram. Pure.

Widths and places are shares of the chart, so that the page can draw it in any width; letters keep theirs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlq_gateway.offline.evaluation.score import percentile
from nlq_gateway.offline.evaluation.tally import SHARES

MEASURES = {"hits_at_1": "hits@1", "f1": "F1", "exact": "exact"}
BINS = 32
_ROUND = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Row:
    """One group of a bar chart: the number of questions, and each measure in [0, 1]."""

    name: str
    n: int
    measures: tuple[tuple[str, float], ...]


def rows(groups: Mapping[str, Mapping[str, Any]]) -> tuple[Row, ...]:
    """The groups of one part of the report."""
    return tuple(
        Row(name, group["n"], tuple((label, group[key]) for key, label in MEASURES.items()))
        for name, group in groups.items()
    )


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """One bar: left edge, width and height as shares, its count, and its range in milliseconds."""

    left: float
    width: float
    height: float
    n: int
    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A time at its place on the axis."""

    name: str
    ms: float
    place: float


@dataclass(frozen=True, slots=True)
class Histogram:
    """The times of questions, on a logarithmic axis."""

    bins: tuple[HistogramBar, ...]
    marks: tuple[Mark, ...]
    ticks: tuple[Mark, ...]


def histogram(times_ms: Sequence[float]) -> Histogram | None:
    """The histogram of these times; None without any."""
    times = [max(ms, 0.1) for ms in times_ms]
    if not times:
        return None
    edges = list(_round_numbers(min(times), max(times)))
    low, high = math.log(edges[0]), math.log(edges[-1])

    def place(ms: float) -> float:
        return (math.log(max(ms, edges[0])) - low) / (high - low)

    counts = [0] * BINS
    for ms in times:
        counts[min(int(place(ms) * BINS), BINS - 1)] += 1
    borders = [math.exp(low + (high - low) * number / BINS) for number in range(BINS + 1)]
    bins = tuple(
        HistogramBar(number / BINS, 1 / BINS, n / max(counts), n, borders[number], borders[number + 1])
        for number, n in enumerate(counts)
        if n
    )
    found = {name: percentile(times, share) for name, share in SHARES.items()}
    return Histogram(
        bins,
        tuple(Mark(name, ms, place(ms)) for name, ms in found.items()),
        tuple(Mark(duration(ms), ms, place(ms)) for ms in _shown(edges)),
    )


def _round_numbers(low: float, high: float) -> Iterator[float]:
    """1, 2, 5, 10 and so on, from the last that is not above `low` to the first above `high`."""
    power = math.floor(math.log10(low))
    numbers = [digit * 10.0**exponent for exponent in range(power, power + 12) for digit in _ROUND]
    begin = max(index for index, number in enumerate(numbers) if number <= low or index == 0)
    for number in numbers[begin:]:
        yield number
        if number > high and not math.isclose(number, high):
            return


def _shown(edges: Sequence[float]) -> Sequence[float]:
    """Few enough to stand side by side on a phone; powers of ten where there are many."""
    if len(edges) <= 2 * len(_ROUND) + 1:
        return edges
    return [edge for edge in edges if math.isclose(10.0 ** round(math.log10(edge)), edge)]


def duration(ms: float) -> str:
    """`0.5 ms`, `120 ms`, `1.5 s`."""
    return f"{ms / 1000:.3g} s" if ms >= 1000 else f"{round(ms, 1 if ms < 10 else None):g} ms"
