"""Grammars as data, and their text."""

from __future__ import annotations

from random import Random

import pytest

from nlq_gateway.drafts.generation.grammar.expressions import (
    NOTHING,
    Alternation,
    CharacterClass,
    Concatenation,
    Expression,
    Grammar,
    Reference,
    Repeat,
    Rules,
    Terminal,
    choice,
    optional,
    sequence,
)
from nlq_gateway.drafts.generation.grammar.gbnf import to_gbnf
from tests.generation.derivations import accepts, derive

A, B = Terminal("a"), Terminal("b")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (Terminal('say "hi"'), r'"say \"hi\""'),
        (Terminal("back\\slash"), r'"back\\slash"'),
        (Terminal("line\nbreak\r\ttab"), r'"line\nbreak\r\ttab"'),
        (Terminal("Zoë 東京 ]['"), '"Zoë 東京 ][\'"'),
        (Terminal("\x00\u00a0\u202e\U000e0001"), r'"\u0000\u00A0\u202E\U000E0001"'),
        (Concatenation(()), '""'),
        (CharacterClass((("a", "z"), ("]", "]"), ("-", "-"), ("^", "^"))), r"[a-z\u005D\u002D\u005E]"),
        (Concatenation((A, Alternation((A, B)), Reference("x-1"))), '"a" ("a" | "b") x-1'),
        (Alternation((Concatenation((A, B)), B)), '"a" "b" | "b"'),
        (Repeat(A, 0, 1), '"a"?'),
        (Repeat(Concatenation((A, B)), 0, 3), '("a" "b"){0,3}'),
        (Repeat(Repeat(A, 2, 2), 1, 4), '("a"{2,2}){1,4}'),
    ],
)
def test_text_of_expressions(expression: Expression, text: str) -> None:
    assert to_gbnf(Grammar({"root": expression})) == f"root ::= {text}\n"


def test_what_cannot_be_completed_is_dropped() -> None:
    assert sequence("a", NOTHING) == NOTHING
    assert choice(("a", NOTHING, sequence("b", NOTHING))) == A
    assert choice(()) == NOTHING
    assert optional(NOTHING) == Concatenation(())
    assert Rules().rule("name", lambda: NOTHING) == NOTHING


def test_literals_side_by_side_are_one_and_options_are_told_once() -> None:
    assert sequence("a", sequence("b", Reference("x")), "c") == Concatenation(
        (Terminal("ab"), Reference("x"), Terminal("c"))
    )
    assert choice(("a", choice(("b", "a")))) == Alternation((A, B))


def test_only_rules_that_are_referred_to_are_kept_in_the_order_of_reference() -> None:
    rules = Rules()
    rules.rule("unused", lambda: A)
    last = rules.rule("last", lambda: B)
    first = rules.rule("first", lambda: sequence("x", last))
    assert list(rules.grammar(sequence(first, "-", last)).rules) == ["root", "first", "last"]


def test_rules_told_apart_by_a_key_are_counted_by_stem() -> None:
    rules = Rules()
    stated = [
        rules.numbered(*one) for one in (("a", "x", lambda: A), ("b", "x", lambda: B), ("a", "y", lambda: B))
    ]
    assert [*stated, rules.numbered("a", "x", lambda: B)] == [
        Reference(name) for name in ("a-1", "b-1", "a-2", "a-1")
    ]


def test_what_is_derived_is_accepted_and_what_is_changed_is_not() -> None:
    letters = CharacterClass((("a", "c"),))
    grammar = Grammar({"root": Concatenation((Reference("x"), Terminal("!"))), "x": Repeat(letters, 2, 4)})
    texts = {derive(grammar, Random(seed)) for seed in range(50)}
    assert all(accepts(grammar, text) for text in texts)
    assert {len(text) for text in texts} == {3, 4, 5}
    assert not any(accepts(grammar, text) for text in ("a!", "abcab!", "abd!", "abc", "abc!!", ""))
