"""The differences of two programs. Pure.

Programs are compared as trees from their last steps, so the order in which steps are written does not count.
Neither does the order of a set operation's inputs, nor a `What` at the end, which names the results, nor a
`FilterConcept` that relations and attributes of either program imply.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations

from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.functions import ALIASES, NAMING_KINDS, Kind
from nlq_gateway.index.text import fold
from nlq_gateway.offline.evaluation.score import canonical

_IN_ANY_ORDER = frozenset(("And", "Or", "AndTable", "OrTable"))


def differences(gold: GroundedProgram, other: GroundedProgram) -> frozenset[Kind] | None:
    """The kinds of the arguments that differ; None for programs of different shapes.

    Both are programs that the checker passes. Names are compared as IRIs where both are known, else folded.
    """
    known = implied(gold) | implied(other)
    one, two = _Tree(gold, known), _Tree(other, known)
    found = _TreeComparison(one, two).at(one.end(), two.end())
    return None if found is None else found.kinds


def implied(grounded: GroundedProgram) -> frozenset[str]:
    """The names of the concepts that all facts of the program's relations and attributes have at an end."""
    return frozenset(name for b in grounded.bindings.values() for name in (b.subject, b.object) if name)


@dataclass(frozen=True, slots=True)
class _Tree:
    """A program seen from its last step, without the steps that change nothing."""

    grounded: GroundedProgram
    implied: frozenset[str]

    def end(self) -> int:
        last = len(self.grounded.program) - 1
        return self.fed_by(last)[0] if self.function(last) == "What" else self._origin(last)

    def function(self, step: int) -> str:
        name = self.grounded.program.steps[step].function
        return ALIASES.get(name, name)

    def fed_by(self, step: int) -> tuple[int, ...]:
        return tuple(map(self._origin, self.grounded.program.steps[step].dependencies))

    def _origin(self, step: int) -> int:
        while self.function(step) == "FilterConcept" and self._concept(step) in self.implied:
            (step,) = self.grounded.program.steps[step].dependencies
        return step

    def _concept(self, step: int) -> str:
        binding = self.grounded.binding(step, 0)
        return binding.label if binding else ""


@dataclass(frozen=True, slots=True)
class _Differences:
    """The number of different arguments in two trees, and their kinds."""

    number: int = 0
    kinds: frozenset[Kind] = frozenset()

    def and_also(self, other: _Differences) -> _Differences:
        return _Differences(self.number + other.number, self.kinds | other.kinds)


@dataclass(frozen=True, slots=True)
class _TreeComparison:
    """Compares the trees that end at two steps; each pair once, as steps may feed several others."""

    gold: _Tree
    other: _Tree
    known: dict[tuple[int, int], _Differences | None] = field(default_factory=dict)

    def at(self, wanted: int, given: int) -> _Differences | None:
        if (wanted, given) not in self.known:
            self.known[wanted, given] = self._at(wanted, given)
        return self.known[wanted, given]

    def _at(self, wanted: int, given: int) -> _Differences | None:
        feeding, fed_by = self.gold.fed_by(wanted), self.other.fed_by(given)
        name = self.gold.function(wanted)
        if name != self.other.function(given) or len(feeding) != len(fed_by):
            return None
        kinds = tuple(self._arguments(wanted, given))
        own = _Differences(len(kinds), frozenset(kinds))
        orders = permutations(fed_by) if name in _IN_ANY_ORDER else (fed_by,)
        found = [below for order in orders if (below := self._below(feeding, order)) is not None]
        return own.and_also(min(found, key=lambda below: below.number)) if found else None

    def _below(self, wanted: tuple[int, ...], given: tuple[int, ...]) -> _Differences | None:
        found = _Differences()
        for pair in zip(wanted, given, strict=True):
            part = self.at(*pair)
            if part is None:
                return None
            found = found.and_also(part)
        return found

    def _arguments(self, wanted: int, given: int) -> Iterator[Kind]:
        gold, found = self.gold.grounded, self.other.grounded
        step, other = gold.program.steps[wanted], found.program.steps[given]
        for place, parameter in enumerate(step.signature.parameters):
            texts = (step.inputs[place], other.inputs[place])
            if parameter.kind in NAMING_KINDS:
                bindings = (gold.binding(wanted, place), found.binding(given, place))
                alike = _same_name(texts, bindings)
            else:
                alike = _same_value(*texts)
            if not alike:
                yield parameter.kind


def _same_name(texts: tuple[str, str], bindings: tuple[Binding | None, Binding | None]) -> bool:
    meant, bound = bindings
    if meant is not None and bound is not None:
        return not set(meant.iris).isdisjoint(bound.iris)
    wanted, given = (
        fold(binding.label if binding else text) for text, binding in zip(texts, bindings, strict=True)
    )
    return wanted == given


def _same_value(wanted: str, given: str) -> bool:
    return canonical(wanted) == canonical(given) or wanted.strip().casefold() == given.strip().casefold()
