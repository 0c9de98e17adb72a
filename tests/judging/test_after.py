"""What is known of the candidate that is taken, once others ran."""

from __future__ import annotations

import math

import pytest

from nlq_gateway.judging import AFTER, Ran, after, chances
from nlq_gateway.judging.evidence import probability

ALONE = Ran(1.0, "yes")


def test_all_is_told() -> None:
    assert after(ALONE, [ALONE]).keys() == AFTER.keys() == chances().weights.keys()


def test_others_with_the_same_answer_make_it_likelier() -> None:
    agreed, contradicted = (after(ALONE, [ALONE, Ran(0.5, answer)]) for answer in ("yes", "no"))
    assert agreed["mass"] > contradicted["mass"]
    assert agreed["rest"] < contradicted["rest"]
    assert contradicted["lead"] == 0.5
    assert chances().probability(agreed) > chances().probability(contradicted)


def test_likelier_ones_that_found_nothing_are_told() -> None:
    assert after(ALONE, [Ran(3.0), ALONE])["behind"] == 2.0
    assert after(ALONE, [Ran(30.0), ALONE])["behind"] == 6.0


def test_a_likelier_candidate_is_likelier_to_be_right() -> None:
    low, high = (after(one, [one]) for one in (Ran(-3.0, "yes"), Ran(3.0, "yes")))
    assert chances().probability(high) > chances().probability(low)


@pytest.mark.parametrize("odds", [-1e9, -3.0, 0.0, 1e9])
def test_probabilities_are_between_none_and_one(odds: float) -> None:
    assert 0 <= probability(odds) <= 1
    assert not math.isnan(probability(odds))
