"""Ranges of values: between two of them, a decade, a century, a month."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import replace

from compilers.kopl.lexicon import MONTH, MONTHS
from compilers.kopl.values import NO_UNIT, Date, Quantity, Value, Year
from nlq_gateway.core.types import LiteralMention
from nlq_gateway.language.tables import pattern

_MONTH_YEAR = re.compile(rf"\b({MONTH})\.?,? (\d{{4}})\b", re.I)
_DAY = re.compile(r"\d(?:st|nd|rd|th)?\.?(?: of)? $", re.I)
_DECADE = re.compile(r"(?<![\w-])(?:the )?(?:(\d{3}0)|['’](\d0))['’]?s\b(?! *%)", re.I)
_CENTURY = re.compile(r"\b(?:the )?(\d{1,2})(?:st|nd|rd|th)[ -]century\b(?! b)", re.I)
_THIS_CENTURY = 30

_BETWEEN = re.compile(rf"\b(?:{pattern('range_between')}) $", re.I)
_FROM = re.compile(rf"\b(?:{pattern('range_from')}) $", re.I)
_AND, _TO = (re.compile(rf" (?:{pattern(key)}) ", re.I) for key in ("range_and", "range_to"))
_DASH = re.compile(r" ?[-–—] ?")
_LOOK_BACK = 24


def periods(text: str) -> Iterator[LiteralMention]:
    """The months of a year, decades and centuries, from their first to their last day or year."""
    for match in _MONTH_YEAR.finditer(text):
        month, year = MONTHS[match.group(1).lower()], int(match.group(2))
        if year > 0 and not _DAY.search(text[max(0, match.start() - _LOOK_BACK) : match.start()]):
            last = Date(year, month, monthrange(year, month)[1])
            yield LiteralMention(match.start(), match.end(), match.group(), Date(year, month, 1), last)
    for match in _DECADE.finditer(text):
        year = int(match.group(1)) if match.group(1) else _full_year(int(match.group(2)))
        yield LiteralMention(match.start(), match.end(), match.group(), Year(year), Year(year + 9))
    for match in _CENTURY.finditer(text):
        last_year = int(match.group(1)) * 100
        if last_year:
            yield LiteralMention(
                match.start(), match.end(), match.group(), Year(last_year - 99), Year(last_year)
            )


def _full_year(short: int) -> int:
    return short + (2000 if short < _THIS_CENTURY else 1900)


def join_ranges(text: str, literals: Sequence[LiteralMention]) -> tuple[LiteralMention, ...]:
    """The literals in order, two that the words around them make a range of as one."""
    joined: list[LiteralMention] = []
    for literal in literals:
        found = _range(text, joined[-1], literal) if joined else None
        if found is None:
            joined.append(literal)
        else:
            joined[-1] = found
    return tuple(joined)


def _range(text: str, first: LiteralMention, last: LiteralMention) -> LiteralMention | None:
    """The range from one literal to the next one, with the word before it; None where they make none."""
    bounds = _bounds(first.value, last.value)
    if bounds is None or first.until is not None or last.until is not None:
        return None
    before = text[max(0, first.start - _LOOK_BACK) : first.start]
    between = text[first.end : last.start]
    opened = _BETWEEN.search(before) if _AND.fullmatch(between) else None
    opened = opened or (_FROM.search(before) if _TO.fullmatch(between) or _DASH.fullmatch(between) else None)
    if opened is None and not (_DASH.fullmatch(between) or _TO.fullmatch(between)):
        return None
    start = first.start - (len(before) - opened.start() if opened else 0)
    ends = tuple(replace(one, value=value) for one, value in zip((first, last), bounds, strict=True))
    return LiteralMention(start, last.end, text[start : last.end], *bounds, ends)


def _bounds(first: Value, last: Value) -> tuple[Value, Value] | None:
    """Two values as bounds of one type and unit, the lesser first; None where they are no range."""
    if isinstance(first, Year | Date) and isinstance(last, Year | Date):
        return (first, last) if _day(first) < _day(last) else None
    first, last = _number(first, last), _number(last, first)
    if not isinstance(first, Quantity) or not isinstance(last, Quantity):
        return None
    if first.unit == NO_UNIT:
        first = replace(first, unit=last.unit)
    return (first, last) if first.unit == last.unit and first.number < last.number else None


def _number(value: Value, other: Value) -> Value:
    """A bare number that looks like a year as a number, where the other bound is one."""
    is_number = isinstance(value, Year) and isinstance(other, Quantity)
    return Quantity(float(value.year)) if is_number and isinstance(value, Year) else value


def _day(value: Year | Date) -> tuple[int, int, int]:
    return (value.year, 0, 0) if isinstance(value, Year) else (value.year, value.month, value.day)
