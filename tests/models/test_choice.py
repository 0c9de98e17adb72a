"""A model chooses by what it finds probable; without scores by a number that it writes."""

from __future__ import annotations

import pytest

from benchmarks.scripted_model import ScriptedModel, of_options
from nlq_gateway.models import Deadline, Prompt, choose

OPTIONS = ["work location", "headquarters location", "capital"]
PROMPT = Prompt("Choose.\n", "headquartered in:")
ENOUGH = Deadline()


def silent(_: object) -> list[str]:
    raise AssertionError("nothing has to be written")


def test_the_numbers_of_options_are_scored() -> None:
    by_option = {"work location": -2.0, "headquarters location": -0.2, "capital": -1.0}
    model = ScriptedModel(silent, prefer=of_options(lambda _, text: by_option[text]))
    choice = choose(model, PROMPT, OPTIONS, ENOUGH)
    assert choice is not None
    assert OPTIONS[choice.best] == "headquarters location"
    assert sum(choice.probabilities) == pytest.approx(1)
    assert 0 < choice.margin < 1


def test_one_option_needs_no_model() -> None:
    choice = choose(ScriptedModel(silent), PROMPT, OPTIONS[:1], ENOUGH)
    assert choice is not None
    assert (choice.best, choice.margin) == (0, 1.0)


@pytest.mark.parametrize(
    ("written", "taken"),
    [("2", 1), (" 3.", 2), ("The right one is 1", 0), ("0", None), ("4", None), ("capital", None)],
)
def test_without_scores_a_number_is_read(written: str, taken: int | None) -> None:
    model = ScriptedModel.replaying(written)
    choice = choose(model, PROMPT, OPTIONS, ENOUGH)
    assert (choice.best if choice else None) == taken
    listed = model.requests[0].prompt.body
    assert all(f"{number}. {option}" in listed for number, option in enumerate(OPTIONS, 1))
    assert model.requests[0].grammar == 'root ::= "1" | "2" | "3"'
