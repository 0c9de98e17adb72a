"""The answer of a program, as clients get it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from compilers.kopl.functions import Type
from compilers.kopl.units import conversion_factor

# The name of a blank node about which nothing is known.
_NAMELESS = "without a name"
UNNAMED = f"({_NAMELESS})"


@dataclass(frozen=True, slots=True)
class AnswerValue:
    """One answer with its parts, as clients get it; `qualifier` tells equal values apart."""

    value: str
    type: Literal["iri", "literal", "boolean", "number"]
    label: str | None = None
    datatype: str | None = None
    language: str | None = None
    unit: str | None = None
    qualifier: str | None = None

    def __str__(self) -> str:
        """The string by which answers are compared: a label, a number with its unit, a date, a text."""
        shown = self.label if self.label is not None else self.value
        return f"{shown} {self.unit}" if self.unit else shown


def amounts_of(values: Sequence[AnswerValue]) -> list[float] | None:
    """The numbers in the unit of the first; None where a value is no number or its unit does not convert."""
    target = values[0].unit or "" if values else ""
    factors = {unit: conversion_factor(unit, target) for unit in {one.unit or "" for one in values}}
    if None in factors.values() or any(one.type != "number" for one in values):
        return None
    return [float(one.value) * (factors[one.unit or ""] or 0.0) for one in values]


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a program: distinct values in the order of the rows; a verdict is one boolean.

    For a table, `rows` holds the cells (None for an empty one), and `values` those of its first column.
    """

    output: Type
    values: tuple[AnswerValue, ...]
    evidence: tuple[AnswerValue, ...] = ()
    rows: tuple[tuple[AnswerValue | None, ...], ...] = ()

    @property
    def strings(self) -> tuple[str, ...]:
        """The distinct strings of the values, in order; Verify's `yes`, `no`, `not sure`.

        For a table: its rows, which may repeat, with their cells joined by tabs. Things without a name
        are told once, with their number.
        """
        if self.output == Type.ROWS:
            return tuple("\t".join("" if cell is None else str(cell) for cell in row) for row in self.rows)
        return distinct_texts(map(str, self.values))

    @property
    def is_unnamed(self) -> bool:
        """True if all it tells is that there are things without a name."""
        return bool(self.values) and not self.rows and all(str(value) == UNNAMED for value in self.values)

    @property
    def empty(self) -> bool:
        """True if there is no value and no row; a count and a verdict are never empty."""
        return not self.values and not self.rows

    @property
    def nothing(self) -> bool:
        """True if the program found no value, a count of 0, or a verdict without any value."""
        match self.output:
            case Type.VERDICT:
                return str(self.values[0]) != "yes" and not self.evidence
            case Type.NUMBER:
                return self.strings in ((), ("0",))
            case _:
                return self.empty


def distinct_texts(told: Iterable[str]) -> tuple[str, ...]:
    """The texts that tell values, each once; of things without a name the number."""
    counts = Counter(told)
    several = f"({counts[UNNAMED]} {_NAMELESS})" if counts[UNNAMED] > 1 else UNNAMED
    return tuple(several if one == UNNAMED else one for one in counts)
