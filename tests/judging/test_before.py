"""Evidence for a candidate before it is run."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.core.types import Draft
from nlq_gateway.judging.candidates import Candidate
from nlq_gateway.judging.evidence import WordsSaid, before

PROGRAM = read_program("Find(Fargo)->What()")


def own(score: float, best: float, **parts: float) -> float:
    draft = Draft(PROGRAM, "test", score, parts=parts)
    return before(Candidate(draft, frozenset(["test"])), 0.0, best, WordsSaid())["own"]


@pytest.mark.parametrize(("short", "expected"), [(0.0, 0.0), (-1.5, -1.5), (-9.0, -4.0)])
def test_a_demonstration_pays_for_the_words_that_it_leaves_out(short: float, expected: float) -> None:
    """As the reasoner does, whose best program is the measure."""
    assert own(3.0, 5.0, short=short) == expected
    assert own(3.0, 4.5, cost=0.0) == -1.5
    assert own(3.0, 5.0) == 0.0
