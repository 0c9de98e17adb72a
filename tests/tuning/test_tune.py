"""The judge adapted to an endpoint: what is kept, what is not, and how it is taken back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib import resources
from pathlib import Path
from random import Random

import pytest

from benchmarks import rooms
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.drafts.demonstrations import read_demonstrations, write_demonstrations
from nlq_gateway.judging import Tuned, forget_tuned, read_tuned, shipped, tuned_file, write_tuned
from nlq_gateway.offline.tuning import tune
from nlq_gateway.offline.tuning.fit import LabelledCandidates
from nlq_gateway.offline.tuning.tune import judged
from nlq_gateway.settings import SAMPLE

ENDPOINT = "sample"
QUESTIONS = str(resources.files("nlq_gateway.sample") / "questions.jsonl")

Open = Callable[[], Pipeline]


@pytest.fixture
def opened(own_cache: Path) -> Iterator[Open]:
    """Opens the sample graph, anew at each call, over a cache of the test's own."""
    assert tuned_file(ENDPOINT).is_relative_to(own_cache)
    with ExitStack() as gateways:
        yield lambda: gateways.enter_context(rooms.opened((SAMPLE,)))


def choice(wrong_has: str, number: int, score: float = 0.3) -> LabelledCandidates:
    """A question whose wrong program has something, and a higher reading than the right one."""
    right, wrong = {"reading": 2.0}, {"reading": 2.0 + score, wrong_has: 1.0 + number % 2}
    return LabelledCandidates((wrong, right), (False, True))


def test_what_helps_is_kept() -> None:
    verdict = judged([choice("explained", number) for number in range(60)], ())
    assert verdict.tuned is not None
    assert (verdict.before, verdict.after) == (0, 60)
    assert verdict.tuned.held_out == {"before": 0, "after": 60}
    assert list(verdict.tuned.changed) == ["explained"]
    assert verdict.tuned.weights["explained"] < shipped()["explained"] - 0.1
    assert verdict.tuned.weights["reading"] == shipped()["reading"]


def test_what_loses_a_question_of_the_built_in_graph_is_not_kept() -> None:
    nearly = 1.99 + 2.0 * shipped()["explained"] / shipped()["reading"]
    lost = LabelledCandidates(({"reading": 2.0, "explained": 2.0}, {"reading": nearly}), (True, False))
    verdict = judged([choice("explained", number) for number in range(60)], [lost])
    assert verdict.tuned is None
    assert verdict.reason == "questions of the built-in graph would be lost"


def test_chance_is_not_kept() -> None:
    random = Random(1)
    coins = [random.random() < 0.5 for _ in range(60)]
    lists = [
        LabelledCandidates(
            ({"reading": 2.0}, {"reading": 2.1, "length": random.gauss(0, 1)}), (coin, not coin)
        )
        for coin in coins
    ]
    verdict = judged(lists, ())
    assert verdict.tuned is None
    assert verdict.reason.startswith("held-out questions gained: ")


def test_a_gateway_takes_what_was_tuned_and_says_so(opened: Open) -> None:
    verdict = judged([choice("explained", number) for number in range(60)], ())
    assert verdict.tuned is not None
    before = opened().ask(Ask("Who directed Pulp Fiction?"))
    file = write_tuned(ENDPOINT, verdict.tuned)
    assert (file, read_tuned(ENDPOINT)) == (tuned_file(ENDPOINT), verdict.tuned)
    gateway = opened()
    after = gateway.ask(Ask("Who directed Pulp Fiction?"))
    assert gateway.endpoint(None).judge.weights == verdict.tuned.weights
    assert (after.tuned, after.as_json()["tuned"]) == (verdict.tuned.when, verdict.tuned.when)
    assert "tuned" not in before.as_json()
    assert forget_tuned(ENDPOINT)
    assert not forget_tuned(ENDPOINT)
    assert opened().endpoint(None).judge.weights == shipped()


@pytest.mark.parametrize("wrong", ["{", "[]", '{"when": "now"}'])
def test_a_damaged_file_is_told_and_passed_over(
    opened: Open, wrong: str, caplog: pytest.LogCaptureFixture
) -> None:
    tuned_file(ENDPOINT).parent.mkdir(parents=True, exist_ok=True)
    tuned_file(ENDPOINT).write_text(wrong)
    with pytest.raises(ConfigurationError, match="has no tuned weights"):
        read_tuned(ENDPOINT)
    assert opened().endpoint(None).judge.weights == shipped()
    assert "has no tuned weights" in caplog.text


@pytest.mark.usefixtures("own_cache")
def test_a_file_for_other_shipped_weights_is_passed_over() -> None:
    tuned = Tuned("now", 1, 0, {"before": 0, "after": 1}, {}, {"length": {"shipped": 0, "tuned": 1}}, "other")
    write_tuned(ENDPOINT, tuned)
    with pytest.raises(ConfigurationError, match="changes other weights than this version has"):
        read_tuned(ENDPOINT)


def test_a_corpus_is_asked(opened: Open, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    write_demonstrations(corpus, read_demonstrations(QUESTIONS).demonstrations)
    seen: list[tuple[int, int]] = []
    verdict = tune(opened(), corpus, most=20, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (20, 20)
    assert verdict.questions == 20
    assert verdict.before >= 16
    assert verdict.tuned is None or verdict.after > verdict.before


def test_without_a_corpus_there_is_nothing_to_learn_from(opened: Open, tmp_path: Path) -> None:
    gateway = opened()
    with pytest.raises(ConfigurationError, match="there is no corpus"):
        tune(gateway, tmp_path / "none.jsonl")
    few = tmp_path / "few.jsonl"
    few.write_text(json.dumps({"question": "Which films?", "program": "FindAll()->What()"}) + "\n")
    with pytest.raises(ConfigurationError, match="fewer than 20 questions"):
        tune(gateway, few)
