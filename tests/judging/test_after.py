"""Evidence for the chosen candidate once others ran."""

from __future__ import annotations

import math

import pytest

from nlq_gateway.judging import AFTER, Ran, after, scores_of_answers
from nlq_gateway.judging.evidence import probability


def share(odds: float) -> float:
    """From -6 to 6 as a share."""
    return (odds + 6) / 12


# What no source proposes has log odds of -1.
UNKNOWN = math.exp(-1.0)
ALONE = Ran(1.0, "yes", 2.0)


def test_all_is_told() -> None:
    assert after(ALONE, [ALONE]).keys() == AFTER.keys()


def test_what_was_not_read_is_left_out() -> None:
    unread = Ran(1.0, "yes")
    assert after(unread, [unread]).keys() == AFTER.keys() - {"read"}


def test_only_another_answer_makes_it_less_likely() -> None:
    agreed, contradicted = (after(ALONE, [ALONE, Ran(0.5, answer)]) for answer in ("yes", "no"))
    assert contradicted["ahead"] == share(0.5) < agreed["ahead"]


def test_programs_with_one_answer_add_up() -> None:
    agreeing = [ALONE, Ran(0.4, "yes"), Ran(0.9, "no")]
    alone = after(ALONE, [ALONE, Ran(0.9, "no")])
    both = after(ALONE, agreeing)
    assert both["ahead"] > alone["ahead"]
    likely = math.exp(1.0) + math.exp(0.4)
    assert both["share"] == pytest.approx(likely / (likely + math.exp(0.9) + UNKNOWN))


def test_what_was_not_run_has_its_share() -> None:
    assert after(ALONE, [ALONE], [1.0])["share"] == pytest.approx(math.e / (2 * math.e + UNKNOWN))


def test_what_found_nothing_has_a_share_where_it_is_taken_alone() -> None:
    nothing = Ran(1.0)
    of_one, of_none = (after(taken, [Ran(1.0), ALONE])["share"] for taken in (ALONE, nothing))
    assert of_one == pytest.approx(math.e / (math.e + UNKNOWN))
    assert of_none == pytest.approx(math.e / (2 * math.e + UNKNOWN))


def test_two_programs_outweigh_a_likelier_one() -> None:
    found = scores_of_answers([Ran(1.0, "no"), Ran(0.8, "yes"), Ran(0.6, "yes"), Ran(2.0)])
    assert max(found, key=found.__getitem__) == "yes"


@pytest.mark.parametrize("odds", [-1e9, -3.0, 0.0, 1e9])
def test_probabilities_are_between_none_and_one(odds: float) -> None:
    assert 0 <= probability(odds) <= 1
    assert not math.isnan(probability(odds))
