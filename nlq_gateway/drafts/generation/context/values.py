"""The values in a question, in the form of a program's arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from compilers.kopl.units import conversion_factor
from compilers.kopl.values import NO_UNIT, Date, Quantity, String, Value, Year, format_number
from nlq_gateway.core.types import Links

_COUNTED = 3_000


@dataclass(frozen=True, slots=True)
class QuestionValues:
    """The arguments by type, each once, in the question's order."""

    strings: tuple[str, ...]
    quantities: tuple[str, ...]
    years: tuple[str, ...]
    dates: tuple[str, ...]


def stated_in(links: Links, units: Sequence[str] = ()) -> QuestionValues:
    """The values of a linked question, quantities in the spelling of the graph's `units` as well.

    A quantity is given with its unit and without, a date also as its year, a year also as a number. Whole
    numbers and years are given with their neighbours, since comparisons are strict: at least 3 is more than
    2. A name may be a string, too: if there are strings at all, names are among them.
    """
    ends = ((mention.value, mention.until) for mention in links.literals)
    literals = [value for pair in ends for value in pair if value is not None]
    years = [value.year for value in literals if isinstance(value, (Year, Date))]
    numbers = [number for value in literals for number in _numbers(value)]
    return QuestionValues(
        _once(_strings(links, literals)),
        _once((*_with_units(literals, units), *map(format_number, (*numbers, *_beside(numbers))))),
        _once(map(format_number, (*years, *_beside(years)))),
        _once(str(value) for value in literals if isinstance(value, Date)),
    )


def _strings(links: Links, literals: Iterable[Value]) -> Iterator[str]:
    """Strings of the graph, and the question's words for them; names only beside some strings."""
    if not links.texts and not any(isinstance(value, String) for value in literals):
        return
    yield from (hit.value for mention in links.texts for hit in mention.hits)
    yield from (value.text for value in literals if isinstance(value, String))
    for mention in links.mentions:
        if mention.kind == Kind.ENTITY:
            yield from (mention.hits[0].label, mention.text)
    yield from (text.text for text in links.texts if text.text[0].isalnum())


def _numbers(value: Value) -> tuple[float, ...]:
    match value:
        case Quantity():
            return (value.number,)
        case Year():
            return (float(value.year),)
        case _:
            return ()


def _with_units(values: Iterable[Value], units: Sequence[str]) -> Iterator[str]:
    """Quantities that have a unit, as the question and as the graph spells it."""
    for value in values:
        if isinstance(value, Quantity) and value.unit != NO_UNIT:
            yield str(value)
            if value.unit not in units:
                same = (unit for unit in units if conversion_factor(value.unit, unit) == 1)
                yield from (str(Quantity(value.number, unit)) for unit in same)


def _beside(numbers: Iterable[float]) -> Iterator[float]:
    """The whole numbers next to counts."""
    for number in numbers:
        if number == int(number) and 0 < number <= _COUNTED:
            yield from (number - 1, number + 1)


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
