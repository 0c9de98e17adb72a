"""Hypothesis strategies: small graphs, and valid programs over what is in them.

    graph = data.draw(graphs())
    program = data.draw(programs(graph))

Relations, attributes, qualifiers and concepts have plain names that do not overlap; names of entities
and texts are hostile unless `graphs(hostile=False)` asks for plain ones. An attribute holds values of
one type, where years and dates count as one. Arguments are mostly taken from facts about what a
program has found so far, so that most programs have an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from hypothesis import strategies as st

from compilers.kopl.functions import FUNCTIONS, Function, Kind, Parameter, Type, ValueType
from compilers.kopl.program import Program, Step
from compilers.kopl.values import Date, Quantity, String, Value, Year
from tests.oracle.graph import AttributeFact, Concept, Entity, Fact, Graph, Qualifiers, RelationFact
from tests.oracle.interpret import StepResult, interpret

PLAIN = ("Ada", "Bo", "Cyd", "Dee", "Eve", "Flo")
HOSTILE = (
    'say "hi"',
    "back\\slash",
    "a, b (c)",
    "Zoë 東京",
    "it's ?x {}",
    "line\nbreak",
    "two  blanks",
    "1960",
    "<http://example.org/a>",
    "# not a comment",
)
CONCEPTS = ("thing", "creature", "person", "place", "work")
RELATIONS = ("part of", "member of", "friend of")
ATTRIBUTES = {
    "code": ValueType.STRING,
    "motto": ValueType.STRING,
    "height": ValueType.QUANTITY,
    "population": ValueType.QUANTITY,
    "born": ValueType.DATE,
    "founded": ValueType.DATE,
}
QUALIFIERS = {"note": ValueType.STRING, "share": ValueType.QUANTITY, "start time": ValueType.DATE}
LONGEST = 8
BASIC = tuple(function for function in FUNCTIONS.values() if not function.extension)

_UNITS = ("1", "metre", "centimetre", "dollar")
_NUMBERS = (-3.5, 0.0, 1.0, 2.0, 150.0, 200.0, 1000000.0)
_TIMES: tuple[Value, ...] = (
    Year(1959),
    Year(1960),
    Year(1961),
    Date(1959, 12, 31),
    Date(1960, 1, 1),
    Date(1960, 2, 29),
    Date(1961, 1, 1),
)
_SETS = (Type.ENTITIES, Type.FACTS)
_TRIES = 6
_T = TypeVar("_T")


class Tape:
    """Decisions read off drawn bytes, one byte each; after the end always the first option.

    One draw of fixed size keeps Hypothesis from filling most examples with the simplest choices, and
    still shrinks, towards first options.
    """

    def __init__(self, decisions: bytes) -> None:
        self._decisions = iter(decisions)

    def number(self, least: int, most: int) -> int:
        return least + next(self._decisions, 0) % (most - least + 1)

    def choose(self, options: Sequence[_T]) -> _T:
        return options[self.number(0, len(options) - 1)]

    def some(self, options: Sequence[_T], most: int) -> tuple[_T, ...]:
        """Up to `most` of the options, each at most once."""
        chosen = [self.choose(options) for _ in range(self.number(0, most))] if options else []
        return tuple(dict.fromkeys(chosen))

    def usually(self) -> bool:
        return self.number(0, 5) < 5


@st.composite
def graphs(draw: st.DrawFn, *, hostile: bool = True) -> Graph:
    """Graphs of 2 to 6 entities, 2 to 8 attribute facts and 2 to 8 relation facts."""
    tape = Tape(draw(st.binary(min_size=200, max_size=200)))
    texts = PLAIN + HOSTILE if hostile else PLAIN
    concepts: dict[str, Concept] = {}
    for number, name in enumerate(CONCEPTS[: tape.number(1, len(CONCEPTS))], 1):
        concepts[f"C{number}"] = Concept(name, tape.some(sorted(concepts), 2))
    nodes = [f"Q{number}" for number in range(1, tape.number(2, 6) + 1)]
    return Graph(
        {node: Entity(tape.choose(texts), tape.some(sorted(concepts), 2)) for node in nodes},
        concepts,
        frozenset(_attribute_fact(tape, nodes, texts) for _ in range(tape.number(2, 8))),
        frozenset(
            RelationFact(
                tape.choose(nodes), tape.choose(RELATIONS), tape.choose(nodes), _qualifiers(tape, texts)
            )
            for _ in range(tape.number(2, 8))
        ),
    )


def _attribute_fact(tape: Tape, nodes: Sequence[str], texts: Sequence[str]) -> AttributeFact:
    attribute = tape.choose(sorted(ATTRIBUTES))
    value = _value(tape, ATTRIBUTES[attribute], texts)
    return AttributeFact(tape.choose(nodes), attribute, value, _qualifiers(tape, texts))


def _qualifiers(tape: Tape, texts: Sequence[str]) -> Qualifiers:
    keys = sorted(QUALIFIERS)
    chosen = [tape.choose(keys) for _ in range(tape.number(0, 2))]
    return frozenset((key, _value(tape, QUALIFIERS[key], texts)) for key in chosen)


def _value(tape: Tape, kind: ValueType, texts: Sequence[str]) -> Value:
    if kind == ValueType.STRING:
        return String(tape.choose(texts))
    if kind == ValueType.QUANTITY:
        return Quantity(tape.choose(_NUMBERS), tape.choose(_UNITS))
    return tape.choose(_TIMES)


@st.composite
def programs(draw: st.DrawFn, graph: Graph) -> Program:
    """Valid programs of 1 to 8 steps over all functions; about one in ten ends in a set."""
    tape, draft = Tape(draw(st.binary(min_size=100, max_size=100))), _Draft(graph)
    _add_set(tape, draft, tape.number(1, LONGEST - 1), frozenset(graph.entities))
    if tape.number(0, 9) < 9:
        _add_end(tape, draft)
    return Program(tuple(draft.steps))


class _Draft:
    """A program in the making, with the results of its steps so far."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.steps: list[Step] = []
        self.results: list[StepResult] = []

    def add(self, step: Step) -> None:
        self.results.append(self.run(step))
        self.steps.append(step)

    def run(self, step: Step) -> StepResult:
        """The output of `step` as the next one."""
        program = Program((*self.steps, step)).prefix(len(self.steps))
        return interpret(program, self.graph).steps[-1]

    @property
    def last(self) -> int:
        return len(self.steps) - 1

    @property
    def room(self) -> int:
        return LONGEST - len(self.steps)


