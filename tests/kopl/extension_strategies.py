"""Hypothesis strategy: valid programs of extensions and others, whose steps may feed several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from compilers.kopl.check import check
from compilers.kopl.functions import CALCULATING, FUNCTIONS, Function, Kind, Parameter, Type
from compilers.kopl.program import Program, Step
from compilers.kopl.tables import operands_of
from compilers.kopl.values import String, Value
from tests.kopl.strategies import CONCEPTS, QUALIFIERS, Tape, readings
from tests.oracle.evaluation import StepResult
from tests.oracle.graph import Graph
from tests.oracle.interpret import interpret

LONGEST = 12
WIDEST = 4
_TRIES = 6
_DECIMAL = re.compile(r"-?\d+\.\d+")
_SETS = (Type.ENTITIES, Type.FACTS)
_INNER = (*_SETS, Type.VALUES, Type.NUMBER, Type.ROWS)
CONTAINING = ("FilterContains", "FilterNameContains")
_ENDS = (Type.NAMES, Type.RELATIONS, Type.VERDICT)
# How much more often a function is taken than another that could stand in the same place.
_WEIGHTS = {
    "Relate": 6,
    "FilterContains": 3,
    "RelateTransitive": 3,
    "QueryAttr": 10,
    "Sum": 2,
    "Average": 3,
    "Minimum": 2,
    "Maximum": 2,
    "Calculate": 5,
    "Number": 2,
    "Round": 4,
    "Period": 3,
    "FilterCompare": 4,
    "FilterAggregate": 4,
    "SelectPlaces": 2,
    "SelectShare": 2,
    "SkipTable": 2,
    "Exists": 3,
    "Table": 6,
    "OptionalTable": 8,
    "FilterTable": 16,
    "SortTable": 3,
    "DropColumn": 3,
    "AndTable": 1,
    "OrTable": 1,
    "ExceptTable": 6,
}
# Why such a program may not compile, in words of the message (docs/extensions.md).
REFUSALS = (
    "does not take values of type",
    "cannot be calculated",
    "would state its steps more than",
    "days between aggregated dates cannot be counted",
    "do not compare by",
    "the first values of FilterCompare belong to no set",
    "the tables' columns are of different kinds",
    "rows are compared by a column that may be empty",
    "has no relations of any depth",
    "is taken only once they are counted",
    "the query would state its steps more than",
)

# What cuts a table, with the arguments by which it leaves nothing out.
_CUTS = {"LimitTable": ("9999",), "SkipTable": ("0",)}
_NUMBER_OF: dict[str, Callable[[Tape], str]] = {
    "decimals": lambda tape: str(tape.number(0, 3)),
    "percent": lambda tape: tape.choose(("10", "34", "50", "67", "100")),
}
_NUMBERS = ("2", "100", "0.5", "1.25", "0", "-3")


@st.composite
def extended_programs(draw: st.DrawFn, graph: Graph) -> Program:
    """Valid programs of up to 13 steps; the last step and all that feeds it are kept."""
    # Seeded: drawn bytes of this length are mostly alike, and programs would be too.
    tape = Tape(Random(draw(st.integers(0, 2**64))).randbytes(3000))
    draft = _Draft(graph)
    for _ in range(tape.number(6, LONGEST - 1)):
        draft.grow(tape, _INNER)
    if tape.number(0, 2) == 0:
        draft.grow(tape, _ENDS)
    return draft.finished()


class _Draft:
    """Steps in the making, with what they give."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.program = Program(())
        self.results: tuple[StepResult, ...] = ()

    def grow(self, tape: Tape, kinds: tuple[Type, ...]) -> None:
        """Add one step that is valid; of some tries one that gives something is preferred."""
        candidates = [p for _ in range(_TRIES) if (p := self._candidate(tape, kinds)) is not None]
        outcomes = ((p, interpret(p.prefix(len(p) - 1), self.graph).steps[-1]) for p in candidates)
        first = next(outcomes, None)
        if first is not None:
            telling = first if first[1].count else next((pair for pair in outcomes if pair[1].count), first)
            self.program, self.results = telling[0], (*self.results, telling[1])

    def _candidate(self, tape: Tape, kinds: tuple[Type, ...]) -> Program | None:
        """The program with one more step at random, or None where that is not valid."""
        possible = [f for f in FUNCTIONS.values() if f.output in kinds and self._can_feed(f)]
        if not possible:
            return None
        function = tape.choose([f for f in possible for _ in range(_WEIGHTS.get(f.name, 1))])
        fed = self._inputs(function, tape)
        if function.name in CALCULATING and not self._is_worth_calculating(fed):
            return None
        inputs = tuple(self._text(parameter, function, fed, tape) for parameter in function.parameters)
        program = Program((*self.program.steps, Step(function.name, inputs, fed)))
        last = program.prefix(len(program) - 1)
        return program if not any(issue.severity == "error" for issue in check(last)) else None

    def _is_worth_calculating(self, fed: tuple[int, ...]) -> bool:
        """True if numbers are not only stated, and none is a result of results: these outgrow all digits."""
        operands = {one for step in fed for one in operands_of(self.program, step)}
        calculated = [step for step in fed if self.program.steps[step].function in CALCULATING]
        chained = {d for step in calculated for d in self.program.steps[step].dependencies}
        return any(self.program.steps[one].function != "Number" for one in operands) and not any(
            self.program.steps[step].function in CALCULATING for step in chained
        )

    def _fitting(self, function: Function, position: int) -> list[int]:
        """The earlier steps that may feed an input."""
        steps = enumerate(self.program.steps)
        return [index for index, step in steps if function.accepts(position, step.signature.output)]

    def _can_feed(self, function: Function) -> bool:
        """True if earlier steps can feed the function, and the graph has what it names."""
        named = {
            Kind.RELATION: self.graph.by_relation,
            Kind.ATTRIBUTE: self.graph.attributes,
            Kind.ENTITY: self.graph.nodes_by_name,
        }
        has_names = all(named.get(parameter.kind, True) for parameter in function.parameters)
        return has_names and all(
            self._fitting(function, position) for position in range(len(function.inputs))
        )

    def _inputs(self, function: Function, tape: Tape) -> tuple[int, ...]:
        """Earlier steps that feed the function, late ones and such that feed no other more often."""
        fed = {source for step in self.program.steps for source in step.dependencies}
        number = tape.number(1, WIDEST) if function.variadic else len(function.inputs)
        chosen: list[int] = []
        for position in range(number):
            fitting = self._fitting(function, position)
            ends = [index for index in fitting if index not in fed and index not in chosen]
            near = ends if ends and tape.number(0, 1) else fitting
            chosen.append(tape.choose(near[-4:] if tape.usually() else fitting))
        return tuple(dict.fromkeys(chosen)) if function.variadic else tuple(chosen)

    def _text(self, parameter: Parameter, function: Function, fed: tuple[int, ...], tape: Tape) -> str:
        if parameter.choices:
            return tape.choose(parameter.choices)
        match parameter.kind:
            case Kind.NUMBER if function.name in _CUTS and tape.number(0, 3) == 0:
                return tape.choose(("10 %", "34%", "50 %", "100 %"))
            case Kind.NUMBER:
                return _NUMBER_OF.get(parameter.name, lambda tape: str(tape.number(1, 3)))(tape)
            case Kind.ENTITY:
                return tape.choose(sorted(self.graph.nodes_by_name))
            case Kind.CONCEPT:
                return tape.choose(sorted({c.name for c in self.graph.concepts.values()}) or CONCEPTS)
            case Kind.RELATION:
                return tape.choose(self._relations(fed) or sorted(self.graph.by_relation))
            case Kind.ATTRIBUTE:
                return tape.choose(
                    self._attributes(fed) or sorted({f.attribute for f in self.graph.attributes})
                )
            case Kind.QUALIFIER:
                return tape.choose(sorted(QUALIFIERS))
            case _:
                return self._value(parameter, function, fed, tape)

    def _found(self, fed: tuple[int, ...]) -> set[str]:
        return {entity for step in fed for entity in self.results[step].entities}

    def _relations(self, fed: tuple[int, ...]) -> list[str]:
        """The relations that what feeds a step takes part in."""
        found = self._found(fed)
        return sorted({f.relation for f in self.graph.relations if {f.source, f.target} & found})

    def _attributes(self, fed: tuple[int, ...]) -> list[str]:
        """The attributes of what feeds a step."""
        found = self._found(fed)
        return sorted({fact.attribute for fact in self.graph.attributes if fact.entity in found})

    def _value(self, parameter: Parameter, function: Function, fed: tuple[int, ...], tape: Tape) -> str:
        """A value from the table that is filtered, or any of the graph that has the parameter's type."""
        held: list[Value] = []
        if function.name == "FilterTable":
            rows = self.results[fed[0]].rows
            held = [cell for row in rows for cell in row if isinstance(cell, Value)]
        if function.name == "Number" and tape.usually():
            return tape.choose(_NUMBERS)
        if function.name == "FilterNameContains":
            held = [String(self.graph.name(entity)) for entity in self._found(fed)]
        values = held or [fact.value for fact in self.graph.attributes]
        texts = {text for value in values for text in readings(value, parameter.value_type)}
        text = tape.choose(sorted(texts) or ["1"])
        return _part(text, tape) if function.name in CONTAINING else text

    def finished(self) -> Program:
        """The program that ends at the step that most others feed, with a name for a set."""
        program = self.program.prefix(
            max(range(len(self.program)), key=lambda i: (len(self.program.ancestors(i)), i))
        )
        if program.steps[-1].signature.output in _SETS:
            return Program((*program.steps, Step("What", (), (len(program) - 1,))))
        return program


