"""Columns by name, where their number is wanted: `SortTable(height, ascending)`, `DropColumn(second)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compilers.kopl.check import check
from compilers.kopl.functions import SET_TYPES, Kind, Type, function_named
from compilers.kopl.program import Program
from compilers.kopl.repair.base import Change, Fix, TypesOf, arguments, with_argument
from compilers.kopl.tables import columns_of
from compilers.kopl.values import whole_number

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_NUMBERED = re.compile(r"(?:column|col|step|#|\$)[\s_]*(\d{1,3})|(\d{1,3})(?:st|nd|rd|th)(?: column)?", re.I)
_SPACES = re.compile(r"[\W_]+")
# Words for the column of a number.
_WORDS = {
    "Count": ("count", "number", "how many"),
    "CountValues": ("count", "number", "how many"),
    "CountTable": ("count", "number", "rows"),
    "Sum": ("sum", "total"),
    "Average": ("average", "avg", "mean"),
    "Minimum": ("minimum", "min", "least"),
    "Maximum": ("maximum", "max", "greatest"),
}
_NAMES = ("name", "names", "label", "entity", "entities")


def _named(program: Program, index: int, _: TypesOf | None) -> Change | None:
    for at, parameter, text in arguments(program.steps[index]):
        if parameter.name == "column" and parameter.kind == Kind.NUMBER and whole_number(text) is None:
            number = _number(program, index, text)
            if number is not None:
                why = "columns are counted from 1, not named"
                return with_argument(program, index, at, str(number), why)
    return None


def _number(program: Program, index: int, text: str) -> int | None:
    """The number of the column that a text names; None if it names none or several."""
    said = _plain(text)
    if match := _NUMBERED.fullmatch(text.strip()):
        return int(match[1] or match[2])
    ordinal = said.removesuffix(" column")
    if ordinal in _ORDINALS:
        return _ORDINALS.index(ordinal) + 1
    source = next(iter(program.steps[index].dependencies), index)
    before = Program(program.steps[:index])
    if not 0 <= source < index or any(one.step <= source for one in check(before)):
        return None
    names = [{_plain(name) for name in _names(before, column.step)} for column in columns_of(before, source)]
    same = [number for number, known in enumerate(names, 1) if said in known]
    # `number of cities` ends with the column's name.
    ends = [number for number, known in enumerate(names, 1) if any(said.endswith(f" {one}") for one in known)]
    found = same or ends
    return found[0] if len(found) == 1 else None


def _names(program: Program, step: int) -> Iterator[str]:
    """The possible names of a column: those in its step, and those of the steps before it."""
    call = program.steps[step]
    function = function_named(call.function)
    yield call.function
    yield from _WORDS.get(call.function, ())
    if function is None:
        return
    kinds = (Kind.ATTRIBUTE, Kind.RELATION, Kind.QUALIFIER, Kind.CONCEPT, Kind.ENTITY)
    yield from (text for _, parameter, text in arguments(call) if parameter.kind in kinds)
    if function.output in SET_TYPES:
        yield from _NAMES
    if function.output in (*SET_TYPES, Type.NUMBER) and call.function != "Relate":
        named = {*_NAMES}
        yield from (name for name in _above(program, step) if name not in named)


def _above(program: Program, step: int) -> Iterator[str]:
    for source in program.steps[step].dependencies[:1]:
        yield from _names(program, source)


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text).strip().casefold()


COLUMNS: tuple[Fix, ...] = (_named,)
