"""Spellings of names, labels and values in questions, for replacing one by another."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from nlq_gateway.language.wording.english import plural, plural_unit

Surface = Callable[[str], str | None]


def commas(text: str) -> str | None:
    """`1,174,662 metre` for `1174662 metre`; None where there is nothing to part."""
    number, blank, unit = text.partition(" ")
    if not re.fullmatch(r"\d{4,}(\.\d+)?", number):
        return None
    whole, point, rest = number.partition(".")
    return f"{int(whole):,}{point}{rest}{blank}{unit}"


def units(text: str) -> str | None:
    """`145 minutes` for `145 minute`; None without a unit."""
    number, blank, unit = text.partition(" ")
    return f"{number} {plural_unit(unit)}" if blank and re.fullmatch(r"-?[\d.,]+", number) else None


def commas_and_units(text: str) -> str | None:
    """`1,200 minutes` for `1200 minute`."""
    written = commas(text)
    return units(written) if written else None


def month_first(text: str) -> str | None:
    """`July 1, 2010` for `2010-07-01`."""
    day = _date(text)
    return f"{day:%B} {day.day}, {day.year}" if day else None


def day_first(text: str) -> str | None:
    """`1 July 2010` for `2010-07-01`."""
    day = _date(text)
    return f"{day.day} {day:%B} {day.year}" if day else None


def without_scheme(text: str) -> str | None:
    """`www.emmys.com` for `http://www.emmys.com/`."""
    bare = re.sub(r"^https?://", "", text).rstrip("/")
    return bare if bare != text else None


def many(text: str) -> str | None:
    """The plural of a concept."""
    return plural(text)


def same(text: str) -> str | None:
    """The text itself."""
    return text


VALUES: tuple[Surface, ...] = (
    commas_and_units,
    units,
    commas,
    same,
    month_first,
    day_first,
    without_scheme,
)
CONCEPTS: tuple[Surface, ...] = (same, many)


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
