"""The reliability table and the expected calibration error, by hand."""

from __future__ import annotations

import pytest

from nlq_gateway.offline.evaluation.calibration import Claim, calibration, calibration_error, reliability


def test_answers_are_put_into_bins_by_confidence() -> None:
    table = reliability([Claim(0.05, 0.0), Claim(0.95, 1.0), Claim(1.0, 0.0)])
    assert [(row.begin, row.n, row.right) for row in table] == [(0.0, 1, 0.0), (0.9, 2, 0.5)]
    assert table[1].confidence == pytest.approx(0.975)


def test_the_error_is_the_distance_weighted_by_answers() -> None:
    claims = [Claim(0.9, 1.0), Claim(0.9, 1.0), Claim(0.9, 0.0), Claim(0.2, 0.0)]
    assert calibration_error(reliability(claims)) == pytest.approx(3 / 4 * (0.9 - 2 / 3) + 1 / 4 * 0.2)


def test_whoever_says_half_and_is_right_in_half_is_calibrated() -> None:
    assert calibration([Claim(0.5, 1.0), Claim(0.5, 0.0)])["expected_error"] == 0.0


def test_without_answers_there_is_no_error() -> None:
    assert calibration([]) == {"expected_error": 0.0, "table": []}
