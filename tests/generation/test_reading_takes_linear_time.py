"""A model's nonsense is read in time that grows as its length does."""

from __future__ import annotations

import pytest

from nlq_gateway.drafts.generation.decompose.lines import parse
from nlq_gateway.drafts.generation.reading import read
from tests.clock import little_work

LENGTH = 100_000
# All that is here takes a fifth of it, and what grows with the square of the length more.
MOST_SECONDS = 2.0

PIECES = [" ", "x", "(", ")", "[", "{", "'", '"', "\\", ",", "#", "_", "*", ">", "-", ".", "1", "\n"]
PIECES += ["`", "x ", "a = b\n", "->", "Find(a)->", "Step 1: Find(a)\n", "Step ", "<func>", "a<arg>", "```\n"]
PIECES += ['{"a":', "Find(Find(", "#1 ", "program:", "answer ", "<think>", "x_", "1.5 ", "question = 'x'\n"]
BEGINNINGS = ["", "Find("]


@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_a_long_text_of_one_piece(piece: str) -> None:
    with little_work(MOST_SECONDS):
        for beginning in BEGINNINGS:
            text = beginning + piece * (LENGTH // len(piece))
            read(text, "steps")
            parse(text)
