"""Drafts re-ranked by what a model finds probable, both ways."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.scripted_model import ScriptedModel
from compilers.kopl.notations import read_program
from nlq_gateway.core.types import Draft, Links, Question
from nlq_gateway.drafts.generation.known import Example, Known
from nlq_gateway.drafts.generation.scoring import rescored
from nlq_gateway.drafts.generation.scoring.drafts import INVERSE, LIKELIHOOD
from nlq_gateway.drafts.generation.scoring.prompt import inverse_prompt, line_of, score_prompt
from nlq_gateway.models import Deadline, Prompt
from nlq_gateway.models.errors import ModelTimeout

GOLDENS = Path(__file__).parent / "fixtures" / "scoring"
LINKS = Links(Question("Who directed\nFargo?"))
DIRECTORS = "Find(Fargo)->Relate(directed by, forward)->What()"
FILMS = "Find(Fargo)->Relate(directed by, backward)->What()"
COUNT = "Find(Fargo)->Relate(directed by, forward)->Count()"
SHARED = """
Step 1: Find(Emma)
Step 2: Relate(author, forward)
Step 3: Relate(author, backward)
Step 4: And() <- 2, 3
"""
EXAMPLES = (
    Example(Known("How many wrote Emma?"), read_program("Find(Emma)->Relate(author, forward)->Count()"), 0.4),
    Example(Known("Who wrote Emma?"), read_program("Find(Emma)->Relate(author, forward)->What()"), 0.9),
    Example(Known('When was\n"Emma" out?'), read_program("Find(Emma)->QueryAttr(publication date)"), 0.6),
)

Prefer = Callable[[Prompt, str], float]


def draft(chain: str, score: float = 0.0, iri: str = "") -> Draft:
    choices = {(0, 0): (iri,)} if iri else {}
    return Draft(read_program(chain), "bottom-up", score, {"words": score}, choices=choices)


def model(prefer: Prefer | None) -> ScriptedModel:
    return ScriptedModel(lambda _: [], prefer)


def liking(forward: dict[str, float], inverse: dict[str, float]) -> Prefer:
    """Per-token log-probabilities of programs, and of the question behind them."""

    def prefer(prompt: Prompt, text: str) -> float:
        tokens = model(None).count_tokens(text)
        if prompt.body.endswith("Program:"):
            return tokens * forward[text.strip()]
        last = prompt.body.splitlines()[-2].removeprefix("Program: ")
        return tokens * inverse[last]

    return prefer


def lines(drafts: tuple[Draft, ...]) -> list[str]:
    return [line_of(one.program) for one in drafts]


@pytest.mark.parametrize(
    ("forward", "inverse", "order"),
    [
        # Either way alone decides where the other is even.
        ((-1, -2, -3), (-1, -1, -1), [DIRECTORS, FILMS, COUNT]),
        ((-3, -2, -1), (-1, -1, -1), [COUNT, FILMS, DIRECTORS]),
        ((-1, -1, -1), (-3, -1, -2), [FILMS, COUNT, DIRECTORS]),
        # The mean of both, whatever their size.
        ((-1, -2, -3), (-4, -2.5, -1), [COUNT, FILMS, DIRECTORS]),
        # Even ones stay in their order.
        ((-1, -2, -3), (-3, -2, -1), [DIRECTORS, FILMS, COUNT]),
    ],
)
def test_the_order_is_by_the_mean_of_both(
    forward: tuple[float, ...], inverse: tuple[float, ...], order: list[str]
) -> None:
    programs = [DIRECTORS, FILMS, COUNT]
    prefer = liking(dict(zip(programs, forward, strict=True)), dict(zip(programs, inverse, strict=True)))
    drafts = [draft(one) for one in programs]
    assert lines(rescored(model(prefer), LINKS, drafts, EXAMPLES, Deadline())) == order


def test_longer_programs_are_not_worse_for_being_longer() -> None:
    long = "Find(Fargo)->Relate(directed by, forward)->Relate(directed by, backward)->What()"
    prefer = liking({DIRECTORS: -0.5, long: -0.4}, {DIRECTORS: -1, long: -1})
    assert lines(rescored(model(prefer), LINKS, [draft(DIRECTORS), draft(long)], (), Deadline())) == [
        long,
        DIRECTORS,
    ]


def test_what_the_model_said_is_among_the_parts() -> None:
    prefer = liking({DIRECTORS: -2, FILMS: -1}, {DIRECTORS: -0.5, FILMS: -0.25})
    first, second = rescored(
        model(prefer), LINKS, [draft(DIRECTORS, 3.0), draft(FILMS, 2.0)], EXAMPLES, Deadline()
    )
    assert first.parts == {"words": 2.0, LIKELIHOOD: pytest.approx(-1), INVERSE: pytest.approx(-0.25)}
    assert second.parts == {"words": 3.0, LIKELIHOOD: pytest.approx(-2), INVERSE: pytest.approx(-0.5)}
    assert (first.score, second.score) == (2.0, 3.0)


def test_those_beyond_the_first_keep_their_place_behind() -> None:
    prefer = liking({DIRECTORS: -2, FILMS: -1}, {DIRECTORS: -1, FILMS: -1})
    drafts = [draft(DIRECTORS), draft(FILMS), draft(COUNT), draft("Find(Fargo)->What()")]
    found = rescored(model(prefer), LINKS, drafts, EXAMPLES, Deadline(), most=2)
    assert lines(found) == [FILMS, DIRECTORS, COUNT, "Find(Fargo)->What()"]
    assert found[2:] == tuple(drafts[2:])


def test_drafts_of_one_program_are_asked_for_once_and_keep_their_order() -> None:
    asked: list[str] = []

    def prefer(prompt: Prompt, text: str) -> float:
        asked.append(prompt.body.splitlines()[-1] + text)
        return -1.0 if "backward" in prompt.body + text else -9.0

    drafts = [draft(DIRECTORS, iri="a"), draft(FILMS, iri="b"), draft(FILMS, iri="c")]
    found = rescored(model(prefer), LINKS, drafts, (), Deadline())
    assert [one.choices[0, 0] for one in found] == [("b",), ("c",), ("a",)]
    assert len(asked) == 4


@pytest.mark.parametrize("drafts", [[], [draft(FILMS)], [draft(FILMS, iri="a"), draft(FILMS, iri="b")]])
def test_with_nothing_to_choose_the_model_is_not_asked(drafts: list[Draft]) -> None:
    def prefer(prompt: Prompt, text: str) -> float:
        raise AssertionError(f"asked for {text} after {prompt}")

    assert rescored(model(prefer), LINKS, drafts, EXAMPLES, Deadline()) == tuple(drafts)


def test_without_scores_drafts_come_back_as_they_were() -> None:
    drafts = (draft(DIRECTORS), draft(FILMS))
    assert rescored(model(None), LINKS, drafts, EXAMPLES, Deadline()) == drafts


def test_a_deadline_that_has_passed_is_said() -> None:
    late = Deadline(time.monotonic() - 1)
    with pytest.raises(ModelTimeout):
        rescored(model(lambda *_: 0.0), LINKS, [draft(DIRECTORS), draft(FILMS)], (), late)


def test_a_prompt_keeps_its_budget_by_the_least_similar(monkeypatch: pytest.MonkeyPatch) -> None:
    prompts: list[str] = []

    def prefer(prompt: Prompt, text: str) -> float:
        assert text
        prompts.append(prompt.text)
        return 0.0

    def asked(budget: int) -> str:
        prompts.clear()
        monkeypatch.setattr("nlq_gateway.drafts.generation.scoring.drafts.BUDGET", budget)
        rescored(model(prefer), LINKS, [draft(DIRECTORS), draft(FILMS)], EXAMPLES, Deadline())
        return prompts[0]

    whole = asked(2_000)
    assert whole.index("How many wrote") < whole.index('"Emma" out') < whole.index("Who wrote")
    cut = asked(model(None).count_tokens(whole) - 1)
    assert "How many wrote" not in cut
    assert "Who wrote Emma" in cut
    assert "Emma" not in asked(1)


def test_a_program_that_no_chain_states_is_still_one_line() -> None:
    line = line_of(read_program(SHARED))
    assert "\n" not in line
    assert line.endswith("Step 4: And() <- 2, 3")


@pytest.mark.parametrize(
    ("name", "prompt"),
    [
        ("score", score_prompt(LINKS.question.text, EXAMPLES)),
        ("score_alone", score_prompt(LINKS.question.text, ())),
        ("inverse", inverse_prompt(read_program(DIRECTORS), EXAMPLES)),
    ],
)
def test_prompts_are_as_they_were(name: str, prompt: Prompt, pytestconfig: pytest.Config) -> None:
    file = GOLDENS / f"{name}.txt"
    shown = f"{prompt.text}⏎\n"
    if pytestconfig.getoption("--update-goldens"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(shown, "utf-8")
    assert shown == file.read_text("utf-8")
    assert not prompt.text[-1].isspace()
