"""The values that a question states, as arguments of a program state them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from compilers.kopl.values import Date, Quantity, String, Value, Year, format_number
from nlq_gateway.types import Links


@dataclass(frozen=True, slots=True)
class Stated:
    """The arguments by type, each once, in the question's order."""

    strings: tuple[str, ...]
    quantities: tuple[str, ...]
    years: tuple[str, ...]
    dates: tuple[str, ...]


def stated_in(links: Links) -> Stated:
    """The values of a linked question.

    A quantity stands with its unit and without, a date also as its year, a year also as a number. A name may
    be a string, too: where strings are stated at all, names are among them.
    """
    literals = [
        one for mention in links.literals for one in (mention.value, mention.until) if one is not None
    ]
    texts = (hit.value for mention in links.texts for hit in mention.hits)
    strings = _once((*texts, *(value.text for value in literals if isinstance(value, String))))
    names = (mention.hits[0].label for mention in links.mentions if mention.kind == Kind.ENTITY)
    return Stated(
        _once((*strings, *names)) if strings else (),
        _once(text for value in literals for text in _as_quantity(value)),
        _once(str(value.year) for value in literals if isinstance(value, (Year, Date))),
        _once(str(value) for value in literals if isinstance(value, Date)),
    )


def _as_quantity(value: Value) -> Iterator[str]:
    if isinstance(value, Quantity):
        yield str(value)
        yield format_number(value.number)
    elif isinstance(value, Year):
        yield str(value)


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
