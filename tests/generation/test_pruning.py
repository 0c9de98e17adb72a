"""A model's pruning of programs that grow for a question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.scripted_model import ScriptedModel
from compilers.kopl.notations import read_program
from nlq_gateway.drafts.generation.scoring import Pruner
from nlq_gateway.drafts.generation.scoring.prompt import prune_prompt
from nlq_gateway.models import Deadline, Model, ModelError, ModelRequest, Prompt
from nlq_gateway.models.errors import Cancelled, ModelBusy

GOLDEN = Path(__file__).parent / "fixtures" / "scoring" / "prune.txt"
QUESTION = "Who directed\nFargo?"
GROWN = tuple(
    map(
        read_program,
        (
            "Find(Fargo)",
            "Find(Fargo)->Relate(directed by, forward)",
            "Find(Fargo)->Relate(directed by, backward)",
            "FindAll()->FilterConcept(film)",
        ),
    )
)


def pruner(model: Model, failed: Callable[[ModelError], None] = pytest.fail) -> Pruner:
    return Pruner(model, QUESTION, (), Deadline(), failed, most=2)


def writing(text: str) -> ScriptedModel:
    return ScriptedModel.replaying(text)


def test_a_model_that_scores_keeps_the_likeliest() -> None:
    def prefer(prompt: Prompt, text: str) -> float:
        assert prompt.body == "Question: Who directed Fargo?\nProgram:"
        return 0.0 if "Fargo" in text and "backward" not in text else -100.0

    assert pruner(ScriptedModel(lambda _: [], prefer)).kept(GROWN) == {GROWN[0], GROWN[1]}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (" 2, 1", (0, 1)),
        ("2. Find(Fargo)\n4. FindAll()\n1.", (1, 3)),
        ("2 2 99 0", (1,)),
        ("I do not know", (0, 1, 2, 3)),
        ("", (0, 1, 2, 3)),
    ],
)
def test_a_model_without_scores_names_the_best(text: str, kept: tuple[int, ...]) -> None:
    assert pruner(writing(text)).kept(GROWN) == {GROWN[at] for at in kept}


def test_few_programs_are_not_pruned() -> None:
    model = writing("1")
    assert pruner(model).kept(GROWN[:2]) == set(GROWN[:2])
    assert model.requests == []


def test_a_model_that_fails_prunes_nothing_and_is_not_asked_again() -> None:
    asked, told = list[ModelRequest](), list[ModelError]()

    def busy(request: ModelRequest) -> list[str]:
        asked.append(request)
        raise ModelBusy("too much to do")

    pruning = pruner(ScriptedModel(busy), told.append)
    assert pruning.kept(GROWN) == pruning.kept(GROWN) == set(GROWN)
    assert len(asked) == len(told) == 1


def test_nobody_waits_for_pruning() -> None:
    def gone(_: ModelRequest) -> list[str]:
        raise Cancelled("gone")

    with pytest.raises(Cancelled):
        pruner(ScriptedModel(gone)).kept(GROWN)


def test_the_prompt_of_pruning(request: pytest.FixtureRequest) -> None:
    shown = prune_prompt(QUESTION, GROWN, 2).text
    if request.config.getoption("--update-goldens"):
        GOLDEN.write_text(shown, encoding="utf-8")
    assert shown == GOLDEN.read_text(encoding="utf-8")
