"""Weights from lists of candidates."""

from __future__ import annotations

from random import Random

from nlq_gateway.judging import JudgeWeights
from nlq_gateway.offline.tuning.fit import LabelledCandidates, fitted

PRIOR = JudgeWeights({"reading": 1.0, "worth": 1.0})


def choices(number: int, seed: int = 0) -> list[LabelledCandidates]:
    """Lists in which what is right has fewer steps, whatever its score."""
    random = Random(seed)
    found = []
    for _ in range(number):
        features = tuple({"reading": random.gauss(3, 0.5), "length": random.randint(1, 6)} for _ in range(4))
        fewest = min(one["length"] for one in features)
        found.append(LabelledCandidates(features, tuple(one["length"] == fewest for one in features)))
    return found


def right(choices: list[LabelledCandidates], weights: JudgeWeights) -> int:
    return sum(one.is_right(weights) for one in choices)


def test_what_tells_right_from_wrong_is_learned() -> None:
    weights = fitted(choices(80), PRIOR, 1.0)
    assert weights["length"] < -0.3
    others = choices(80, seed=1)
    right, before = (sum(one.is_right(known) for one in others) for known in (weights, PRIOR))
    assert right > before + 0.3 * len(others)


def test_the_penalty_holds_weights_to_the_prior() -> None:
    free, held = (fitted(choices(40), PRIOR, penalty) for penalty in (1.0, 1e6))
    assert abs(held["length"]) < 0.001 < abs(free["length"])
    assert (held["worth"], held["reading"], free["reading"]) == (1.0, 1.0, 1.0)


def test_nothing_to_learn_from_leaves_the_prior() -> None:
    always = LabelledCandidates(({"reading": 1.0}, {"reading": 2.0}), (True, True))
    assert fitted([always], PRIOR) is PRIOR


def test_many_rounds_do_not_diverge() -> None:
    tight = [
        LabelledCandidates(({"reading": 9.0, "length": 1.0}, {"reading": 1.0, "length": 50.0}), (False, True))
    ] * 20
    assert all(abs(number) < 100 for number in fitted([*tight, *choices(20)], PRIOR, 0.01).numbers.values())
