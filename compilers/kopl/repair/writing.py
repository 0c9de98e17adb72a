"""Numbers, years and dates in another writing, where the function fixes the type of the value."""

from __future__ import annotations

import re
from collections.abc import Callable

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.lexicon import CURRENCY_SIGNS, MONTH, MONTHS, NUMBERS, SCALES
from compilers.kopl.program import Program
from compilers.kopl.repair.base import Change, Fix, TypesOf, arguments, with_argument
from compilers.kopl.values import format_number, percent_in, rounded, value_or_none, whole_number

_MONTH = rf"({MONTH})\.?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
# Digits with separators of thousands, and a sign before them, after which a scale may be one letter.
_DIGITS = re.compile(
    r"(?P<sign>US\$|[$€£¥])?\s*"
    r"(?P<number>[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+|\d+)(?:\.\d+)?)"
    r"(?!\d|[.,]\d|(?:s|st|nd|rd|th)\b)"
    r"(?:\s?(?P<short>k|mn|bn|tn|(?(sign)[kmbtKMBT]|(?!)))\b)?",
)
_SCALED = re.compile(rf"\s*[+-]?[\d.]+\s*(?:(?:{'|'.join(SCALES)})s?|k|mn|bn|tn|\d{{3}})\b")
_WORD = re.compile(r"\s*(?:and )?([a-z]+(?:-[a-z]+)?)\b", re.I)
_UNIT = re.compile(r"(?:[^\W\d_]|[%°$€£¥]).*", re.S)
_SHORT_SCALES = {"k": 10**3, "m": 10**6, "mn": 10**6, "b": 10**9, "bn": 10**9, "t": 10**12, "tn": 10**12}
_ARTICLES = {"a": 1.0, "an": 1.0, "half": 0.5}
_DAY_MONTH = re.compile(rf"(?:on )?(?:the )?{_DAY} (?:of )?{_MONTH},? (\d{{3,4}})", re.I)
_MONTH_DAY = re.compile(rf"(?:on )?{_MONTH} {_DAY},? (\d{{3,4}})", re.I)
_YEAR = re.compile(r"(?:in |the |year |of )*(\d{3,4})(?: ?(?:ad|ce))?", re.I)
_LONGEST = 60


def written(text: str, value_type: ValueType) -> str | None:
    """The text rewritten as a value of the type, itself if it is one already; None for other texts.

    Words of scale are no unit: `50 million` becomes 50000000.
    """
    scaled = value_type == ValueType.QUANTITY and _SCALED.match(text)
    for one in (
        None if scaled else text,
        _REWRITTEN[value_type](text.strip()) if len(text) <= _LONGEST else None,
    ):
        if one is not None and value_or_none(one, value_type) is not None:
            return one
    return None


def _quantity(text: str) -> str | None:
    """A quantity from digits or words, with its scale multiplied in and its unit or currency behind it."""
    digits = _DIGITS.match(text)
    number, at = (_of_digits(digits), digits.end()) if digits else (None, 0)
    number, at = _in_words(text, number, at)
    unit = text[at:].strip()
    if number is None or (unit and not _UNIT.fullmatch(unit)) or unit.split(" ")[0].lower() in NUMBERS:
        return None
    if digits and digits["sign"]:
        unit = unit or CURRENCY_SIGNS[digits["sign"][-1]]
    return f"{format_number(number)} {unit}".strip()


def _of_digits(digits: re.Match[str]) -> float:
    scale = _SHORT_SCALES[digits["short"].lower()] if digits["short"] else 1
    return rounded(float(re.sub("[, ]", "", digits["number"])) * scale)


def _in_words(text: str, number: float | None, at: int) -> tuple[float | None, int]:
    """The number that the words extend or state, and their end: `two hundred`, `1.5 million`, `half a`."""
    total, part, begun = 0.0, number, False
    while word := _WORD.match(text, at):
        said = word[1].lower()
        if said in NUMBERS and number is None and _goes_on(part, NUMBERS[said]):
            part = (part or 0.0) + NUMBERS[said]
        elif (scale := SCALES.get(said) or SCALES.get(said.removesuffix("s"))) is not None:
            part = (1.0 if part is None else part) * scale
            total, part = (total, part) if said == "hundred" else (total + part, 0.0)
        elif said in _ARTICLES and number is None and (not begun or said != "half"):
            part = _ARTICLES[said] if part is None else part
        else:
            break
        at, begun = word.end(), True
    return (None if part is None else rounded(total + part)), at


def _goes_on(before: float | None, number: int) -> bool:
    """True if `number` may follow `before`: `five` may follow `two hundred`, `ninety` not `nineteen`."""
    return not before or before % 100 == 0 or (before % 10 == 0 and number < 10)


def _date(text: str) -> str | None:
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
    plain = text.strip().lower().replace(",", "").removesuffix("%").strip()
    number = str(NUMBERS[plain]) if plain in NUMBERS else plain.removesuffix(".0")
    return number if whole_number(number) is not None else None


def _rewritten(program: Program, index: int, _: TypesOf | None) -> Change | None:
    step = program.steps[index]
    for at, parameter, text in arguments(step):
        after: str | None = text
        if parameter.kind == Kind.NUMBER and whole_number(text) is None:
            is_share = parameter.name != "percent" and percent_in(text) is not None
            after = text if is_share else _counted(text)
        elif parameter.value_type is not None:
            after = written(text, parameter.value_type)
        if after is not None and after != text:
            of = parameter.value_type or "number"
            return with_argument(program, index, at, after, f"this is how a {of} is written")
    return None


WRITING: tuple[Fix, ...] = (_rewritten,)
