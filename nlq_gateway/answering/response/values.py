"""One value of an answer in a sentence."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

from compilers.answers import AnswerValue
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.language.wording.english import unit_after

# So many decimals of a number are said; of one below 0.1 so many that are no zeros before others.
_DECIMALS = 6
_LONGER = re.compile(rf"-?\d+\.\d{{{_DECIMALS + 1},}}")
_TIMES = frozenset({"date", "dateTime", "gYear"})
# A day, moment or month that is stated as a text.
_TIME = re.compile(r"-?\d{4,}-\d\d(-\d\d(T.*)?)?")


def is_name(cell: AnswerValue | None) -> bool:
    """True if a cell of a table names something: it is no number, time or gap."""
    if cell is None or cell.type not in ("iri", "literal"):
        return False
    is_time = (cell.datatype or "").rpartition("#")[2] in _TIMES or _TIME.fullmatch(cell.value)
    return cell.type == "iri" or not is_time


def rounded(value: AnswerValue) -> AnswerValue:
    """A value with a long number as sentences have it: 18.333333 for 18.3333333333."""
    if value.type != "number" or not _LONGER.fullmatch(value.value):
        return value
    number = Decimal(value.value)
    places = max(_DECIMALS, _DECIMALS - 1 - number.adjusted())
    return replace(value, value=decimals(number, places))


def decimals(number: Decimal, places: int) -> str:
    """A number with so many decimals, halves up as `Round` has them, without zeros at the end."""
    return format(number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP).normalize(), "f")


def said(value: AnswerValue, language: str = ENGLISH) -> str:
    """A value in a sentence of a language; in English the unit agrees with the number: `148 minutes`.

    Long numbers are rounded. A label in a language that was not asked for is marked: `Seeberg (de)`.
    """
    value = rounded(value)
    # A program that is run without a question has no language, and its answer an English sentence.
    is_english = language.lower().partition("-")[0] in ("", ENGLISH)
    if is_english and value.unit:
        value = replace(value, unit=unit_after(value.value, value.unit))
    text = str(value).strip()
    return f"{text} ({value.language})" if value.language else text
