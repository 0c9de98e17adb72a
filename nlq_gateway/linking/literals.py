"""Values stated in a question: quoted texts, dates, years, numbers with units."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from compilers.kopl.functions import ValueType
from compilers.kopl.units import conversion_factor
from compilers.kopl.values import NO_UNIT, Date, Quantity, String, Value, ValueSyntaxError, Year, parse_value
from nlq_gateway.types import LiteralMention

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan", "januar"), ("february", "feb", "februar"), ("march", "mar", "märz"),
            ("april", "apr"), ("may", "mai"), ("june", "jun", "juni"), ("july", "jul", "juli"),
            ("august", "aug"), ("september", "sep", "sept"), ("october", "oct", "oktober"),
            ("november", "nov"), ("december", "dec", "dezember"),
        ),
        start=1,
    )
    for name in names
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "tn": 1e12}
_SMALL = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBER_WORDS = {
    "a": 1.0, "an": 1.0, "half a": 0.5, "half an": 0.5, "hundred": 100.0,
    **{word: float(number) for number, word in enumerate(_SMALL)},
    **{word: float(number) for number, word in zip(range(20, 100, 10), _TENS, strict=True)},
    **{
        f"{tens}{joint}{_SMALL[ones]}": float(number + ones)
        for number, tens in zip(range(20, 100, 10), _TENS, strict=True)
        for ones in range(1, 10)
        for joint in "- "
    },
}  # fmt: skip
_SHORT_UNITS = {
    "km": "kilometre", "m": "metre", "cm": "centimetre", "mm": "millimetre", "mi": "mile", "ft": "foot",
    "feet": "foot", "kg": "kilogram", "g": "gram", "t": "tonne", "min": "minute",
    "mins": "minute", "h": "hour", "hrs": "hour", "km2": "square kilometre", "km²": "square kilometre",
    "sq km": "square kilometre", "m2": "square metre", "m²": "square metre", "sq mi": "square mile",
    "mph": "mile per hour", "km/h": "kilometre per hour", "%": "percent", "dollar": "United States dollar",
    "us dollar": "United States dollar", "usd": "United States dollar", "euro": "euro", "eur": "euro",
    "pound sterling": "pound sterling",
}  # fmt: skip
_CURRENCY_SIGNS = {"$": "United States dollar", "€": "euro", "£": "pound sterling", "¥": "Japanese yen"}
_SHORT_UNITS |= _CURRENCY_SIGNS
_LONGEST_UNIT = 40

_QUOTED = re.compile(r"[\"“”]([^\"“”]{1,200})[\"“”]|(?<!\w)['‘]([^'‘’]{1,200})['’](?!\w)")
_ISO_DATE = re.compile(r"(?<![\w/-])-?\d{4}([-/])\d{2}\1\d{2}(?![\w/-])")
_DAY_MONTH = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?({_MONTH})\.?,? (\d{{3,4}})\b", re.I)
_MONTH_DAY = re.compile(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{3,4}})\b", re.I)
_SCALE = rf"(?: (?P<scale>(?:{'|'.join(_SCALES)})(?: (?:{'|'.join(_SCALES)}))*)\b)?"
# A sign of a currency may be followed by a short scale ($5bn); a number inside a longer row of digits and
# marks (1.2.3, an address) is none.
_NUMBER = re.compile(
    r"(?P<sign>[$€£¥])?(?<![\w.])(?<!\d,)"
    r"(?P<digits>-?(?:\d{1,3}(?:(?:,\d{3})+|(?: \d{3})+)|\d+)(?:\.\d+)?)(?![.,]?\d)"
    rf"{_SCALE}(?:(?(sign) ?(?P<short>{'|'.join(_SHORT_SCALES)})(?!\w)|(?!)))?",
    re.I,
)
_WORDS = "|".join(sorted(_NUMBER_WORDS, key=len, reverse=True))
_WORD_NUMBER = re.compile(rf"(?<![\w-])(?P<word>{_WORDS})\b{_SCALE}", re.I)
_ORDINAL = re.compile(r"\b(\d{1,4})(?:st|nd|rd|th)\b", re.I)
_UNIT_WORDS = re.compile(r"[\s-]*((?:[^\W\d_]|[²³%/$€£¥])+2?(?: [^\W\d_]+){0,3})")


def find_literals(text: str, units: Sequence[str]) -> tuple[LiteralMention, ...]:
    """The values that a text states, in order and without overlaps; `units` are those of the graph.

    A number of three or four digits without a unit is read as a year; what it is meant as is settled
    by the attribute that it is compared with.
    """
    found: list[LiteralMention] = []
    for literal in (*_quoted(text), *_dates(text), *_numbers(text, units)):
        if all(literal.end <= other.start or literal.start >= other.end for other in found):
            found.append(literal)
    return tuple(sorted(found, key=lambda literal: literal.start))


def _quoted(text: str) -> Iterator[LiteralMention]:
    for match in _QUOTED.finditer(text):
        inner = (match.group(1) or match.group(2)).strip()
        if inner:
            yield LiteralMention(match.start(), match.end(), match.group(), String(inner))


def _dates(text: str) -> Iterator[LiteralMention]:
    for match in _ISO_DATE.finditer(text):
        yield from _date(match, match.group())
    for match in _DAY_MONTH.finditer(text):
        day, month, year = match.groups()
        yield from _date(match, f"{int(year):04d}-{_MONTHS[month.lower()]:02d}-{int(day):02d}")
    for match in _MONTH_DAY.finditer(text):
        month, day, year = match.groups()
        yield from _date(match, f"{int(year):04d}-{_MONTHS[month.lower()]:02d}-{int(day):02d}")


def _date(match: re.Match[str], iso: str) -> Iterator[LiteralMention]:
    try:
        value = parse_value(iso, ValueType.DATE)
    except ValueSyntaxError:
        return
    if isinstance(value, Date):
        yield LiteralMention(match.start(), match.end(), match.group(), value)


def _numbers(text: str, units: Sequence[str]) -> Iterator[LiteralMention]:
    for match in _ORDINAL.finditer(text):
        yield LiteralMention(match.start(), match.end(), match.group(), Quantity(float(match.group(1))))
    for match in _NUMBER.finditer(text):
        number = float(re.sub("[, ]", "", match["digits"]))
        literal = _quantity(text, match, number, _CURRENCY_SIGNS.get(match["sign"] or ""), units)
        if literal is not None:
            yield literal
    for match in _WORD_NUMBER.finditer(text):
        literal = _quantity(text, match, _NUMBER_WORDS[match["word"].lower()], None, units)
        # "one" and "two" are mostly not values; with a unit or a scale behind them they are.
        if literal is not None and (match["scale"] or _has_unit(literal.value)):
            yield literal


def _has_unit(value: Value) -> bool:
    return isinstance(value, Quantity) and value.unit != NO_UNIT


def _quantity(
    text: str, match: re.Match[str], number: float, unit: str | None, units: Sequence[str]
) -> LiteralMention | None:
    """The value; None for letters right behind digits that are no unit (`4K`), and for no finite number."""
    scales = " ".join(text or "" for name, text in match.groupdict().items() if name in ("scale", "short"))
    number *= math.prod((_SCALES | _SHORT_SCALES)[scale] for scale in scales.lower().split())
    end = match.end()
    if unit is None and (following := _UNIT_WORDS.match(text, end)):
        unit, length = _unit(following.group(1), units)
        end = following.start(1) + length if unit else end
    if not math.isfinite(number) or re.match(r"\w", text[end : end + 1]):
        return None
    value: Value = Quantity(number, unit or NO_UNIT)
    digits = match.group().strip()
    if unit is None and not scales.strip() and re.fullmatch(r"-?\d{3,4}", digits):
        value = Year(int(digits))
    return LiteralMention(match.start(), end, text[match.start() : end], value)


def _unit(words: str, units: Sequence[str]) -> tuple[str | None, int]:
    """The unit that the words begin with, in the graph's own spelling, and how many characters it takes."""
    parts = words.split(" ")
    for length in range(len(parts), 0, -1):
        name = " ".join(parts[:length])
        unit = _known_unit(name, units)
        if unit is not None:
            return unit, len(name)
    return None, 0


def _known_unit(name: str, units: Sequence[str]) -> str | None:
    if len(name) > _LONGEST_UNIT:
        return None
    lower = name.lower()
    forms = [lower, *(lower.removesuffix(ending) for ending in ("s", "es") if lower.endswith(ending))]
    spelled = [_SHORT_UNITS[form] for form in (name, *forms) if form in _SHORT_UNITS]
    for form in (*spelled, *forms):
        for unit in units:
            if unit.lower() == form:
                return unit
    for form in (*spelled, *forms):
        if len(form) > 2 and any(
            conversion_factor(form, unit) is not None for unit in units if unit != NO_UNIT
        ):
            return form
    return None
