"""Inputs and results of functions in the interpreter: shared by KQA Pro's functions and the extensions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compilers.kopl.functions import Function, Kind, Type
from compilers.kopl.program import Program, Step
from compilers.kopl.values import Value, parse_value
from tests.oracle.graph import AttributeFact, Fact, Graph

Item = str | Value
Cell = Item | None
NO_PAIRS: frozenset[tuple[str, Value]] = frozenset()


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of one step. Fields that do not apply to `kind` are empty.

    `entities` are ids: of the set, or of the entities whose names are the answer. `facts` pairs each entity
    of a set of kind `facts` with the facts that brought it in. `answers` are the printed results, without
    duplicates, sorted; for rows one text each, in order, cells joined by tabs. `pairs` maps values to their
    entities.
    """

    kind: Type
    entities: frozenset[str] = frozenset()
    facts: frozenset[tuple[str, Fact]] = frozenset()
    values: tuple[Value, ...] = ()
    answers: tuple[str, ...] = ()
    pairs: frozenset[tuple[str, Value]] = NO_PAIRS
    rows: tuple[tuple[Cell, ...], ...] = ()

    @property
    def count(self) -> int:
        """The number of entities of a set; for other kinds, the number of answers."""
        return len(self.entities) if self.kind in (Type.ENTITIES, Type.FACTS) else len(self.answers)


@dataclass(frozen=True, slots=True)
class StepContext:
    """The input of a function: the graph, the program, the step's index, and the results so far."""

    graph: Graph
    program: Program
    index: int
    results: tuple[StepResult, ...]

    @property
    def step(self) -> Step:
        """The step that is called."""
        return self.program.steps[self.index]

    @property
    def function(self) -> Function:
        """Its row of the table."""
        return self.step.signature

    @property
    def fed(self) -> tuple[StepResult, ...]:
        """The results of the steps that feed this one."""
        return tuple(self.results[source] for source in self.step.dependencies)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The textual arguments."""
        return self.step.inputs

    def entities(self, position: int = 0) -> frozenset[str]:
        """The members of the set that feeds input `position`."""
        return self.fed[position].entities

    def attribute_facts(self) -> Iterator[AttributeFact]:
        """The facts of the attribute in the first argument, about the entities of the first input."""
        facts = self.graph.by_attribute.get(self.arguments[0], frozenset())
        return (fact for fact in facts if fact.entity in self.entities())

    def test(self) -> tuple[str, Value]:
        """The operator and the value that the arguments compare with; texts are compared by `=`."""
        parameters = self.function.parameters
        place = next(i for i, parameter in enumerate(parameters) if parameter.kind == Kind.VALUE)
        value_type = parameters[place].value_type
        assert value_type is not None, f"{self.function.name} has a typed value"
        comparison = self.arguments[-1] if parameters[-1].kind == Kind.OPERATOR else "="
        return comparison, parse_value(self.arguments[place], value_type)

    def set_of(self, entities: Iterable[str]) -> StepResult:
        """A set of entities."""
        return self._named(Type.ENTITIES, frozenset(entities))

    def names_of(self, entities: Iterable[str]) -> StepResult:
        """The names of entities."""
        return self._named(Type.NAMES, frozenset(entities))

    def facts_of(self, pairs: Iterable[tuple[str, Fact]]) -> StepResult:
        """A set of entities with the facts that put them there."""
        facts = frozenset(pairs)
        return self._named(Type.FACTS, frozenset(entity for entity, _ in facts), facts)

    def _named(
        self, kind: Type, entities: frozenset[str], facts: frozenset[tuple[str, Fact]] = frozenset()
    ) -> StepResult:
        return StepResult(kind, entities, facts, (), sorted_texts(map(self.graph.name, entities)))


def sorted_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """The different texts, sorted."""
    return tuple(sorted(set(texts)))


def values_of(pairs: Iterable[tuple[str, Value]]) -> StepResult:
    """The different values of pairs of an entity and a value."""
    kept = frozenset(pairs)
    distinct = tuple(sorted({value for _, value in kept}, key=lambda value: (str(value), repr(value))))
    return StepResult(Type.VALUES, values=distinct, answers=sorted_texts(map(str, distinct)), pairs=kept)
