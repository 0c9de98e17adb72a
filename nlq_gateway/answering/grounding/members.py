"""The facts of a set's members, by which a step may go on, with their direction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from compilers.kopl.functions import SET_TYPES, TURNED, Kind, function_named
from compilers.kopl.program import Program
from nlq_gateway.answering.grounding.grounder import Place
from nlq_gateway.answering.grounding.items import Choices, iris_at, items_at, up_to
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index import Index

# Predicates, each with `forward` (a member is the subject) or `backward`.
Facts = frozenset[tuple[str, str]]

_BOTH = frozenset(TURNED)


class FactsAhead(Protocol):
    """The questions of the resolver to the store."""

    def ahead(self, program: Program, choices: Choices) -> Facts | None:
        """The predicates of the facts of a set's members, in which the program ends.

        Empty for a set without members; None where that is not known, or where they are many.
        """


def facts_ahead(around: FactsAhead | None, program: Program, choices: Choices, at: int) -> Facts | None:
    """The facts of the members of the set that feeds a step first; None where that is not known."""
    for source in program.steps[at].dependencies[:1]:
        function = function_named(program.steps[source].function)
        is_set = function is not None and function.output in SET_TYPES and function.name != "FindAll"
        if around is not None and is_set:
            return around.ahead(*up_to(program, choices, source))
    return None


def leads(facts: Facts, relations: Iterable[str], direction: str) -> bool:
    """True if one of the relations is among the facts."""
    return any((iri, direction) in facts for iri in relations)


def had_by(index: Index, kind: Kind, concepts: Iterable[str]) -> frozenset[str]:
    """The predicates of concepts' members as far as the index tells; none without a concept."""
    members = _with_descendants(index, concepts)
    items = (item for item in index.schema if item.kind == kind) if members else ()
    return frozenset(item.iri for item in items if members & _ends(item))


def ways_on(index: Index, program: Program, choices: Choices, at: int, facts: Facts | None) -> frozenset[str]:
    """The directions in which a step's relation leads on from the set before it; both if none is known."""
    relations = iris_at(index, program, choices, (at, 0))
    if facts is not None:
        return frozenset(way for way in TURNED if leads(facts, relations, way))
    items = [item for iri in relations if (item := index.item(Kind.RELATION, iri)) is not None]
    members = _with_descendants(index, concepts_before(index, program, choices, at))
    if not members or not all(item.domains and item.ranges for item in items):
        return _BOTH
    subjects = {iri for item in items for iri, _ in item.domains}
    objects = {iri for item in items for iri, _ in item.ranges}
    ends = {"forward": members & subjects, "backward": members & objects}
    return frozenset(way for way, found in ends.items() if found)


def concepts_before(index: Index, program: Program, choices: Choices, at: int) -> tuple[str, ...]:
    """The concepts that the set before a step is filtered by last, behind filters by values."""
    while program.steps[at].dependencies:
        at = program.steps[at].dependencies[0]
        if program.steps[at].function == "FilterConcept":
            return iris_at(index, program, choices, (at, 0))
        if not program.steps[at].function.startswith("Filter"):
            break
    return ()


def _with_descendants(index: Index, concepts: Iterable[str]) -> frozenset[str]:
    return frozenset(below for one in concepts for below in (one, *index.descendants(one)))


def _ends(item: SchemaItem) -> frozenset[str]:
    """The concepts at an item's ends, as `domains` and `ranges` have them: only relations have the latter."""
    return frozenset(iri for iri, _ in (*item.domains, *item.ranges))


def qualifiers_of(index: Index, program: Program, choices: Choices, place: Place) -> frozenset[str]:
    """The qualifiers of the relation or attribute that is named before one, or finds the facts before it."""
    at, argument = place
    while argument == 0 and program.steps[at].function.startswith("QFilter"):
        at = program.steps[at].dependencies[0]
    return frozenset(one for item in items_at(index, program, choices, (at, 0)) for one in item.qualifiers)
