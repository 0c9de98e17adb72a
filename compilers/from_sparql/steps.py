"""Collects the steps of a program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from compilers.from_sparql.query import EntityName, QueryIri
from compilers.from_sparql.schema import Schema
from compilers.grounded import Binding, GroundedProgram
from compilers.iris import local_name
from compilers.kopl.functions import Kind, function_named
from compilers.kopl.program import Program, Step


@dataclass(slots=True)
class Steps:
    """Collects steps; `schema` has the known facts about the attributes that they name."""

    schema: Schema
    steps: list[Step] = field(default_factory=list)
    bindings: dict[tuple[int, int], Binding] = field(default_factory=dict)

    def add(self, function: str, sources: tuple[int, ...] = (), *arguments: str) -> int:
        """Append a call and return its index; names are given as IRIs, without brackets."""
        row = function_named(function)
        assert row is not None, function
        index, texts = len(self.steps), list(arguments)
        for position, parameter in enumerate(row.parameters):
            if parameter.kind in (Kind.ENTITY, Kind.CONCEPT, Kind.RELATION, Kind.ATTRIBUTE):
                self.bindings[index, position] = self._binding(parameter.kind, arguments[position])
                texts[position] = f"<{arguments[position]}>"
        self.steps.append(Step(function, tuple(texts), sources))
        return index

    def find(self, entity: QueryIri | EntityName) -> int:
        """Append the step that finds an entity; for a name it finds all entities of that name."""
        if isinstance(entity, QueryIri):
            return self.add("Find", (), entity.iri)
        self.steps.append(Step("Find", (entity.text,)))
        return len(self.steps) - 1

    def relate(self, step: int, relation: str, direction: str, *, deep: bool) -> int:
        """Append a relation from a step, followed once or, if `deep`, once or more often."""
        return self.add("RelateTransitive" if deep else "Relate", (step,), relation, direction)

    def of_class(self, step: int, iri: str, below: bool) -> int:
        """Append the filter for a class, with the classes below it where these are meant too."""
        result = self.add("FilterConcept", (step,), iri)
        if below:
            bound = replace(self.bindings[result, 0], subconcepts=self.schema.below(iri))
            self.bindings[result, 0] = bound
        return result

    def fold(self, function: str, sources: Iterator[int]) -> int:
        """The sources joined two by two, from the left."""
        result = next(sources)
        for source in sources:
            result = self.add(function, (result, source))
        return result

    def program(self) -> GroundedProgram:
        """The collected program; its last step gives the answer."""
        return GroundedProgram(Program(tuple(self.steps)), dict(self.bindings))

    def _binding(self, kind: Kind, iri: str) -> Binding:
        types = self.schema.attribute(iri).value_types if kind == Kind.ATTRIBUTE else ()
        return Binding((iri,), label=local_name(iri), value_types=types)
