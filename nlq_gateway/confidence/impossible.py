"""Whether a program asks for what the graph never states, whoever is asked about.

A relation leads from some classes to others. A program that goes on from these with what none of them has
finds nothing for anybody, so that its answer of nothing says that the question was misread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program, Step
from nlq_gateway.index import Index
from nlq_gateway.trace import BindingTrace
from nlq_gateway.types import SchemaItem

Classes = frozenset[str]
# Nothing is known of what a set's members are.
ANYTHING: Classes = frozenset()
_FILTERS = frozenset(("FilterNum", "FilterStr", "FilterYear", "FilterDate"))


def is_impossible(program: Program, bindings: Sequence[BindingTrace], index: Index) -> bool:
    """Whether a step follows one whose members it never has facts of, as far as the index has seen."""
    taken = {(one.step, one.argument): one.iri for one in bindings}
    reader = _Reader(taken, index)
    try:
        reader.read(program)
    except _Impossible:
        return True
    return False


class _Impossible(Exception):
    """Two classes meet that have no member in common."""


class _Reader:
    def __init__(self, taken: Mapping[tuple[int, int], str], index: Index) -> None:
        self._taken = taken
        self._index = index

    def read(self, program: Program) -> None:
        known: list[Classes] = []
        for position, step in enumerate(program.steps):
            before = [known[one] for one in step.dependencies]
            known.append(self._after(position, step, before))

    def _after(self, position: int, step: Step, before: Sequence[Classes]) -> Classes:
        if step.function == "Relate":
            return self._related(position, step, before[0])
        if step.function == "FilterConcept":
            concept = self._taken.get((position, 0))
            return self._both(before[0], frozenset((concept,)) if concept else ANYTHING)
        if step.function in _FILTERS:
            item = self._item(Kind.ATTRIBUTE, position)
            return self._both(before[0], _ends(item, "domains"))
        if step.function == "And":
            return self._both(*before)
        return ANYTHING

    def _related(self, position: int, step: Step, before: Classes) -> Classes:
        item = self._item(Kind.RELATION, position)
        near, far = ("domains", "ranges") if step.inputs[1:] == ("forward",) else ("ranges", "domains")
        self._both(before, _ends(item, near))
        return _ends(item, far)

    def _item(self, kind: Kind, position: int) -> SchemaItem | None:
        iri = self._taken.get((position, 0))
        return self._index.item(kind, iri) if iri else None

    def _both(self, one: Classes, other: Classes) -> Classes:
        """The classes that members of both sets can have."""
        if not one or not other:
            return one or other
        shared = self._below(one, other) | self._below(other, one)
        if not shared:
            raise _Impossible
        return shared

    def _below(self, classes: Classes, others: Classes) -> Classes:
        """Those that are one of the others, or below one."""
        return frozenset(concept for concept in classes if self._above(concept) & others)

    def _above(self, concept: str) -> Classes:
        """It and all that it is below."""
        found: set[str] = set()
        pending = {concept}
        while pending:
            found |= pending
            items = filter(None, (self._index.item(Kind.CONCEPT, iri) for iri in pending))
            pending = set(chain.from_iterable(item.parents for item in items)) - found
        return frozenset(found)


def _ends(item: SchemaItem | None, side: str) -> Classes:
    return frozenset(iri for iri, _ in getattr(item, side)) if item else ANYTHING