def _add_set(tape: Tape, draft: _Draft, budget: int, aim: frozenset[str]) -> None:
    """Add a branch of at most `budget` steps that ends in a set, often beginning at one of `aim`."""
    ceiling = len(draft.steps) + budget
    _add_start(tape, draft, aim)
    while len(draft.steps) < ceiling and tape.number(0, 14) < 14:
        room = ceiling - len(draft.steps)
        sets = [f for f in BASIC if f.output in _SETS and 1 <= len(f.inputs) <= room]
        _add_step(tape, draft, sets, room)


def _add_end(tape: Tape, draft: _Draft) -> None:
    """Add what turns the set into an answer."""
    ends = [f for f in BASIC if f.output not in _SETS and len(f.inputs) <= draft.room]
    _add_step(tape, draft, ends, draft.room)
    if draft.results[-1].kind == Type.VALUES and draft.room and tape.number(0, 1):
        _add_step(tape, draft, [f for f in BASIC if f.inputs and f.accepts(0, Type.VALUES)], 1)


def _add_start(tape: Tape, draft: _Draft, aim: frozenset[str]) -> None:
    if tape.number(0, 1):
        draft.add(Step("FindAll"))
        return
    names = sorted({draft.graph.name(node) for node in aim}) if tape.usually() else []
    draft.add(Step("Find", (tape.choose(names or sorted({*draft.graph.nodes_by_name, "Nobody"})),)))


def _add_step(tape: Tape, draft: _Draft, functions: list[Function], room: int) -> None:
    """Add one of the functions that take the last step's result, usually one that finds something."""
    graph, result, first = draft.graph, draft.results[-1], draft.last
    everything = _everything(graph)
    possible = [f for f in functions if f.accepts(0, result.kind) and _arguments(f, everything)]
    guided = [f for f in possible if _arguments(f, _scope(graph, f, (result,)))]
    telling = [f for f in guided if f.parameters] if tape.number(0, 1) else []
    function = tape.choose(telling or (guided if tape.usually() else possible) or possible)
    fed = (first,) if len(function.inputs) == 1 else (first, _other_input(tape, draft, function, room - 1))
    scope = _scope(graph, function, tuple(draft.results[index] for index in fed))
    arguments = (_arguments(function, scope) if tape.usually() else []) or _arguments(function, everything)
    at = tape.number(0, len(arguments) - 1)
    tries = (arguments[at:] + arguments[:at])[: _TRIES if tape.usually() else 1]
    steps = [Step(function.name, inputs, fed) for inputs in tries]
    draft.add(next((step for step in steps if draft.run(step).answers), steps[0]))


