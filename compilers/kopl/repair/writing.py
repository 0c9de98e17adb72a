"""Numbers, years and dates in another writing, where the function fixes the type of the value."""

from __future__ import annotations

import re
from collections.abc import Callable

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.lexicon import MONTH, MONTHS, NUMBERS, SCALES
from compilers.kopl.program import Program
from compilers.kopl.repair.base import Change, Fix, Repair, TypesOf, arguments, with_argument
from compilers.kopl.values import ValueSyntaxError, format_number, parse_value, whole_number

_MONTH = rf"({MONTH})\.?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_NUMBER = re.compile(
    rf"(?P<number>[+-]?\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|[+-]?\d+(?:\.\d+)?)\s*"
    rf"(?:(?P<scale>{'|'.join(SCALES)})s?\b)?\s*(?P<unit>(?:[^\W\d_]|[%°$€£¥]).*)?",
    re.I | re.S,
)
_DAY_MONTH = re.compile(rf"(?:on )?(?:the )?{_DAY} (?:of )?{_MONTH},? (\d{{3,4}})", re.I)
_MONTH_DAY = re.compile(rf"(?:on )?{_MONTH} {_DAY},? (\d{{3,4}})", re.I)
_YEAR = re.compile(r"(?:in |the |year |of )*(\d{3,4})(?: ?(?:ad|ce))?", re.I)
_DAY_TIME = re.compile(r"(-?\d{4}-\d{2}-\d{2})T[0-9:.]+Z?")
_LONGEST = 60


def written(text: str, value_type: ValueType) -> str | None:
    """The text as values of the type are written, itself where it is so; None for what is no such value."""
    for one in (text, _REWRITTEN[value_type](text.strip()) if len(text) <= _LONGEST else None):
        if one is not None and _is_read(one, value_type):
            return one
    return None


def _is_read(text: str, value_type: ValueType) -> bool:
    try:
        parse_value(text, value_type)
    except ValueSyntaxError:
        return False
    return True


def _quantity(text: str) -> str | None:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    number = float(match["number"].replace(",", "")) * SCALES.get((match["scale"] or "").lower(), 1)
    return f"{format_number(number)} {(match['unit'] or '').strip()}".strip()


def _date(text: str) -> str | None:
    if match := _DAY_TIME.fullmatch(text):
        return match[1]
    if match := _DAY_MONTH.fullmatch(text):
        day, month, year = match.groups()
    elif match := _MONTH_DAY.fullmatch(text):
        month, day, year = match.groups()
    else:
        return _year(text)
    return f"{int(year):04d}-{MONTHS[month.lower()]:02d}-{int(day):02d}"


def _year(text: str) -> str | None:
    match = _YEAR.fullmatch(text)
    return match[1] if match else None


_REWRITTEN: dict[ValueType, Callable[[str], str | None]] = {
    ValueType.STRING: lambda text: text,
    ValueType.QUANTITY: _quantity,
    ValueType.YEAR: _date,
    ValueType.DATE: _date,
}


def _counted(text: str) -> str | None:
    plain = text.strip().lower().replace(",", "")
    number = str(NUMBERS[plain]) if plain in NUMBERS else plain.removesuffix(".0")
    return number if whole_number(number) is not None else None


def _rewritten(program: Program, index: int, _: TypesOf | None) -> Change | None:
    step = program.steps[index]
    for at, parameter, text in arguments(step):
        after: str | None = text
        if parameter.kind == Kind.NUMBER and whole_number(text) is None:
            after = _counted(text)
        elif parameter.value_type is not None:
            after = written(text, parameter.value_type)
        if after is not None and after != text:
            of = parameter.value_type or "number"
            why = f"this is how a {of} is written"
            return with_argument(program, index, at, after), Repair(index, at, text, after, why)
    return None


WRITING: tuple[Fix, ...] = (_rewritten,)
