"""The reference interpreter: what a program means, over a small graph in memory.

Sets, not bags. A name stands for all that bear it, an unknown one for nothing; nothing in, nothing
out. The rules for values are those of `values.compare`, those for choosing and verifying of `decide`.
Functions after Cao et al., "KQA Pro" (2022), section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from compilers.kopl.check import require_valid
from compilers.kopl.decide import extremes, verdict
from compilers.kopl.functions import Function, Kind, Type
from compilers.kopl.graph import AttributeFact, Fact, Graph, RelationFact
from compilers.kopl.program import Program, Step
from compilers.kopl.values import Value, compare, parse_value, possible_values


@dataclass(frozen=True, slots=True)
class StepResult:
    """What one step gives. Fields that do not apply to `kind` are empty.

    `entities` are ids: of the set, or of those whose names are the answer. `facts` pairs each entity
    of a set of kind `facts` with the facts that brought it in. `answers` are the printed results,
    without duplicates, sorted.
    """

    kind: Type
    entities: frozenset[str] = frozenset()
    facts: frozenset[tuple[str, Fact]] = frozenset()
    values: tuple[Value, ...] = ()
    answers: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many entities a set has; of anything else, how many answers."""
        return len(self.entities) if self.kind in (Type.ENTITIES, Type.FACTS) else len(self.answers)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of the last step (`kind` is `entities` for both sorts of sets), and of every step."""

    kind: Type
    entities: frozenset[str]
    answers: tuple[str, ...]
    values: tuple[Value, ...]
    steps: tuple[StepResult, ...]


def interpret(program: Program, graph: Graph) -> Outcome:
    """Run a program over a graph; raises InvalidProgram when the checker finds errors in it."""
    require_valid(program)
    results: list[StepResult] = []
    for step in program.steps:
        call = _Call(graph, step.signature, step, tuple(results[index] for index in step.dependencies))
        results.append(MEANINGS[step.signature.name](call))
    last = results[-1]
    kind = Type.ENTITIES if last.kind == Type.FACTS else last.kind
    return Outcome(kind, last.entities, last.answers, last.values, tuple(results))


@dataclass(frozen=True, slots=True)
class _Call:
    """What a function works on: the graph, its row of the table, its step and what feeds it."""

    graph: Graph
    function: Function
    step: Step
    fed: tuple[StepResult, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        return self.step.inputs

    def entities(self, position: int = 0) -> frozenset[str]:
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
        return self._named(Type.ENTITIES, frozenset(entities))

    def names_of(self, entities: Iterable[str]) -> StepResult:
        return self._named(Type.NAMES, frozenset(entities))

    def facts_of(self, pairs: Iterable[tuple[str, Fact]]) -> StepResult:
        facts = frozenset(pairs)
        return self._named(Type.FACTS, frozenset(entity for entity, _ in facts), facts)

    def _named(
        self, kind: Type, entities: frozenset[str], facts: frozenset[tuple[str, Fact]] = frozenset()
    ) -> StepResult:
        return StepResult(kind, entities, facts, (), _sorted_texts(map(self.graph.name, entities)))


def _sorted_texts(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(texts)))


def _values(values: Iterable[Value]) -> StepResult:
    distinct = tuple(sorted(set(values), key=lambda value: (str(value), repr(value))))
    return StepResult(Type.VALUES, values=distinct, answers=_sorted_texts(map(str, distinct)))


def _qualifier_values(facts: Iterable[Fact], qualifier: str) -> StepResult:
    return _values(value for fact in facts for key, value in fact.qualifiers if key == qualifier)


def _find_all(call: _Call) -> StepResult:
    return call.set_of(call.graph.entities)


def _find(call: _Call) -> StepResult:
    return call.set_of(call.graph.nodes_by_name.get(call.arguments[0], ()))


def _filter_concept(call: _Call) -> StepResult:
    return call.set_of(call.entities() & call.graph.members.get(call.arguments[0], frozenset()))


def _filter(call: _Call) -> StepResult:
    comparison, target = call.test()
    return call.facts_of(
        (fact.entity, fact) for fact in call.attribute_facts() if compare(fact.value, comparison, target)
    )


def _filter_qualifier(call: _Call) -> StepResult:
    comparison, target = call.test()
    return call.facts_of(
        (entity, fact)
        for entity, fact in call.fed[0].facts
        if any(
            key == call.arguments[0] and compare(value, comparison, target) for key, value in fact.qualifiers
        )
    )


def _relate(call: _Call) -> StepResult:
    relation, direction = call.arguments
    facts = call.graph.by_relation.get(relation, frozenset())
    if direction == "forward":
        return call.facts_of((fact.target, fact) for fact in facts if fact.source in call.entities())
    return call.facts_of((fact.source, fact) for fact in facts if fact.target in call.entities())


def _and(call: _Call) -> StepResult:
    return call.set_of(call.entities(0) & call.entities(1))


def _or(call: _Call) -> StepResult:
    return call.set_of(call.entities(0) | call.entities(1))


def _what(call: _Call) -> StepResult:
    return call.names_of(call.entities())


def _count(call: _Call) -> StepResult:
    return StepResult(Type.NUMBER, answers=(str(len(call.entities())),))


def _query_attribute(call: _Call) -> StepResult:
    return _values(fact.value for fact in call.attribute_facts())


def _query_attribute_under_condition(call: _Call) -> StepResult:
    _, qualifier, text = call.arguments
    return _values(
        fact.value
        for fact in call.attribute_facts()
        if any(key == qualifier and _is_reading_of(value, text) for key, value in fact.qualifiers)
    )


def _query_attribute_qualifier(call: _Call) -> StepResult:
    _, text, qualifier = call.arguments
    return _qualifier_values(
        (fact for fact in call.attribute_facts() if _is_reading_of(fact.value, text)), qualifier
    )


def _is_reading_of(value: Value, text: str) -> bool:
    """Whether the value equals the text under the reading that has the value's own type."""
    return any(compare(value, "=", reading) for reading in possible_values(text))


def _between(call: _Call) -> Iterator[RelationFact]:
    return (
        fact
        for fact in call.graph.relations
        if fact.source in call.entities(0) and fact.target in call.entities(1)
    )


def _query_relation(call: _Call) -> StepResult:
    return StepResult(Type.RELATIONS, answers=_sorted_texts(fact.relation for fact in _between(call)))


def _query_relation_qualifier(call: _Call) -> StepResult:
    relation, qualifier = call.arguments
    return _qualifier_values((fact for fact in _between(call) if fact.relation == relation), qualifier)


def _select(call: _Call) -> StepResult:
    attribute, operator = call.arguments
    entities = frozenset[str]().union(*(result.entities for result in call.fed))
    facts = call.graph.by_attribute.get(attribute, frozenset())
    candidates = ((fact.entity, fact.value) for fact in facts if fact.entity in entities)
    return call.names_of(extremes(candidates, largest=operator in ("largest", "greater")))


def _verify(call: _Call) -> StepResult:
    comparison, target = call.test()
    values = call.fed[0].values
    return StepResult(Type.VERDICT, values=values, answers=(verdict(values, comparison, target).value,))


MEANINGS: dict[str, Callable[[_Call], StepResult]] = {
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
}