def _other_input(tape: Tape, draft: _Draft, function: Function, budget: int) -> int:
    """The index of the other input: sometimes an earlier step, else the end of a branch added for it."""
    first, found = draft.last, draft.results[-1].entities
    earlier = [i for i, result in enumerate(draft.results[:first]) if result.kind in _SETS]
    if budget == 0 or (earlier and not tape.usually()):
        return tape.choose(earlier or [first])
    targets = frozenset(fact.target for fact in draft.graph.relations if fact.source in found)
    _add_set(tape, draft, min(budget, 3), targets if function.name.startswith("QueryRelation") else found)
    return draft.last


@dataclass(frozen=True, slots=True)
class _Scope:
    """The subjects of arguments: facts, each with the directions that lead on, concepts, and values."""

    facts: tuple[tuple[Fact, tuple[str, ...]], ...]
    concepts: tuple[str, ...]
    values: tuple[Value, ...]


def _everything(graph: Graph) -> _Scope:
    facts: tuple[Fact, ...] = (*graph.attributes, *graph.relations)
    return _Scope(
        tuple((fact, ("forward", "backward")) for fact in facts),
        tuple(concept.name for concept in graph.concepts.values()),
        tuple(fact.value for fact in graph.attributes),
    )


def _scope(graph: Graph, function: Function, fed: tuple[StepResult, ...]) -> _Scope:
    """The subjects of results that feed a call; a second input still to come excludes nothing."""
    found = fed[0].entities
    concepts = {above for node in found & graph.entities.keys() for above in graph.entities[node].concepts}
    names = tuple(graph.concepts[concept].name for concept in graph.with_ancestors(concepts))
    if function.inputs[0] == Type.FACTS:
        facts: Iterable[Fact] = (fact for _, fact in fed[0].facts)
    elif function.name.startswith("QueryRelation"):
        reached = fed[-1].entities if len(fed) == 2 else graph.entities.keys()
        facts = (fact for fact in graph.relations if fact.source in found and fact.target in reached)
    else:
        about = found.union(*(result.entities for result in fed))
        facts = (
            *(fact for fact in graph.attributes if fact.entity in about),
            *(fact for fact in graph.relations if {fact.source, fact.target} & about),
        )
    return _Scope(tuple((fact, _directions(fact, found)) for fact in facts), names, fed[0].values)


def _directions(fact: Fact, found: frozenset[str]) -> tuple[str, ...]:
    if isinstance(fact, AttributeFact):
        return ()
    return ("forward",) * (fact.source in found) + ("backward",) * (fact.target in found)


def _arguments(function: Function, scope: _Scope) -> list[tuple[str, ...]]:
    """All arguments that speak of something in the scope; for a function without any, the empty ones."""
    found = {
        choice
        for binding in _bindings(function, scope)
        for choice in product(*(_texts(parameter, binding) for parameter in function.parameters))
    }
    return sorted(found)


def _bindings(function: Function, scope: _Scope) -> Iterator[dict[Kind, tuple[str | Value, ...]]]:
    """Words of each kind that go together, because one fact has them."""
    kinds = {parameter.kind for parameter in function.parameters}
    if kinds.isdisjoint({Kind.ATTRIBUTE, Kind.RELATION, Kind.QUALIFIER}):
        yield {Kind.CONCEPT: scope.concepts, Kind.VALUE: scope.values}
        return
    on_qualifier = function.name.startswith("QFilter") or function.name == "QueryAttrUnderCondition"
    for fact, directions in scope.facts:
        binding: dict[Kind, tuple[str | Value, ...]] = {Kind.DIRECTION: directions}
        if isinstance(fact, AttributeFact):
            binding |= {Kind.ATTRIBUTE: (fact.attribute,), Kind.VALUE: (fact.value,)}
        else:
            binding[Kind.RELATION] = (fact.relation,)
        if Kind.QUALIFIER not in kinds:
            yield binding
            continue
        for qualifier, value in fact.qualifiers:
            yield binding | {Kind.QUALIFIER: (qualifier,)} | ({Kind.VALUE: (value,)} if on_qualifier else {})


def _texts(parameter: Parameter, binding: dict[Kind, tuple[str | Value, ...]]) -> tuple[str, ...]:
    if parameter.kind == Kind.OPERATOR:
        return parameter.choices
    words = binding.get(parameter.kind, ())
    return tuple(text for word in words for text in readings(word, parameter.value_type))


def readings(word: str | Value, wanted: ValueType | None) -> tuple[str, ...]:
    """The spelling of a word in place of a value of type `wanted`; None if it cannot stand there."""
    if wanted == ValueType.YEAR and isinstance(word, (Year, Date)):
        return (str(word.year),)
    if wanted == ValueType.DATE and isinstance(word, Year):
        return (str(Date(word.year, 1, 1)),)
    own = {ValueType.STRING: String, ValueType.QUANTITY: Quantity, ValueType.DATE: Date, ValueType.YEAR: Year}
    return (str(word),) if wanted is None or isinstance(word, own[wanted]) else ()
