"""Forms of narrowing or closing, and the parts of the schema they need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from compilers.kopl.functions import ValueType
from nlq_gateway.offline.exploration.work import Build

ANY = tuple(ValueType)
# The minimum and maximum number of relations of a walk, by start.
Lengths = Mapping[str, tuple[int, int]]
WALKS: Lengths = {"entity": (1, 4), "concept": (0, 2), "value": (0, 3)}
SETS: Lengths = {"entity": (1, 3), "concept": (0, 1), "value": (0, 2)}
CLASSES: Lengths = {"concept": (0, 0)}
LINES: Lengths = {"entity": (1, 3), "value": (1, 2)}
PAIRS: Lengths = {"entity": (1, 2), "value": (1, 2)}
STEP: Lengths = {"entity": (1, 1)}


@dataclass(frozen=True, slots=True)
class ProgramForm:
    """A form of programs over a set.

    `weight` is its frequency among forms; `lengths` the walks that it follows; `attributes` has the types of
    each attribute that it needs, which are different attributes, but of one type and unit if `alike`;
    `move` and `concept` are True if it takes one more relation, or a class; `qualifier` is the kind of fact
    whose qualifier it takes; `doubles` is True if it takes the same walk
    twice, `beyond` if the attributes are of its relation's targets.
    """

    build: Build
    weight: float
    lengths: Lengths
    attributes: tuple[tuple[ValueType, ...], ...] = ()
    alike: bool = False
    move: bool = False
    concept: bool = False
    qualifier: Literal["", "relation", "attribute"] = ""
    narrowable: bool = True
    doubles: bool = False
    beyond: bool = False
