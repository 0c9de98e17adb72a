"""Hypothesis strategy: valid programs of extensions and others, whose steps may feed several."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from compilers.kopl.check import check
from compilers.kopl.evaluation import StepResult
from compilers.kopl.functions import FUNCTIONS, Function, Kind, Parameter, Type
from compilers.kopl.graph import Graph
from compilers.kopl.interpret import interpret
from compilers.kopl.program import Program, Step
from compilers.kopl.values import Value
from tests.kopl.strategies import ATTRIBUTES, CONCEPTS, QUALIFIERS, RELATIONS, Tape

LONGEST = 10
WIDEST = 4
_TRIES = 4
_SETS = (Type.ENTITIES, Type.FACTS)
_INNER = (*_SETS, Type.VALUES, Type.NUMBER, Type.ROWS)
_ENDS = (Type.NAMES, Type.RELATIONS, Type.VERDICT)


@st.composite
def extended_programs(draw: st.DrawFn, graph: Graph) -> Program:
    """Valid programs of up to 10 steps; the last step and all that feeds it are kept."""
    # Seeded: drawn bytes of this length are mostly alike, and programs would be too.
    tape = Tape(Random(draw(st.integers(0, 2**64))).randbytes(600))
    draft = _Draft(graph)
    for _ in range(tape.number(4, LONGEST - 1)):
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
        outcomes = [(p, interpret(p.prefix(len(p) - 1), self.graph).steps[-1]) for p in candidates]
        if outcomes:
            telling = [pair for pair in outcomes if pair[1].count]
            program, result = (telling or outcomes)[0]
            self.program, self.results = program, (*self.results, result)

    def _candidate(self, tape: Tape, kinds: tuple[Type, ...]) -> Program | None:
        """The program with one more step at random, or None where that is not valid."""
        possible = [f for f in FUNCTIONS.values() if f.output in kinds and self._can_feed(f)]
        if not possible:
            return None
        kind = tape.choose(sorted({function.output for function in possible}))
        function = tape.choose([f for f in possible if f.output == kind])
        fed = self._inputs(function, tape)
        inputs = tuple(self._text(parameter, function, fed, tape) for parameter in function.parameters)
        program = Program((*self.program.steps, Step(function.name, inputs, fed)))
        last = program.prefix(len(program) - 1)
        return program if not any(issue.severity == "error" for issue in check(last)) else None

    def _fitting(self, function: Function, position: int) -> list[int]:
        """The earlier steps that may feed an input."""
        steps = enumerate(self.program.steps)
        return [index for index, step in steps if function.accepts(position, step.signature.output)]

    def _can_feed(self, function: Function) -> bool:
        return all(self._fitting(function, position) for position in range(len(function.inputs)))

    def _inputs(self, function: Function, tape: Tape) -> tuple[int, ...]:
        """Earlier steps that feed the function, late ones more often than early ones."""
        number = tape.number(1, WIDEST) if function.variadic else len(function.inputs)
        chosen: list[int] = []
        for position in range(number):
            fitting = self._fitting(function, position)
            chosen.append(tape.choose(fitting[-3:] if tape.usually() else fitting))
        return tuple(dict.fromkeys(chosen)) if function.variadic else tuple(chosen)

    def _text(self, parameter: Parameter, function: Function, fed: tuple[int, ...], tape: Tape) -> str:
        if parameter.choices:
            return tape.choose(parameter.choices)
        match parameter.kind:
            case Kind.NUMBER:
                return str(tape.number(1, 3))
            case Kind.ENTITY:
                return tape.choose(sorted(self.graph.nodes_by_name))
            case Kind.CONCEPT:
                return tape.choose(sorted({c.name for c in self.graph.concepts.values()}) or CONCEPTS)
            case Kind.RELATION:
                return tape.choose(sorted({f.relation for f in self.graph.relations}) or RELATIONS)
            case Kind.ATTRIBUTE:
                return tape.choose(sorted({f.attribute for f in self.graph.attributes}) or sorted(ATTRIBUTES))
            case Kind.QUALIFIER:
                return tape.choose(sorted(QUALIFIERS))
            case _:
                return self._value(function, fed, tape)

    def _value(self, function: Function, fed: tuple[int, ...], tape: Tape) -> str:
        """A value from the table that is filtered, or any of the graph."""
        held: list[str] = []
        if function.name == "FilterTable":
            rows = self.results[fed[0]].rows
            held = sorted({str(cell) for row in rows for cell in row if isinstance(cell, Value)})
        values = held or sorted({str(fact.value) for fact in self.graph.attributes})
        return tape.choose(values)

    def finished(self) -> Program:
        """The program that ends at the step that most others feed, with a name for a set."""
        program = self.program.prefix(
            max(range(len(self.program)), key=lambda i: (len(self.program.ancestors(i)), i))
        )
        if program.steps[-1].signature.output in _SETS:
            return Program((*program.steps, Step("What", (), (len(program) - 1,))))
        return program


def cuts_ties(program: Program) -> bool:
    """Whether a table is cut: which of the rows that tie at the cut stay is not said."""
    return any(step.function == "LimitTable" for step in program.steps)
