"""Comparisons written in one way, and a second question with the opposite of its comparative.

`Calculate(-)` and a comparison with zero say either of "A more than B" and "B less than A"; a network that
sees both forms for the same words learns neither. Where questions say mostly "more", it takes "fewer" for it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from compilers.kopl.program import Program, Step
from nlq_gateway.language.lexicon import is_exception, is_negation
from nlq_gateway.language.tables import words

# Comparatives of what is more, with those of what is less. Ages are left out: who is older was born earlier.
_OPPOSITES = (
    ("more", "fewer less"),
    ("larger bigger greater", "smaller"),
    ("higher", "lower"),
    ("taller longer", "shorter"),
    ("heavier", "lighter"),
    ("later", "earlier"),
    ("faster", "slower"),
    ("stronger", "weaker"),
    ("wider", "narrower"),
    ("dearer costlier", "cheaper"),
    ("above", "below"),
    ("over", "under"),
    ("after", "before"),
)
_MORE = {more: less.split()[0] for mores, less in _OPPOSITES for more in mores.split()}
_LESS = {less: mores.split()[0] for mores, lesses in _OPPOSITES for less in lesses.split()}
_WORD = re.compile(rf"\b({'|'.join((*_MORE, *_LESS))})\b", re.IGNORECASE)
_DENIALS = words("denials")
_TURNED = {"<": ">", ">": "<"}
# Programs with one of them compare numbers of things, of which there are fewer; of amounts there is less.
_COUNTING = frozenset(("Count", "CountValues", "FilterCount"))


def as_compared(program: Program, question: str) -> Program:
    """The program with the verdict on a difference from zero as the words order it.

    Two values of attributes are compared by FilterCompare, which is a step shorter.
    """
    if not _is_from_zero(program):
        return program
    *steps, minus, verdict = program.steps
    (left, right), operator = minus.dependencies, verdict.inputs[1]
    turned = _TURNED.get(operator)
    if turned is not None and turned == _operator_of(question):
        left, right, operator = right, left, turned
    if {steps[left].function, steps[right].function} == {"QueryAttr"}:
        compared = Step("FilterCompare", (operator,), (left, right))
        return Program((*steps, compared, Step("Exists", (), (len(steps),))))
    ordered = replace(minus, dependencies=(left, right))
    return Program((*steps, ordered, replace(verdict, inputs=("0", operator))))


def opposite(program: Program, question: str) -> tuple[str, Program] | None:
    """The question with its only comparative turned, and the program of that; None if this is not certain."""
    compared = _WORD.findall(question)
    ordering = [at for at, step in enumerate(program.steps) if step.inputs[-1:] in (("<",), (">",))]
    if len(compared) != 1 or len(ordering) != 1 or any(map(_denies, question.lower().split())):
        return None
    at, word = ordering[0], compared[0].lower()
    step = program.steps[at]
    if step.inputs[-1] != _operator_of(question):
        return None
    counts = not _COUNTING.isdisjoint(step.function for step in program.steps)
    other = {**_MORE, **_LESS, "more": "fewer" if counts else "less"}[word]
    turned = replace(step, inputs=(*step.inputs[:-1], _TURNED[step.inputs[-1]]))
    told = _WORD.sub(lambda found: other.capitalize() if found[0][0].isupper() else other, question)
    return told, Program((*program.steps[:at], turned, *program.steps[at + 1 :]))


def _denies(word: str) -> bool:
    word = word.strip(",.?!")
    return is_negation(word) or is_exception(word) or word in _DENIALS


def _is_from_zero(program: Program) -> bool:
    if len(program) < 3:
        return False
    minus, verdict = program.steps[-2:]
    return (
        (minus.function, minus.inputs) == ("Calculate", ("-",))
        and verdict.function == "VerifyNum"
        and verdict.inputs[0].split()[0] == "0"
        and verdict.dependencies == (len(program) - 2,)
    )


def _operator_of(question: str) -> str | None:
    """The order that all comparatives of a question say; None without, or with both."""
    said = {word.lower() for word in _WORD.findall(question)}
    if said and said <= _MORE.keys():
        return ">"
    return "<" if said and said <= _LESS.keys() else None
