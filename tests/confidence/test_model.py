"""The shipped weights: each feature says what it means, and more of it never makes an answer less sure."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nlq_gateway.judging.confidence import MEANINGS, SURE_ENOUGH, ConfidenceModel, few_shot
from nlq_gateway.judging.confidence.model import BOUNDS

DOCS = Path(__file__).parents[2] / "docs"
MODEL = ConfidenceModel.shipped()


def test_every_weighted_feature_has_a_meaning() -> None:
    assert MODEL.weights.keys() <= MEANINGS.keys()
    assert MODEL.weights


@pytest.mark.parametrize("name", sorted(MODEL.weights))
def test_more_of_a_feature_never_makes_an_answer_less_sure(name: str) -> None:
    little, much = (MODEL.probability({name: value}) for value in (0.0, 1.0))
    assert 0 < little <= much < 1


def test_what_is_not_known_counts_as_the_mean() -> None:
    means = {name: mean for name, mean in MODEL.means.items() if name not in BOUNDS}
    assert MODEL.probability({}) == pytest.approx(MODEL.probability(means))


@pytest.mark.parametrize("name", BOUNDS)
def test_no_answer_is_surer_than_its_names(name: str) -> None:
    everything = dict.fromkeys(MODEL.weights, 1.0)
    least, enough = BOUNDS[name]
    assert MODEL.probability({**everything, name: 0.0}) <= least
    assert MODEL.probability({**everything, name: enough}) > SURE_ENOUGH


def test_all_for_an_answer_is_enough_and_nothing_is_not() -> None:
    assert MODEL.probability(dict.fromkeys(MODEL.weights, 1.0)) > SURE_ENOUGH
    assert MODEL.probability(dict.fromkeys(MODEL.weights, 0.0)) < SURE_ENOUGH


def test_the_file_says_what_the_model_is() -> None:
    again = ConfidenceModel.of(MODEL.as_json(MEANINGS))
    assert again.probability({"explained": 0.4}) == pytest.approx(
        MODEL.probability({"explained": 0.4}), abs=1e-3
    )


def test_all_features_are_in_the_documentation() -> None:
    text = (DOCS / "confidence.md").read_text()
    parts = text.split("| of few-shot programs | what it is |")
    tables = [dict(re.findall(r"^\| `(.+?)` \| (.+) \|$", part, re.MULTILINE)) for part in parts]
    assert tables == [MEANINGS, few_shot.MEANINGS]
