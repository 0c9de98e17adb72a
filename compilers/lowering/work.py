"""The state of one lowering, and how its parts call each other.

Lowering goes from the answer back to its sources: the consumer of a set hands down the variable that
the set is to bind, so that And needs no renaming and every variable is named after its content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from compilers import algebra as a
from compilers.errors import UnsupportedProgram
from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.functions import RELATING, Kind
from compilers.kopl.program import Step
from compilers.kopl.shapes import Shape
from compilers.kopl.tables import COLUMNWISE, begins_line, subject_of
from compilers.kopl.values import Value, parse_value
from compilers.layouts import Layout, Options
from compilers.layouts.base import Column, Measure, Patterns, ValueReference
from compilers.lowering.told import EntityVariables, told_of
from compilers.naming import VariableNames, set_name
from compilers.rewrites.walk import variables

# Functions that use every way to a member.
_OF_WAYS = (*COLUMNWISE, "FilterAggregate")
# A query of so many has 100 kB at the most, made and parsed in half a second; where subqueries are deep, to
# parse it takes five times as long when it doubles. Where no step feeds two, each is written out about once.
MOST_WRITTEN = 250


def unknown_name(step: int, told: str) -> UnsupportedProgram:
    """The error of a step with a name that the graph lacks."""
    return UnsupportedProgram(
        told, step=step, hint="use a name that the schema has, or an IRI in angle brackets"
    )


@dataclass(slots=True)
class WrittenSteps:
    """The number of steps written out: a step with several consumers is written for each of them.

    Their number doubles with each step that is fed twice by the one before it; `most` is the largest allowed.
    """

    most: int = MOST_WRITTEN
    steps: int = 0

    def add(self, step: int, steps: int = 1) -> None:
        """Count a step, or several; raises UnsupportedProgram where the query becomes too large."""
        self.steps += steps
        if self.steps > self.most:
            raise UnsupportedProgram(
                f"the query would state its steps more than {self.most} times in all",
                step=step,
                hint="ask in parts: a step that feeds several others is stated for each of them",
            )


@dataclass(frozen=True, slots=True)
class Scope:
    """The steps lowered into the current group of patterns.

    `members` and `values` are the variables of sets and of values, `measures` the measures of values.
    `derived` holds variables that have one value for a member or a value: they repeat no solution. `told_by`
    maps the variable of a value, or its node, to the columns that identify the value. `told` has the
    variables that describe members, `numbers` what subqueries of a table's groups give.
    """

    members: dict[int, a.Variable] = field(default_factory=dict)
    values: dict[int, ValueReference] = field(default_factory=dict)
    measures: dict[int, Measure] = field(default_factory=dict)
    derived: set[a.Variable] = field(default_factory=set)
    told_by: dict[a.Variable, set[a.Variable]] = field(default_factory=dict)
    told: dict[a.Variable, EntityVariables] = field(default_factory=dict)
    numbers: dict[int, tuple[a.Variable, Shape]] = field(default_factory=dict)

    def derive(self, value: ValueReference, patterns: Patterns, columns: Iterable[Column]) -> None:
        """Note the variables that depend on a value, and the columns that identify it."""
        said = {variable for pattern in patterns for variable in variables(pattern)}
        self.derived.update(said - {value.variable})
        told = self.told_by.setdefault(value.variable, set())
        told.update(a.Variable(column.name) for column in columns)

    def told_apart(self, kept: Collection[a.Variable]) -> frozenset[a.Variable]:
        """The variables that repeat no solution, given that solutions differ in `kept`."""
        nodes = (node for node, columns in self.told_by.items() if not columns.isdisjoint(kept))
        return frozenset(self.derived.union(nodes))


@dataclass(frozen=True, slots=True)
class Lowering:
    """One lowering: read-only but for the names that it hands out, the scope that it fills, and its size.

    `sets` lowers a step that gives a set, by its function's name: patterns that bind a variable to each
    member, and another to the fact that put the member there. `table` lowers one that gives rows.
    """

    grounded: GroundedProgram
    options: Options
    layout: Layout
    names: VariableNames
    sets: Mapping[str, SetFunction]
    table: Callable[[Lowering, int], a.Select]
    scope: Scope = field(default_factory=Scope)
    written: WrittenSteps = field(default_factory=WrittenSteps)

    def apart(self) -> Lowering:
        """The same lowering for a group of its own, which shares no steps."""
        return replace(self, scope=Scope())

    def told(self, entity: a.Variable) -> EntityVariables:
        """New variables for the columns that describe an entity."""
        return told_of(entity, self.options, self.names)

    def step(self, index: int) -> Step:
        """The step at `index`."""
        return self.grounded.program.steps[index]

    def source(self, index: int, position: int = 0) -> int:
        """The index of the step that feeds input `position`."""
        return self.step(index).dependencies[position]

    def set(self, index: int, entity: a.Variable, fact: a.Variable | None = None) -> Patterns:
        """Patterns that bind `entity` to each member of a set, and `fact` to the fact that put it there."""
        self.written.add(index)
        self.scope.members[index] = entity
        return self.sets[self.step(index).signature.name](self, index, entity, fact)

    def line(self, index: int) -> tuple[Patterns, a.Variable]:
        """The variable of a set's members in this group, with the patterns that are not in it yet."""
        known = self.scope.members.get(index)
        if known is not None:
            return (), known
        entity = self.member(index)
        return self.set(index, entity, None), entity

    def member(self, index: int) -> a.Variable:
        """The variable for a set's members: a filter's are those of the set that it filters."""
        behind = index
        while behind not in self.scope.members:
            if begins_line(self.grounded.program, behind) or self.step(behind).function in RELATING:
                return self.names.fresh(set_name(self.grounded, index))
            behind = self._filtered(behind)
        return self.scope.members[behind]

    def _filtered(self, index: int) -> int:
        """The step whose members a filter selects from."""
        if self.step(index).function != "FilterCompare":
            return self.source(index)
        subject = subject_of(self.grounded.program, self.source(index))
        return self.source(index) if subject is None else subject

    def common_filtered(self, first: int, second: int) -> int | None:
        """The nearest step that two sets are both filtered from; None if there is none."""
        known = set(self._filters(first))
        return next((step for step in self._filters(second) if step in known and step != second), None)

    def _filters(self, index: int) -> Iterator[int]:
        """A set, the set that it is filtered from, and so on."""
        yield index
        while not begins_line(self.grounded.program, index) and self.step(index).function not in RELATING:
            index = self._filtered(index)
            yield index

    def behind(self, index: int, entity: a.Variable, fact: a.Variable | None = None) -> Patterns:
        """The patterns of a filter's own source, whose members the same variable binds."""
        source = self.source(index)
        return () if source in self.scope.members and fact is None else self.set(source, entity, fact)

    def value_variables(self, steps: Collection[int]) -> frozenset[a.Variable]:
        """The variables in this group that hold the values of some steps.

        Value nodes give way to the variables of their parts, which tell values apart.
        """
        if self.layout.has_value_nodes:
            measures = (self.scope.measures[step] for step in steps if step in self.scope.measures)
            return frozenset(a.Variable(column.name) for measure in measures for column in measure.shown)
        return frozenset(value.variable for step, value in self.scope.values.items() if step in steps)

    def is_shared(self, count: int) -> bool:
        """True if the set that a FilterCount, or a step like it, filters is used outside its groups.

        The set, or a step before it, feeds other steps too, or rows use the several ways to its members.
        """
        program, feeds = self.grounded.program, Counter[int]()
        needed = {len(program) - 1}
        for index in range(len(program) - 1, -1, -1):
            if index in needed:
                fed = program.steps[index].dependencies
                kept = fed[:1] if index == count else fed
                needed.update(kept)
                feeds.update(kept)
        made = (at for at, step in enumerate(program.steps) if step.function in _OF_WAYS)
        rows = any(at != count and count in program.ancestors(at) for at in made)
        behind = self.source(count)
        while feeds[behind] <= 1 and not begins_line(program, behind):
            if rows and program.steps[behind].function in (*RELATING, "FilterCompare"):
                return True
            behind = self._filtered(behind)
        return feeds[behind] > 1

    def binding(self, index: int, argument: int) -> Binding:
        """The binding of a schema argument; by the layout's naming rule for a bare name."""
        found = self.grounded.binding(index, argument)
        if found is not None and found.iris:
            return found
        name = self.step(index).inputs[argument]
        kind = self.step(index).signature.parameters[argument].kind
        iri = self.layout.iri(kind, name)
        if iri is None:
            told = self.grounded.unknown.get((index, argument), f"no {kind} {name!r} in this graph")
            raise unknown_name(index, told)
        return Binding((iri,), name)

    def value(self, index: int, argument: int) -> Value:
        """A value argument whose type the function fixes."""
        value_type = self.step(index).signature.parameters[argument].value_type
        assert value_type is not None
        return parse_value(self.step(index).inputs[argument], value_type)

    def number(self, index: int) -> int:
        """The whole number among the arguments of a step."""
        kinds = [parameter.kind for parameter in self.step(index).signature.parameters]
        return int(self.step(index).inputs[kinds.index(Kind.NUMBER)])

    def require_qualifiers(self, index: int) -> None:
        """Raise UnsupportedProgram if the layout cannot state qualifiers."""
        if not self.layout.has_qualifiers:
            raise UnsupportedProgram(
                f"{self.step(index).function} needs facts with qualifiers, which the layout "
                f"{self.layout.name} does not have",
                step=index,
                hint="ask without the qualifier, or configure the layout that the graph uses",
            )


SetFunction = Callable[[Lowering, int, a.Variable, a.Variable | None], Patterns]
