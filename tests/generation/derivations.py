"""Texts of a grammar: random ones, whether one is among them, and how many lines the longest has."""

from __future__ import annotations

import re
from functools import cache
from itertools import count
from random import Random

from nlq_gateway.drafts.generation.grammar.expressions import (
    ROOT,
    Alternation,
    CharacterClass,
    Concatenation,
    Expression,
    Grammar,
    Reference,
    Repeat,
    Terminal,
)

_HEAD = re.compile(r"^Step \d+:", re.MULTILINE)


def derive(grammar: Grammar, random: Random) -> str:
    """A random text of the grammar."""

    def text(expression: Expression) -> str:
        match expression:
            case Terminal(text=letters):
                return letters
            case CharacterClass(ranges):
                first, last = random.choice(ranges)
                return chr(random.randint(ord(first), ord(last)))
            case Reference(rule):
                return text(grammar.rules[rule])
            case Concatenation(parts):
                return "".join(map(text, parts))
            case Alternation(options):
                return text(random.choice(options))
            case Repeat(part, least, most):
                return "".join(text(part) for _ in range(random.randint(least, most)))

    return text(grammar.rules[ROOT])


def accepts(grammar: Grammar, text: str) -> bool:
    """True if the text is one of the grammar."""

    @cache
    def ends(expression: Expression, start: int) -> frozenset[int]:
        match expression:
            case Terminal(text=letters):
                return frozenset({start + len(letters)} if text.startswith(letters, start) else ())
            case CharacterClass(ranges):
                fits = start < len(text) and any(a <= text[start] <= b for a, b in ranges)
                return frozenset({start + 1} if fits else ())
            case Reference(rule):
                return ends(grammar.rules[rule], start)
            case Concatenation(parts):
                found = frozenset({start})
                for part in parts:
                    found = frozenset(end for middle in found for end in ends(part, middle))
                return found
            case Alternation(options):
                return frozenset(end for option in options for end in ends(option, start))
            case Repeat(part, least, most):
                found, reached = frozenset({start}), frozenset({start} if least == 0 else ())
                for times in range(1, most + 1):
                    found = frozenset(end for middle in found for end in ends(part, middle))
                    reached |= found if times >= least else frozenset()
                return reached

    return len(text) in ends(grammar.rules[ROOT], 0)


def longest(grammar: Grammar, mark: str) -> int:
    """The most times that the mark, which stands in literals, occurs in a text.

    RecursionError where a rule refers to itself: then there is no longest.
    """

    @cache
    def most_of(expression: Expression) -> int:
        match expression:
            case Terminal(text=letters):
                return letters.count(mark)
            case CharacterClass():
                return 0
            case Reference(rule):
                return most_of(grammar.rules[rule])
            case Concatenation(parts):
                return sum(map(most_of, parts))
            case Alternation(options):
                return max(map(most_of, options))
            case Repeat(part, _, most):
                return most * most_of(part)

    return most_of(grammar.rules[ROOT])


def renumbered(text: str) -> str:
    """Steps numbered in their order, as the reader wants them."""
    numbers = count(1)
    return _HEAD.sub(lambda _: f"Step {next(numbers)}:", text)
