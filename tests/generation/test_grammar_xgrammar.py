"""The text of grammars as xgrammar reads it: it accepts what the grammar states, and nothing else."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from nlq_gateway.drafts.generation.grammar import grammar_of
from nlq_gateway.drafts.generation.grammar.gbnf import to_gbnf
from nlq_gateway.drafts.generation.known import AllowedNames
from tests.clock import little_work
from tests.generation.derivations import accepts, derive
from tests.generation.given_names import HOSTILE, SMALL, random_names

pytestmark = pytest.mark.models

WRITTEN = ("steps", "code")
# Compiling takes a twentieth of this where nothing else runs.
_MOST_SECONDS = 5.0


@pytest.fixture(scope="module")
def xgrammar() -> Any:
    import torch
    import xgrammar

    torch.set_num_threads(1)
    return xgrammar


@pytest.mark.parametrize("free_names", [False, True])
@pytest.mark.parametrize("notation", WRITTEN)
def test_texts_of_the_grammar_are_accepted_and_broken_ones_refused(
    xgrammar: Any, notation: str, free_names: bool
) -> None:
    from xgrammar.testing import _is_grammar_accept_string

    random = Random(f"{notation} {free_names}")
    for names in (
        SMALL,
        AllowedNames(entities=HOSTILE, strings=HOSTILE),
        *(random_names(random) for _ in range(4)),
    ):
        grammar = grammar_of(names, notation, free_names=free_names)
        compiled = xgrammar.Grammar.from_ebnf(to_gbnf(grammar))
        for _ in range(8):
            text = derive(grammar, random)
            at = random.randrange(len(text))
            broken = (
                text[:-1],
                f"{text}\n",
                f" {text}",
                text[:at] + text[at + 1 :],
                f"{text[:at]}§{text[at:]}",
            )
            assert _is_grammar_accept_string(compiled, text), text
            for other in broken:
                assert _is_grammar_accept_string(compiled, other) == accepts(grammar, other), other


@pytest.mark.parametrize("notation", WRITTEN)
def test_a_grammar_is_compiled_for_a_vocabulary_in_good_time(xgrammar: Any, notation: str) -> None:
    words = [letter for number in range(32, 127) if (letter := chr(number))]
    vocabulary = [*words, "\n", "Step ", "expression_", *(a + b for a in words for b in words), "</s>"]
    tokens = xgrammar.TokenizerInfo(vocabulary, stop_token_ids=[len(vocabulary) - 1])
    compiler = xgrammar.GrammarCompiler(tokens, max_threads=1)
    grammar = xgrammar.Grammar.from_ebnf(to_gbnf(grammar_of(SMALL, notation)))
    with little_work(_MOST_SECONDS):
        compiler.compile_grammar(grammar)
