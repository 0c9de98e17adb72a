"""Values of a result's rows. Pure: rows come as plain terms from any connector."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from compilers.answers import AnswerValue
from compilers.kopl.values import (
    NO_UNIT,
    Date,
    Quantity,
    String,
    Value,
    Year,
    format_number,
    rounded,
    seconds,
)
from compilers.layouts.base import MOMENTS
from compilers.layouts.vocabulary import XSD

_NUMERIC = frozenset(
    XSD + name
    for name in (
        "integer", "decimal", "double", "float", "int", "long", "short", "byte", "nonNegativeInteger",
        "positiveInteger", "negativeInteger", "nonPositiveInteger", "unsignedInt", "unsignedLong",
        "unsignedShort", "unsignedByte",
    )
)  # fmt: skip
# Value of wikibase:timePrecision for a day; Wikibase states nothing finer.
_DAY_PRECISION = "11"
_TIMES = frozenset(XSD + name for name in ("date", "dateTime", "dateTimeStamp", "gYear", "gYearMonth"))
_DAYS = _TIMES - {XSD + "gYear", XSD + "gYearMonth"}
# XSD 1.1, 3.3.9 to 3.3.12, with the year as Virtuoso prints it (`-044`); the time zone is not looked at.
_TIME = re.compile(r"(-?\d{3,})(?:-(\d\d))?(?:-(\d\d))?(?:T(?:(\d\d):(\d\d):(\d\d))?.*|Z|[+-]\d\d:\d\d)?")


class ResultTerm(Protocol):
    """An RDF term of a result; `connectors.results.Term` is one."""

    @property
    def kind(self) -> str:
        """`iri`, `blank`, `literal` or `triple`."""

    @property
    def value(self) -> str:
        """The IRI, label or lexical form."""

    @property
    def datatype(self) -> str | None:
        """The datatype's IRI of a typed literal."""

    @property
    def language(self) -> str | None:
        """The language tag of a tagged literal."""


Cells = Mapping[str, ResultTerm | None]


def read_value(row: Cells, columns: Mapping[str, Sequence[str]], unit: str = "") -> Value | None:
    """The value of a row; `columns` maps the roles of a value's parts to names of columns.

    `unit` applies to a number with none beside it. A term that its type cannot read stays a text.
    """
    cell = {role: row[names[0]] if names else None for role, names in columns.items()}
    if (number := cell.get("number")) is not None:
        return _calculated(number, unit or NO_UNIT)
    if (key := cell.get("day")) is not None:
        return _keyed_time(key)
    if (date := cell.get("date")) is not None:
        return _time(date)
    if (year := cell.get("year")) is not None:
        return _number(year, lambda number: Year(int(number)))
    if (value := cell.get("value")) is None:
        return None
    if value.kind == "literal" and value.datatype in _TIMES:
        return _precise(_time(value), cell.get("precision"))
    stated = cell.get("unit")
    if stated is not None or value.datatype in _NUMERIC:
        name = stated.value if stated is not None else unit or NO_UNIT
        return _number(cell.get("digits") or value, lambda number: Quantity(number, name))
    return _text(value)


def _calculated(term: ResultTerm, unit: str) -> Quantity | None:
    """A calculated number; None for a term that is no finite number."""
    value = _number(term, lambda number: Quantity(rounded(number), unit))
    return value if isinstance(value, Quantity) else None


def _keyed_time(term: ResultTerm) -> Value | None:
    """The day or the moment of a key, or the year of a bare year's."""
    if _calculated(term, NO_UNIT) is None:
        return None
    whole, clock = divmod(round(float(term.value) * MOMENTS), MOMENTS)
    year, day = divmod(whole, 10_000)
    time = seconds(clock // 10_000, clock // 100 % 100, clock % 100)
    return Date(year, *divmod(day, 100), time) if day else Year(year)


def _number(term: ResultTerm, make: Callable[[float], Value]) -> Value:
    """The value made from the number, or the term's text if that is no finite number."""
    try:
        number = float(term.value)
    except ValueError:
        return String(term.value)
    return make(number) if math.isfinite(number) else String(term.value)


def _time(term: ResultTerm) -> Value:
    """A year or a date from any XSD time type; a text for any other term."""
    match = _TIME.fullmatch(term.value.strip())
    if match is None:
        return String(term.value)
    year, month, day, *clock = (int(part or 0) for part in match.groups())
    if term.datatype in _DAYS and month and day:
        return Date(year, month, day, seconds(*clock))
    return Year(year)


def _precise(time: Value, precision: ResultTerm | None) -> Value:
    """The time at its stated precision: a year where the day is not known."""
    if not isinstance(time, Date) or precision is None or precision.value == _DAY_PRECISION:
        return time
    return Year(time.year)


def _text(term: ResultTerm) -> String:
    truth = {"1": "true", "0": "false"} if term.datatype == XSD + "boolean" else {}
    return String(truth.get(term.value, term.value))


def shown(value: Value | AnswerValue) -> AnswerValue:
    """The value as clients get it."""
    match value:
        case AnswerValue():
            return value
        case Quantity():
            unit = None if value.unit == NO_UNIT else value.unit
            return AnswerValue(format_number(value.number), "number", unit=unit)
        case Date():
            datatype = "dateTime" if value.second else "date"
            return AnswerValue(str(value), "literal", datatype=XSD + datatype)
        case Year():
            return AnswerValue(str(value), "literal", datatype=XSD + "gYear")
        case String():
            return AnswerValue(value.text, "literal")
