"""A long table of numbers in one sentence: how many things there are, and which has the most."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from compilers.answers import AnswerValue, amounts_of
from nlq_gateway.answering.response.values import is_name, said
from nlq_gateway.core.truths import TRUTHS
from nlq_gateway.index.introspect.units import unit_of_label, without_unit
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.language.lexicon import PERIODS
from nlq_gateway.language.sentences import Say, joined, listed
from nlq_gateway.language.tables import words

Row = Sequence[AnswerValue | None]

# So many that are equal are named.
_NAMED = 3
# Words by which the compiler marks variables of counts and values.
_COUNT, _VALUE = "count", "value"
# "the highest minimum age", not "the highest smallest age".
_EXTREMES = {"smallest": "minimum", "largest": "maximum"}
# "The highest maximum value" of an attribute that is called so.
_AGGREGATES = frozenset({*_EXTREMES, "total", "average"})
_PERIODS, _IDENTIFIERS = frozenset(PERIODS.values()), words("identifiers")
# A name that ends with one is no noun: `approved by of`, which leads back to what they approved.
_PREPOSITIONS = words("prepositions")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def ranked_text(
    columns: Sequence[str],
    rows: Sequence[Row],
    shown: Sequence[Row],
    plural: Callable[[str], str],
    say: Say,
    ends: Mapping[int, bool],
    language: str = ENGLISH,
) -> str:
    """`41 directors, the most films: Steven Spielberg (6)`; "" where rows are not a name and a number each.

    `ends` has the columns (from 1) whose end is to be told, with whether it is the lowest; "" for another.
    `shown` are the rows as they are said, and `plural` makes a plural of a name.
    """
    places = _places(columns, rows) if len(columns) == 2 else None
    if places is None:
        return ""
    name, number = places
    amounts = amounts_of([cell for row in rows if (cell := row[number]) is not None])
    values = {_value(row[name]) for row in rows}
    least = ends.get(number + 1)
    if amounts is None or least is None or len(values) < len(rows) or values <= TRUTHS:
        return ""
    best = min(amounts) if least else max(amounts)
    equal = [row for row, amount in zip(shown, amounts, strict=True) if amount == best]
    units = {cell.unit for row in rows if (cell := row[number])}
    told = _told(_words(_without_unit(columns[number], units)), least, plural, say)
    things = plural(" ".join(_things(columns[name])))
    named = _named([str(row[name]) for row in equal], say)
    of_each = next(said(cell, language) for row in equal if (cell := row[number]))
    of_each = say("each", number=of_each) if len(equal) > 1 else of_each
    if len(equal) == len(rows) > 1:
        return f"{len(rows)} {things}, {told}: {of_each}"
    return f"{len(rows)} {things}, {told}: {named} ({of_each})"


def _places(columns: Sequence[str], rows: Sequence[Row]) -> tuple[int, int] | None:
    """The column of names, ids, years or months, and that of numbers; None where there is not one of each.

    Neither has a gap.
    """
    found = list(zip(columns, zip(*rows, strict=True), strict=True))
    numbers = [at for at, one in enumerate(found) if _is_measure(*one)]
    names = [at for at, one in enumerate(found) if _is_of_things(*one)]
    return (names[0], numbers[0]) if len(numbers) == len(names) == 1 else None


def _is_measure(column: str, cells: Row) -> bool:
    numbers = all(cell is not None and cell.type == "number" for cell in cells)
    return numbers and not is_identifier(column)


def _is_of_things(column: str, cells: Row) -> bool:
    if all(cell is not None and cell.type == "number" and not cell.unit for cell in cells):
        return is_identifier(column)
    texts = all(cell is not None and cell.type in ("iri", "literal") for cell in cells)
    return texts and (_last_word(column) in _PERIODS or all(map(is_name, cells)))


def is_identifier(column: str) -> bool:
    """True if a column's name says that its values name things: `order number`, `code`."""
    return _last_word(column) in _IDENTIFIERS


def _last_word(column: str) -> str:
    return "".join(_words(column.rstrip("0123456789"))[-1:]).lower()


def _without_unit(column: str, units: Collection[str | None]) -> str:
    """The name of a number without the one unit in which its cells are said: `height` for `height in cm`."""
    said_twice = units == {unit_of_label(column)}
    return next(without_unit([column]), column) if said_twice else column


def _told(measure: list[str], least: bool, plural: Callable[[str], str], say: Say) -> str:
    """`the most films` of a count, `the highest length` of another number."""
    *things, last = measure
    if last == _COUNT:
        counted = plural(" ".join(things)) if things and things[-1] not in _PREPOSITIONS else ""
        return say("fewest" if least else "most", things=counted).rstrip()
    first, *others = things if last == _VALUE and not _AGGREGATES.issuperset(things) else measure
    named = [_EXTREMES.get(first, first), *others]
    return say("lowest" if least else "highest", measure=" ".join(named))


def _things(column: str) -> list[str]:
    """The words for things; of a period alone where a preposition stands before it: `opened on year`."""
    found = _words(column)
    is_noun = found[-1] not in _PERIODS or _PREPOSITIONS.isdisjoint(found[-2:-1])
    return found if is_noun else found[-1:]


def _value(cell: AnswerValue | None) -> str:
    return str(cell.value) if cell is not None else ""


def _words(variable: str) -> list[str]:
    """The words of a column's name, in lower case but `SKU`; of a variable's, `filmCount`, film and count."""
    words = variable if " " in variable else _CAPITAL.sub(" ", variable)
    return [word if word.isupper() else word.lower() for word in words.split()]


def _named(names: Sequence[str], say: Say) -> str:
    hidden = len(names) - _NAMED
    return (
        say("more", shown=listed(names[:_NAMED]), count=hidden) if hidden > 0 else joined(names, say, "both")
    )
