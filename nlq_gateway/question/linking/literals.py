"""Values stated in a question: quoted texts, dates, years, numbers with units, and ranges of these."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from compilers.kopl.functions import ValueType
from compilers.kopl.lexicon import CURRENCY_SIGNS, MONTH, MONTHS, NUMBERS, SCALES, SHORT_UNITS
from compilers.kopl.units import conversion_factor, is_abbreviation
from compilers.kopl.values import (
    CLOCK,
    NO_UNIT,
    Date,
    Quantity,
    String,
    Value,
    Year,
    seconds,
    value_or_none,
)
from nlq_gateway.core.types import LiteralMention
from nlq_gateway.core.words import UNSPACED
from nlq_gateway.index.introspect.units import unit_named
from nlq_gateway.language.lexicon import ORDINALS, superlative_pattern
from nlq_gateway.language.tables import pattern, rows, values
from nlq_gateway.question.linking.ranges import join_ranges, periods
from nlq_gateway.question.linking.spans import without_overlaps

# Floats, as the product of integers has no bound: a question may repeat "million".
_SCALES = {word: float(by) for word, by in {**rows("scales"), **SCALES}.items()}
_SHORT_SCALES: dict[str, float] = rows("short_scales")
_NUMBER_WORDS = {word: float(number) for word, number in rows("number_words").items()} | {
    word.replace("-", joint): float(number) for word, number in NUMBERS.items() for joint in "- "
}
_LONGEST_UNIT = 40
_SHORT = 3
_ARTICLES = tuple(chain(*values("number_articles")))

_QUOTED = re.compile(r"[\"“”]([^\"“”]{1,200})[\"“”]|(?<!\w)['‘]([^'‘’]{1,200})['’](?!\w)")
_ISO_DATE = re.compile(r"(?<![\w/-])-?\d{4}([-/])\d{2}\1\d{2}(?!(?!T\d)[\w/-])")
_CLOCK = re.compile(rf"(?:T|,? (?:(?:{pattern('clock')}) )?){CLOCK}\b", re.I)
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{3,4})"
_DAY_MONTH = re.compile(rf"\b{_DAY}\.? (?:of )?(?P<month>{MONTH})\.?,? {_YEAR}\b", re.I)
_MONTH_DAY = re.compile(rf"\b(?P<month>{MONTH})\.? {_DAY},? {_YEAR}\b", re.I)
_SCALE = rf"(?: (?P<scale>(?:{'|'.join(_SCALES)})(?: (?:{'|'.join(_SCALES)}))*)\b)?"
# A letter beside a number joins it to a word, except in scripts without blanks.
_LETTER = rf"[^\W{UNSPACED}]"
# A sign of a currency may be followed by a short scale ($5bn); a number inside a longer row of digits and
# marks (1.2.3, an address) is none.
_NUMBER = re.compile(
    rf"(?P<sign>[$€£¥])?(?<!{_LETTER})(?<!\.)(?<!\d,)"
    r"(?P<digits>-?(?:\d{1,3}(?:(?:,\d{3})+|(?: \d{3})+)|\d+)(?:\.\d+)?)(?![.,]?\d)"
    rf"{_SCALE}(?:(?(sign) ?(?P<short>{'|'.join(_SHORT_SCALES)})(?!\w)|(?!)))?",
    re.I,
)
_WORDS = "|".join(sorted(_NUMBER_WORDS, key=len, reverse=True))
_WORD_NUMBER = re.compile(rf"(?<![\w-])(?P<word>{_WORDS})\b{_SCALE}", re.I)
_AND_MORE = re.compile(rf"(?: and)? (?P<word>{_WORDS})\b{_SCALE}", re.I)
# Number words are seldom values ("one of them"), except after or before these words.
_CUE = re.compile(
    rf"(?:\b(?:{pattern('number_cues')})|(?P<order>\b(?:{pattern('number_orders')})|\bthe)) $", re.I
)
_OR_MORE = re.compile(rf" (?:{pattern('number_more')})\b", re.I)
_SUPERLATIVE = re.compile(rf"[ -](?:{superlative_pattern()})\b", re.I)
_LOOK_BACK = 32
_ORDINAL_WORD = re.compile(rf"\b({'|'.join(ORDINALS)})(?={_SUPERLATIVE.pattern})", re.I)
_ATTACHED = re.compile(r" ?(?:bn|mn|tn)\b|k\b", re.I)
_PERCENT = re.compile(rf" ?%| (?:{pattern('percent')})\b", re.I)
_ORDINAL = re.compile(r"\b(\d{1,4})(?:st|nd|rd|th)\b", re.I)
_UNIT_WORDS = re.compile(r"[\s-]*((?:[^\W\d_]|[²³%/$€£¥])+2?(?: [^\W\d_]+){0,3})")


def find_literals(text: str, units: Sequence[str]) -> tuple[LiteralMention, ...]:
    """The values that a text states, in order and without overlaps; `units` are those of the graph.

    A number of three or four digits without a unit is read as a year; what it is meant as is settled
    by the attribute that it is compared with.
    """
    found = without_overlaps((*_quoted(text), *_dates(text), *periods(text), *_numbers(text, units)))
    return join_ranges(text, sorted(found, key=lambda literal: literal.start))


def _quoted(text: str) -> Iterator[LiteralMention]:
    for match in _QUOTED.finditer(text):
        inner = (match.group(1) or match.group(2)).strip()
        if inner:
            yield LiteralMention(match.start(), match.end(), match.group(), String(inner))


def _dates(text: str) -> Iterator[LiteralMention]:
    for match in _ISO_DATE.finditer(text):
        yield from _date(match, match.group())
    for match in (*_DAY_MONTH.finditer(text), *_MONTH_DAY.finditer(text)):
        year, month, day = int(match["year"]), MONTHS[match["month"].lower()], int(match["day"])
        yield from _date(match, f"{year:04d}-{month:02d}-{day:02d}")


def _date(match: re.Match[str], iso: str) -> Iterator[LiteralMention]:
    value = value_or_none(iso, ValueType.DATE)
    clock = _CLOCK.match(match.string, match.end())
    end = clock.end() if clock else match.end()
    if isinstance(value, Date):
        second = seconds(*(int(part or 0) for part in clock.groups())) if clock else 0
        text = match.string[match.start() : end]
        yield LiteralMention(match.start(), end, text, replace(value, second=second))


def _numbers(text: str, units: Sequence[str]) -> Iterator[LiteralMention]:
    for match in _ORDINAL.finditer(text):
        yield LiteralMention(match.start(), match.end(), match.group(), Quantity(float(match.group(1))))
    for match in _ORDINAL_WORD.finditer(text):
        number = float(ORDINALS[match.group().lower()])
        yield LiteralMention(match.start(), match.end(), match.group(), Quantity(number))
    for match in _NUMBER.finditer(text):
        number = float(re.sub("[, ]", "", match["digits"])) * _scale(match)
        number, end = _attached(text, match, number)
        literal = _quantity(text, match.start(), end, number, match["sign"] or "", units)
        if literal is not None:
            yield literal
    yield from _word_numbers(text, units)


def _word_numbers(text: str, units: Sequence[str]) -> Iterator[LiteralMention]:
    """Numbers in words that have a unit or a scale, or that a comparison, an order or a top speaks of."""
    for match in _WORD_NUMBER.finditer(text):
        number, end = _NUMBER_WORDS[match["word"].lower()] * _scale(match), match.end()
        least = _scale(match)
        while least > 1 and (more := _AND_MORE.match(text, end)):
            added = _NUMBER_WORDS[more["word"].lower()] * _scale(more)
            if added >= least or more["word"].lower() in _ARTICLES:
                break
            number, end, least = number + added, more.end(), _scale(more)
        literal = _quantity(text, match.start(), end, number, "", units)
        if literal is not None and (match["scale"] or _has_unit(literal.value) or _is_cued(text, match)):
            yield literal


def _is_cued(text: str, match: re.Match[str]) -> bool:
    """True if the words around a number in words say that it is meant as a value."""
    if match["word"].lower() in _ARTICLES or text[match.end() :].startswith("-"):
        return False
    cue = _CUE.search(text[max(0, match.start() - _LOOK_BACK) : match.start()])
    if cue is None:
        return bool(_OR_MORE.match(text, match.end()))
    if cue["order"] is None:
        return True
    # "the first two", "the two largest", but not "the first one" and "the two".
    plural = match["word"].lower() != "one"
    return plural and (cue["order"].lower() != "the" or bool(_SUPERLATIVE.match(text, match.end())))


def _has_unit(value: Value) -> bool:
    return isinstance(value, Quantity) and value.unit != NO_UNIT


def _scale(match: re.Match[str]) -> float:
    """Return the factor of the scale after a number: 1000 for "thousand"."""
    words = " ".join(text or "" for name, text in match.groupdict().items() if name in ("scale", "short"))
    return math.prod((_SCALES | _SHORT_SCALES)[word] for word in words.lower().split())


def _attached(text: str, match: re.Match[str], number: float) -> tuple[float, int]:
    """The number and its end with a short scale; k counts where a comparison speaks of it (no 4K)."""
    found = _ATTACHED.match(text, match.end())
    scale = found.group().strip().lower() if found else ""
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    if not found or match["scale"] or (scale == "k" and not _CUE.search(before)):
        return number, match.end()
    return number * _SHORT_SCALES[scale], found.end()


def _quantity(
    text: str, start: int, end: int, number: float, sign: str, units: Sequence[str]
) -> LiteralMention | None:
    """The value; None for letters right behind digits that are no unit (`4K`), and for no finite number."""
    plain = re.fullmatch(r"-?\d{3,4}", text[start:end].strip())
    unit = _known_unit(CURRENCY_SIGNS[sign], units) if sign else None
    if not sign and (following := _UNIT_WORDS.match(text, end)):
        beside = any(character.isdigit() for character in text[start:end])
        unit, length = _unit(following.group(1), units, beside)
        end = following.start(1) + length if unit else end
    if unit is None and (percent := _PERCENT.match(text, end)):
        end, plain = percent.end(), None
    if not math.isfinite(number) or re.match(_LETTER, text[end : end + 1]):
        return None
    value: Value = Quantity(number, unit or NO_UNIT)
    if unit is None and plain:
        value = Year(int(plain.group()))
    return LiteralMention(start, end, text[start:end], value)


def _unit(words: str, units: Sequence[str], beside: bool) -> tuple[str | None, int]:
    """The unit that the words begin with, in the graph's own spelling, and how many characters it takes.

    `beside` says that they stand behind digits: only there are they short forms.
    """
    parts = words.split(" ")
    for length in range(len(parts), 0, -1):
        name = " ".join(parts[:length])
        unit = _known_unit(name, units, beside)
        if unit is not None:
            return unit, len(name)
    return None, 0


def _is_short(form: str) -> bool:
    """True if a text is a unit only beside digits and in just these letters."""
    return (form in SHORT_UNITS and len(form) < _SHORT and form.isalpha()) or is_abbreviation(form)


def _known_unit(name: str, units: Sequence[str], beside: bool = True) -> str | None:
    if len(name) > _LONGEST_UNIT:
        return None
    lower = name.lower()
    forms = [lower, *(lower.removesuffix(ending) for ending in ("s", "es") if lower.endswith(ending))]
    if any(map(_is_short, forms)) and not (beside and name in forms and _is_short(name)):
        return None
    spelled = [SHORT_UNITS[form] for form in (name, *forms) if form in SHORT_UNITS]
    spelled += [unit for unit in [unit_named(name)] if unit and (beside or len(name) > _SHORT)]
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
