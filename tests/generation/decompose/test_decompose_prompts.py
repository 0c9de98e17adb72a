"""The prompts, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlq_gateway.drafts.generation.decompose.lines import parse
from nlq_gateway.drafts.generation.decompose.prompt import choosing, decomposing
from nlq_gateway.drafts.generation.decompose.result import ChainCandidate, Solved
from nlq_gateway.drafts.generation.known import Known, KnownName
from nlq_gateway.models import Prompt

FIXTURES = Path(__file__).parent / "fixtures"
QUESTION = "Where was the director of <Fargo> & Co. born?"
EARLIER = (Solved(1, "who made [Fargo]?", (ChainCandidate("Who directed Fargo?", "…", 0.8, 0.9),), 0),)

PROMPTS: dict[str, Prompt] = {
    "decompose": decomposing(
        Known(QUESTION, entities=(KnownName("Fargo"), KnownName("Co.")), concepts=("film",)),
        ("Who directed [mask]?", "Where was [mask] born?"),
    ),
    "decompose_bare": decomposing(Known(QUESTION), ()),
    "chain": choosing(QUESTION, "where is #1 from?", EARLIER),
    "chain_bare": choosing(QUESTION, "who made [Fargo]?", ()),
}


@pytest.mark.parametrize("name", PROMPTS)
def test_prompts(name: str, request: pytest.FixtureRequest) -> None:
    file = FIXTURES / f"{name}.prompt.txt"
    text = f"{PROMPTS[name].prefix}=====\n{PROMPTS[name].body}"
    if request.config.getoption("--update-goldens"):
        file.write_text(text)
    assert text == file.read_text()


def test_the_prefix_is_the_same_for_all_questions() -> None:
    assert PROMPTS["decompose"].prefix == PROMPTS["decompose_bare"].prefix
    assert PROMPTS["chain"].prefix == PROMPTS["chain_bare"].prefix


def test_the_demonstrations_can_be_read() -> None:
    shown = PROMPTS["decompose"].prefix.split("\nQuestion: ")[1:]
    assert len(shown) == 8
    for one in shown:
        parsed = parse(one)
        assert parsed.subquestions
        used = {number for line in parsed.subquestions for number in line.references}
        assert used == set(range(1, len(parsed.subquestions)))
