"""The coverage of a schema and of the language by a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from compilers.kopl.functions import FUNCTIONS, SCHEMA_KINDS, Kind
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from nlq_gateway.index import Index
from nlq_gateway.offline.exploration.sketch import Place

_RELATING = ("Relate", "QueryRelationQualifier")
Item = tuple[Kind, str]


@dataclass(slots=True)
class Coverage:
    """Counts over the lines of a corpus; of an item `ways` has how often it is in a program.

    A relation counts once for each direction that programs take it in.
    """

    index: Index
    programs: int = 0
    worded: int = 0
    patterns: set[str] = field(default_factory=set)
    functions: Counter[str] = field(default_factory=Counter)
    relations: Counter[int] = field(default_factory=Counter)
    ways: Counter[tuple[Kind, str, str]] = field(default_factory=Counter)

    def add(self, line: Mapping[str, Any]) -> None:
        """Count a line of the corpus."""
        program = read_program(line["program"])
        meant: dict[Place, str] = {
            (binding["step"] - 1, binding["argument"]): binding["iri"] for binding in line.get("bindings", ())
        }
        self.programs += 1
        self.worded += bool(line.get("questions"))
        self.patterns.add(line["pattern"])
        self.functions.update({step.signature.name for step in program.steps})
        self.relations[sum(step.function in _RELATING for step in program.steps)] += 1
        self.ways.update(set(self._items(program, meant)))

    def _items(self, program: Program, meant: Mapping[Place, str]) -> Iterator[tuple[Kind, str, str]]:
        for number, step in enumerate(program.steps):
            parameters = step.signature.parameters
            for argument, (parameter, text) in enumerate(zip(parameters, step.inputs, strict=True)):
                if parameter.kind in SCHEMA_KINDS:
                    named = self.index.named(parameter.kind, text)
                    iri = meant.get((number, argument)) or (named[0].iri if named else "")
                    way = step.inputs[argument + 1] if _has_direction(step.inputs, argument) else "forward"
                    yield parameter.kind, iri, way if parameter.kind == Kind.RELATION else ""

    def table(self) -> dict[str, tuple[int, int]]:
        """The numbers of covered items and of all items, by kind."""
        return {name: (len(known) - len(missing), len(known)) for name, known, missing in self._kinds()}

    def missing(self) -> dict[str, list[str]]:
        """The labels of items that are not covered."""
        return {
            name: [self._label(kind, iri) for kind, iri in missing]
            for name, _, missing in self._kinds()
            if missing
        }

    def _kinds(self) -> Iterator[tuple[str, list[Item], list[Item]]]:
        for name, kind, way in _KINDS:
            known = [(item.kind, item.iri) for item in self.index.schema if item.kind == kind and item.count]
            yield name, known, [item for item in known if not self.ways[*item, way]]

    def _label(self, kind: Kind, iri: str) -> str:
        item = self.index.item(kind, iri)
        return item.label if item is not None else iri

    def as_json(self) -> dict[str, Any]:
        """The counts for `--report`."""
        return {
            "programs": self.programs,
            "with_questions": self.worded,
            "patterns": len(self.patterns),
            "coverage": {name: {"covered": some, "of": all_} for name, (some, all_) in self.table().items()},
            "missing": self.missing(),
            "functions": dict(sorted(self.functions.items())),
            "missing_functions": [name for name in FUNCTIONS if name not in self.functions],
            "relations_per_program": {
                str(number): self.relations[number] for number in sorted(self.relations)
            },
        }


_KINDS = (
    ("relations forward", Kind.RELATION, "forward"),
    ("relations backward", Kind.RELATION, "backward"),
    ("attributes", Kind.ATTRIBUTE, ""),
    ("classes", Kind.CONCEPT, ""),
    ("qualifiers", Kind.QUALIFIER, ""),
)


def _has_direction(inputs: tuple[str, ...], argument: int) -> bool:
    return inputs[argument + 1 : argument + 2] in (("forward",), ("backward",))


def coverage(index: Index, lines: Iterable[Mapping[str, Any]]) -> Coverage:
    """The coverage of all lines."""
    found = Coverage(index)
    for line in lines:
        found.add(line)
    return found
