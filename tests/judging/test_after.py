"""Evidence for the chosen candidate once others ran."""

from __future__ import annotations

import math

import pytest

from nlq_gateway.judging import AFTER, Ran, after
from nlq_gateway.judging.evidence import probability


def share(odds: float) -> float:
    """From -6 to 6 as a share."""
    return (odds + 6) / 12


ALONE = Ran(1.0, "yes", 2.0)


def test_all_is_told() -> None:
    assert after(ALONE, [ALONE]).keys() == AFTER.keys()


def test_what_was_not_read_is_left_out() -> None:
    unread = Ran(1.0, "yes")
    assert after(unread, [unread]).keys() == AFTER.keys() - {"read"}


def test_only_another_answer_makes_it_less_likely() -> None:
    agreed, contradicted = (after(ALONE, [ALONE, Ran(0.5, answer)]) for answer in ("yes", "no"))
    assert contradicted["ahead"] == share(0.5) < agreed["ahead"]


@pytest.mark.parametrize("odds", [-1e9, -3.0, 0.0, 1e9])
def test_probabilities_are_between_none_and_one(odds: float) -> None:
    assert 0 <= probability(odds) <= 1
    assert not math.isnan(probability(odds))
