"""The estimate of tokens is not too small, and not of another size."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from nlq_gateway.models.server.estimate import estimated_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("film", 1),
        ("films", 2),
        ("Which films", 4),
        ("Find(Mike Nichols)", 6),
        ("1990", 4),
        ("a  b\n\nc", 5),
        ("電影", 3),
        ("naïve", 3),
        ("\x00\x7f", 2),
    ],
)
def test_parts_of_a_text(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


@given(st.text())
def test_it_is_at_most_a_token_for_each_byte(text: str) -> None:
    found = estimated_tokens(text)
    assert (found > 0) or not text.strip(" ")
    assert found <= len(text.encode("utf-8", "replace"))


@cache
def tokenizer() -> Tokenizer:
    found = Tokenizer.from_str(files("nlq_gateway.neural").joinpath("tokenizer.json").read_text("utf-8"))
    found.no_truncation()
    found.no_padding()
    return found


LINES = files("nlq_gateway.sample").joinpath("questions.jsonl").read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    "text",
    ["\n".join(json.loads(line)["question"] for line in LINES), "\n".join(LINES)],
    ids=["questions", "programs"],
)
def test_a_tokenizer_finds_fewer_but_not_half_as_many(text: str) -> None:
    found = len(tokenizer().encode(text, add_special_tokens=False).ids)
    assert found <= estimated_tokens(text) < 2 * found
