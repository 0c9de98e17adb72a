"""Agreement moves the odds of an answer, that of another method more than that of another run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlq_gateway.judging.confidence import Vote, agreed

PROBABILITIES = st.floats(0.001, 0.999)
VOTES = st.lists(st.builds(Vote, st.booleans(), st.booleans()), max_size=6)


@given(PROBABILITIES, VOTES)
def test_it_stays_a_probability_and_order_does_not_count(probability: float, votes: list[Vote]) -> None:
    found = agreed(probability, votes)
    assert 0 < found < 1
    assert agreed(probability, votes[::-1]) == pytest.approx(found)


@given(PROBABILITIES, VOTES, st.booleans())
def test_a_vote_moves_it_to_its_side(probability: float, votes: list[Vote], independent: bool) -> None:
    found = agreed(probability, votes)
    assert agreed(probability, [*votes, Vote(True, independent)]) > found
    assert agreed(probability, [*votes, Vote(False, independent)]) < found


def test_nobody_changes_nothing_and_another_method_says_most() -> None:
    assert agreed(0.6, []) == pytest.approx(0.6)
    assert agreed(0.6, [Vote(True, independent=True)]) > agreed(0.6, [Vote(True)])
    assert 0 < agreed(0.0, [Vote(False)]) < agreed(1.0, [Vote(True)]) < 1
