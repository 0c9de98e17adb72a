"""Means and quotients, which are said with fewer digits than numbers that the graph states."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from compilers.answers import Answer, AnswerValue
from compilers.kopl.functions import Type
from compilers.kopl.program import Program
from compilers.kopl.tables import columns_of
from nlq_gateway.answering.response.values import decimals

Row = Sequence[AnswerValue | None]

# Two decimals of 10 and more, of smaller numbers so many digits.
_DECIMALS, _DIGITS = 2, 4
_LONGER = re.compile(rf"-?\d+\.\d{{{_DECIMALS + 1},}}")
# What these make of quotients is as long as they are. Who asks for a rounded number has chosen its digits.
_KEEPING = frozenset({"Calculate", "Sum", "Minimum", "Maximum"})


def is_mean(program: Program, step: int) -> bool:
    """True if a step gives an average, a quotient, or what is calculated from these."""
    call = program.steps[step]
    if call.function == "Average" or (call.function, *call.inputs) == ("Calculate", "/"):
        return True
    return call.function in _KEEPING and any(is_mean(program, source) for source in call.dependencies)


def rounded(value: AnswerValue) -> AnswerValue:
    """A mean as sentences have it: 205.33 for 205.333333, 1.333 for 1.333333."""
    if value.type != "number" or not _LONGER.fullmatch(value.value):
        return value
    number = Decimal(value.value)
    places = _DECIMALS if abs(number) >= 10 else _DIGITS - 1 - number.adjusted()
    return replace(value, value=decimals(number, places))


def rows_told(program: Program, rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows of an answer's table with its means shortened."""
    last = len(program) - 1
    columns = columns_of(program, last)
    if not columns:
        return tuple(tuple(map(_told, row)) if is_mean(program, last) else row for row in rows)
    means = {number for number, one in enumerate(columns) if is_mean(program, one.step)}
    return tuple(tuple(_told(one) if at in means else one for at, one in enumerate(row)) for row in rows)


def as_told(program: Program, answer: Answer) -> Answer:
    """The answer with its means shortened, for a text alone."""
    if answer.output == Type.ROWS:
        return replace(answer, rows=tuple(map(tuple, rows_told(program, answer.rows))))
    last = len(program) - 1
    source = program.steps[last].dependencies[0] if answer.output == Type.VERDICT else last
    if not is_mean(program, source):
        return answer
    values, evidence = map(rounded, answer.values), map(rounded, answer.evidence)
    return replace(answer, values=tuple(values), evidence=tuple(evidence))


def _told(cell: AnswerValue | None) -> AnswerValue | None:
    return cell and rounded(cell)
