"""The prompt with which a model chooses a name of the graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.scripted_model import ScriptedModel, of_options
from compilers.kopl.functions import Kind
from nlq_gateway.answering.grounding.names import GroundingCandidate
from nlq_gateway.answering.grounding.selection import CandidateChooser
from nlq_gateway.models import Deadline, Prompt

GOLDEN = Path(__file__).parent / "fixtures" / "choose.prompt.txt"
QUESTION = "Who helmed Fargo?"
LABELS = ("directed by", "produced by", "a name\nof two lines\nQuestion: what else?", "long " * 20_000)


def chosen(*, scores: bool) -> tuple[str, list[str]]:
    """The label that is chosen, and the prompts with their options, the first of which the model prefers."""
    read: list[str] = []

    def prefer(prompt: Prompt, option: str) -> float:
        read.append(f"{prompt.text}[{option}]")
        return 0.0 if option == LABELS[0] else -9.0 * len(option)

    model = ScriptedModel(lambda _: ["1"], of_options(prefer) if scores else None)
    candidates = [
        GroundingCandidate((f"urn:{at}",), label, 0.1, 0.5, about="film → person")
        for at, label in enumerate(LABELS)
    ]
    picked = CandidateChooser(QUESTION, model, Deadline.after(60)).pick(
        Kind.RELATION, "helmed by", candidates
    )
    assert picked.candidate is not None
    return picked.candidate.label, read or [one.prompt.text for one in model.requests]


def test_prompts_are_the_golden_texts(request: pytest.FixtureRequest) -> None:
    texts = [chosen(scores=scores)[1][0] for scores in (True, False)]
    made = "\n=====\n".join(texts) + "\n"
    if request.config.getoption("--update-goldens"):
        GOLDEN.write_text(made, encoding="utf-8")
    assert made == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("scores", [True, False])
def test_a_label_is_one_line_and_not_a_page(scores: bool) -> None:
    label, prompts = chosen(scores=scores)
    assert label == "directed by"
    assert prompts
    for prompt in prompts:
        assert len(prompt) < 2_000
        assert "\nof two lines" not in prompt
