"""The reference interpreter: the meaning of a program over a small graph in memory.

Sets, not bags. A name stands for all its bearers, an unknown name for the empty set; an empty input gives an
empty output. Values follow the rules of `values.compare`, choosing and verifying those of `decide`. Functions
after Cao et al., "KQA Pro" (2022), section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from compilers.kopl.check import require_valid
from compilers.kopl.decide import extremes, verdict
from compilers.kopl.functions import Type
from compilers.kopl.program import Program
from compilers.kopl.values import Quantity, Value, compare, likely_value
from tests.oracle.evaluation import StepContext, StepResult, sorted_texts, values_of
from tests.oracle.extensions import EXTENSIONS
from tests.oracle.graph import Graph, RelationFact


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """The result of the last step (`kind` is `entities` for both sorts of sets), and of every step."""

    kind: Type
    entities: frozenset[str]
    answers: tuple[str, ...]
    values: tuple[Value, ...]
    steps: tuple[StepResult, ...]


def interpret(program: Program, graph: Graph) -> ProgramResult:
    """Run a program over a graph; raises InvalidProgram when the checker finds errors in it."""
    require_valid(program)
    results: list[StepResult] = []
    for step in program.steps:
        results.append(
            MEANINGS[step.signature.name](StepContext(graph, program, len(results), tuple(results)))
        )
    last = results[-1]
    kind = Type.ENTITIES if last.kind == Type.FACTS else last.kind
    return ProgramResult(kind, last.entities, last.answers, last.values, tuple(results))


def _find_all(call: StepContext) -> StepResult:
    return call.set_of(call.graph.entities)


def _find(call: StepContext) -> StepResult:
    return call.set_of(call.graph.nodes_by_name.get(call.arguments[0], ()))


def _filter_concept(call: StepContext) -> StepResult:
    return call.set_of(call.entities() & call.graph.members.get(call.arguments[0], frozenset()))


def _filter(call: StepContext) -> StepResult:
    comparison, target = call.test()
    return call.facts_of(
        (fact.entity, fact) for fact in call.attribute_facts() if compare(fact.value, comparison, target)
    )


def _filter_qualifier(call: StepContext) -> StepResult:
    comparison, target = call.test()
    return call.facts_of(
        (entity, fact)
        for entity, fact in call.fed[0].facts
        if any(
            key == call.arguments[0] and compare(value, comparison, target) for key, value in fact.qualifiers
        )
    )


def _relate(call: StepContext) -> StepResult:
    relation, direction = call.arguments
    facts = call.graph.by_relation.get(relation, frozenset())
    if direction == "forward":
        return call.facts_of((fact.target, fact) for fact in facts if fact.source in call.entities())
    return call.facts_of((fact.source, fact) for fact in facts if fact.target in call.entities())


def _and(call: StepContext) -> StepResult:
    return call.set_of(call.entities(0) & call.entities(1))


def _or(call: StepContext) -> StepResult:
    return call.set_of(call.entities(0) | call.entities(1))


def _what(call: StepContext) -> StepResult:
    return call.names_of(call.entities())


def _count(call: StepContext) -> StepResult:
    count = Quantity(float(len(call.entities())))
    return StepResult(Type.NUMBER, values=(count,), answers=(str(count),))


def _query_attribute(call: StepContext) -> StepResult:
    return values_of((fact.entity, fact.value) for fact in call.attribute_facts())


def _query_attribute_under_condition(call: StepContext) -> StepResult:
    _, qualifier, text = call.arguments
    target = likely_value(text, call.graph.qualifier_types.get(qualifier, ()))
    return values_of(
        (fact.entity, fact.value)
        for fact in call.attribute_facts()
        if any(key == qualifier and compare(value, "=", target) for key, value in fact.qualifiers)
    )


def _query_attribute_qualifier(call: StepContext) -> StepResult:
    attribute, text, qualifier = call.arguments
    target = likely_value(text, call.graph.attribute_types.get(attribute, ()))
    return values_of(
        (fact.entity, value)
        for fact in call.attribute_facts()
        if compare(fact.value, "=", target)
        for key, value in fact.qualifiers
        if key == qualifier
    )


def _between(call: StepContext) -> Iterator[RelationFact]:
    return (
        fact
        for fact in call.graph.relations
        if fact.source in call.entities(0) and fact.target in call.entities(1)
    )


def _query_relation(call: StepContext) -> StepResult:
    return StepResult(Type.RELATIONS, answers=sorted_texts(fact.relation for fact in _between(call)))


def _query_relation_qualifier(call: StepContext) -> StepResult:
    relation, qualifier = call.arguments
    return values_of(
        (fact.source, value)
        for fact in _between(call)
        if fact.relation == relation
        for key, value in fact.qualifiers
        if key == qualifier
    )


def _select(call: StepContext) -> StepResult:
    attribute, operator = call.arguments
    entities = frozenset[str]().union(*(result.entities for result in call.fed))
    facts = call.graph.by_attribute.get(attribute, frozenset())
    candidates = ((fact.entity, fact.value) for fact in facts if fact.entity in entities)
    return call.names_of(extremes(candidates, largest=operator in ("largest", "greater")))


def _verify(call: StepContext) -> StepResult:
    comparison, target = call.test()
    values = call.fed[0].values
    return StepResult(Type.VERDICT, values=values, answers=(verdict(values, comparison, target).value,))


MEANINGS: dict[str, Callable[[StepContext], StepResult]] = {
    "FindAll": _find_all,
    "Find": _find,
    "FilterConcept": _filter_concept,
    "FilterStr": _filter,
    "FilterNum": _filter,
    "FilterYear": _filter,
    "FilterDate": _filter,
    "QFilterStr": _filter_qualifier,
    "QFilterNum": _filter_qualifier,
    "QFilterYear": _filter_qualifier,
    "QFilterDate": _filter_qualifier,
    "Relate": _relate,
    "And": _and,
    "Or": _or,
    "What": _what,
    "Count": _count,
    "QueryAttr": _query_attribute,
    "QueryAttrUnderCondition": _query_attribute_under_condition,
    "QueryRelation": _query_relation,
    "SelectBetween": _select,
    "SelectAmong": _select,
    "VerifyStr": _verify,
    "VerifyNum": _verify,
    "VerifyYear": _verify,
    "VerifyDate": _verify,
    "QueryAttrQualifier": _query_attribute_qualifier,
    "QueryRelationQualifier": _query_relation_qualifier,
    **EXTENSIONS,
}
