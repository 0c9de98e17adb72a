"""Programs with their steps in one order, so that one meaning has one program to be learned.

A set is written as a named entity, or else what an edge leads to, or else everything; then its class, its
attribute filters and its further edges. Steps come right after those that feed them, the second operand of
two after the whole of the first. A step that several others use is written once, where it is first needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from compilers.kopl.program import Program, Step

_FILTERS = frozenset(
    ("FilterStr", "FilterNum", "FilterYear", "FilterDate", "FilterHasAttr", "FilterHasRelation")
)
# Conditions on the facts that a step goes by.
OF_FACTS = frozenset(("QFilterStr", "QFilterNum", "QFilterYear", "QFilterDate"))
_NARROWING = _FILTERS | OF_FACTS | {"FilterConcept", "And"}

_MORE_THAN_NONE = (("VerifyNum", ("0", ">")), ("VerifyNum", ("1", ">=")))

# The step of the source that each step comes from; None for an And, which may join others than before.
Origins = tuple[int | None, ...]


def canonical(program: Program) -> tuple[Program, Origins]:
    """The program in canonical order, with the same answers, and where its steps come from.

    Steps that do not lead to the last one are left out.
    """
    writing = _Writing(program, Counter(d for step in program.steps for d in step.dependencies))
    writing.write(len(program) - 1)
    return Program(tuple(writing.steps)), tuple(writing.origins)


@dataclass(frozen=True, slots=True)
class _Set:
    """The parts of a set as an intersection, as steps of the source.

    `members` and `filters` are runs of steps, each followed by the conditions on its facts.
    """

    members: list[list[int]] = field(default_factory=list)
    concepts: list[int] = field(default_factory=list)
    filters: list[list[int]] = field(default_factory=list)


@dataclass
class _Writing:
    """Steps written so far."""

    program: Program
    uses: Counter[int]
    steps: list[Step] = field(default_factory=list)
    origins: list[int | None] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)

    def write(self, step: int) -> int:
        """The new place of a step, written with all that feeds it where it was not yet."""
        if step not in self.places:
            if self._is_more_than_none(step):
                [counting] = self._dependencies(step)
                [counted] = self._dependencies(counting)
                self.places[step] = self._append(Step("Exists", (), (self.write(counted),)), step)
            elif self._function(step) in _NARROWING:
                self.places[step] = self._write_set(self._parts(step))
            else:
                self.places[step] = self._add(step, [self.write(d) for d in self._dependencies(step)])
        return self.places[step]

    def _is_more_than_none(self, step: int) -> bool:
        return (self._function(step), self.program.steps[step].inputs) in _MORE_THAN_NONE and all(
            self._function(fed) == "Count" for fed in self._dependencies(step)
        )

    def _parts(self, step: int) -> _Set:
        parts = _Set()
        self._gather(step, parts, is_end=True)
        return parts

    def _gather(self, step: int, parts: _Set, is_end: bool = False) -> None:
        """Take a set apart, as far as its steps serve nothing else."""
        run = [step]
        while self._is_own(run[0], is_end and len(run) == 1) and self._function(run[0]) in OF_FACTS:
            run.insert(0, self._dependencies(run[0])[0])
        first = run[0]
        function = self._function(first)
        if function not in _NARROWING or not self._is_own(first, is_end and len(run) == 1):
            parts.members.append(run)
            return
        for dependency in self._dependencies(first):
            self._gather(dependency, parts)
        if function == "FilterConcept":
            parts.concepts.append(first)
        elif function in _FILTERS:
            parts.filters.append(run)

    def _is_own(self, step: int, is_end: bool) -> bool:
        return is_end or self.uses[step] == 1

    def _write_set(self, parts: _Set) -> int:
        first, *others = self._in_order(parts.members)
        place = self._write_run(first)
        concepts = {self.program.steps[step].inputs: step for step in reversed(parts.concepts)}
        for step in reversed(concepts.values()):
            place = self._add(step, [place])
        for run in parts.filters:
            place = self._add_all(run, place)
        for run in others:
            other = self._write_run(run)
            place = self._append(Step("And", (), (place, other)), None)
        return place

    def _in_order(self, members: Sequence[list[int]]) -> list[list[int]]:
        """Named entities first; everything only where there is nothing else."""
        found = sorted(members, key=lambda run: self._function(run[0]) != "Find")
        return [run for run in found if self._function(run[0]) != "FindAll"] or found[:1]

    def _write_run(self, run: list[int]) -> int:
        return self._add_all(run[1:], self.write(run[0]))

    def _add_all(self, run: Sequence[int], place: int) -> int:
        for step in run:
            place = self._add(step, [place])
        return place

    def _add(self, step: int, dependencies: Sequence[int]) -> int:
        source = self.program.steps[step]
        return self._append(Step(source.function, source.inputs, tuple(dependencies)), step)

    def _append(self, step: Step, origin: int | None) -> int:
        self.steps.append(step)
        self.origins.append(origin)
        return len(self.steps) - 1

    def _function(self, step: int) -> str:
        return self.program.steps[step].function

    def _dependencies(self, step: int) -> tuple[int, ...]:
        return self.program.steps[step].dependencies
