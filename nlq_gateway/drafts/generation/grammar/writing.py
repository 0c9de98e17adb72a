"""Notations for the grammar: lines, arguments, free values.

A line consists of a call, with the function and its arguments, which is the same at every place, and of its
frame: in code the numbers of its input and output expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from compilers.kopl.notations.calls import quote
from nlq_gateway.drafts.generation.grammar.expressions import (
    Expression,
    Repeat,
    characters,
    choice,
    sequence,
)

# Names and texts that are not chosen from a list; longer ones are very rare.
LONGEST_TEXT = 60
_PLACE = "0"
_DIGIT = characters("09")
# Letters of all scripts, digits and signs; no blanks, and no signs that are special in calls or strings.
_SOLID = (
    *("09", "AZ", "az", *"!#$%&*+./:;=?@[]_-"),
    *("\u00a1\u00ac", "\u00ae\u0377", "\u0384\u0557", "\u05d0\u05f4", "\u0620\u06dc", "\u0904\u1677"),
    *("\u1e00\u1fff", "\u3041\u318e", "\u3400\u9fff", "\uac00\ud7a3"),
)


@dataclass(frozen=True, slots=True)
class ProgramSubtree:
    """A part of a program with one output and `leaves` calls without inputs.

    In code `first` is the number of its first expression and `last` that of the one with its output: every
    branch has a number, and every step that joins two another. Where expressions are not `numbered`, both are
    1.
    """

    first: int
    leaves: int
    numbered: bool

    @property
    def last(self) -> int:
        """The number of the expression with the output of the part."""
        return self.first + 2 * (self.leaves - 1) if self.numbered else self.first

    @property
    def key(self) -> str:
        """The key of its rules among those of other spans."""
        return f"{self.first}-{self.leaves}" if self.numbered else str(self.leaves)

    def splits(self) -> Iterator[tuple[ProgramSubtree, ProgramSubtree]]:
        """The pairs of parts whose join is this part."""
        for leaves in range(1, self.leaves):
            left = replace(self, leaves=leaves)
            first = left.last + 1 if self.numbered else self.first
            yield left, ProgramSubtree(first, self.leaves - leaves, self.numbered)


@dataclass(frozen=True, slots=True)
class Held:
    """A step's output: the number of the step from 1, and in code that of its expression."""

    step: int
    expression: int


@dataclass(frozen=True, slots=True)
class NotationRules:
    """A notation. `quoted` writes an argument, and `text` is an argument that may be any text.

    `call` takes a function's name and its arguments, None without. A line is `head` for the number of the
    expression that it makes, a call, and `foot` for the numbers of the expressions that it takes. `start`
    begins a branch and `stop` ends a program; both may be empty. `head_at` and `foot_at` write a line whose
    number and inputs are known: the latter states the inputs unless readers infer them.
    """

    numbered: bool
    quoted: Callable[[str], str]
    call: Callable[[str, Expression | None], Expression]
    head: Callable[[int], Expression]
    foot: Callable[[tuple[int, ...]], Expression]
    head_at: Callable[[Held], Expression]
    foot_at: Callable[[tuple[Held, ...], bool], Expression]
    start: Callable[[int], Expression]
    stop: Callable[[int], Expression]
    text: Expression

    def argument(self, text: str, place: Expression | None = None) -> Expression:
        """An argument; the text of `place`, if given, replaces the first 0 of `text`."""
        if place is None:
            return sequence(self.quoted(text))
        before, _, after = self.quoted(text).partition(_PLACE)
        return sequence(before, place, after)

    def filled(self, place: Expression, behind: str = "") -> Expression:
        """An argument of the text of `place`, which needs no quotation, and a text behind that."""
        return self.argument(_PLACE + behind, place)


def _text(first: tuple[str, ...]) -> Expression:
    """Text that begins with no blank."""
    inner = characters(*first, " ")
    return sequence(characters(*first), Repeat(inner, 0, LONGEST_TEXT - 1))


def _solid_text(solid: tuple[str, ...]) -> Expression:
    """Text that neither begins nor ends with a blank."""
    inner = characters(*solid, " ")
    end = sequence(Repeat(inner, 0, LONGEST_TEXT - 2), characters(*solid))
    return sequence(characters(*solid), Repeat(end, 0, 1))


def _step_call(name: str, arguments: Expression | None) -> Expression:
    return sequence(f"{name}(", arguments or "")


def _code_call(name: str, arguments: Expression | None) -> Expression:
    opened = f"{name.upper()}("
    return sequence(opened) if arguments is None else sequence(opened, arguments, ", ")


def _code_foot(fed: tuple[int, ...]) -> Expression:
    return sequence(", ".join(f"expression_{number}" for number in fed) + ")")


def _step_foot(fed: tuple[Held, ...], inferred: bool) -> Expression:
    return sequence(")" if inferred else f") <- {', '.join(str(held.step) for held in fed)}")


def _empty(_: int) -> Expression:
    return sequence()


_IN_QUOTES = (*_SOLID, ",", "(", ")", "<", ">")

STEPS = NotationRules(
    numbered=False,
    quoted=quote,
    call=_step_call,
    head=lambda _: sequence("Step ", characters("19"), Repeat(_DIGIT, 0, 1), ": "),
    foot=lambda _: sequence(")"),
    head_at=lambda held: sequence(f"Step {held.step}: "),
    foot_at=_step_foot,
    start=_empty,
    stop=_empty,
    text=choice((_solid_text((*_SOLID, "'")), sequence('"', _text((*_IN_QUOTES, "'")), '"'))),
)
CODE = NotationRules(
    numbered=True,
    quoted=repr,
    call=_code_call,
    head=lambda number: sequence(f"expression_{number} = "),
    foot=_code_foot,
    head_at=lambda held: sequence(f"expression_{held.expression} = "),
    foot_at=lambda fed, _: _code_foot(tuple(held.expression for held in fed)),
    start=lambda number: sequence(f"expression_{number} = START()\n"),
    stop=lambda number: sequence(f"\nexpression_{number} = STOP(expression_{number})"),
    text=choice((sequence("'", _text(_IN_QUOTES), "'"), sequence('"', _text((*_IN_QUOTES, "'")), '"'))),
)
WRITINGS = {"steps": STEPS, "code": CODE}