def _part(text: str, tape: Tape) -> str:
    """Some letters of a text that stand together, the capitals and the others exchanged or not."""
    first = tape.number(0, len(text) - 1)
    part = text[first : first + tape.number(1, 4)]
    return part.swapcase() if tape.number(0, 1) else part


def cutting(program: Program, results: Sequence[StepResult]) -> list[int]:
    """The steps at which a table loses rows: which of the rows that tie there stay is not said."""
    return [
        index
        for index, step in enumerate(program.steps)
        if step.function in _CUTS and len(results[index].rows) < len(results[step.dependencies[0]].rows)
    ]


def agreed(program: Program, answers: Iterable[str]) -> Counter[str]:
    """The answers, of numbers that are calculated from calculated ones ten digits.

    The interpreter keeps twelve digits of each result, a store all that a double has.
    """
    calculated = [step for step in program.steps if step.function in CALCULATING]
    if not any(program.steps[d].function in CALCULATING for s in calculated for d in s.dependencies):
        return Counter(answers)
    return Counter(_DECIMAL.sub(lambda found: f"{float(found[0]):.10g}", text) for text in answers)


def without_cuts(program: Program) -> Program:
    """The program whose tables are never cut; Virtuoso sorts no more than 10,000 rows under a limit."""
    return Program(tuple(replace(s, inputs=_CUTS.get(s.function, s.inputs)) for s in program.steps))


def only_shows(program: Program, step: int) -> bool:
    """True if the steps after one, if any, only sort, cut and show its rows."""
    later = [i for i in range(step + 1, len(program)) if step in program.ancestors(i)]
    return all(program.steps[i].function in ("SortTable", *_CUTS, "DropColumn") for i in later)
