"""Whole programs: a branch or two, and the step that answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from compilers.kopl.functions import ARITHMETIC, FUNCTIONS, Function, Type, ValueType
from compilers.kopl.shapes import calculated_shape
from compilers.kopl.values import NO_UNIT
from nlq_gateway.drafts.generation.grammar.branches import BREAK, MOST_LEAVES, ROW_STEPS, Branches
from nlq_gateway.drafts.generation.grammar.calls import functions
from nlq_gateway.drafts.generation.grammar.expressions import Expression, Repeat, choice, optional, sequence
from nlq_gateway.drafts.generation.grammar.forks import Forks
from nlq_gateway.drafts.generation.grammar.vocabulary import COUNTS, ValueSort
from nlq_gateway.drafts.generation.grammar.writing import ProgramSubtree

_E, _V, _N, _R = Type.ENTITIES, Type.VALUES, Type.NUMBER, Type.ROWS
# A condition, an order and a cut; a table of one column needs no more.
_MOST_OF_ROWS = 3
_SCALED, _SUMMED = ("*", "/"), ("+", "-")
_TIMES = (ValueType.YEAR, ValueType.DATE)


@dataclass(frozen=True, slots=True)
class Programs:
    """Programs as one expression."""

    branches: Branches

    def all(self) -> Expression:
        """Every program of the grammar."""
        calls = self.branches.calls
        spans = [ProgramSubtree(1, leaves, calls.writing.numbered) for leaves in range(1, MOST_LEAVES + 1)]
        programs = [sequence(self._program(span), calls.writing.stop(span.last)) for span in spans]
        after_fork = sequence(self._after_set(spans[1]), calls.writing.stop(spans[1].last))
        return choice((*programs, Forks(self.branches, after_fork).all()))

    def _after_set(self, span: ProgramSubtree) -> Expression:
        """The continuations of the step that gives the set of a span."""
        branches, rules = self.branches, self.branches.calls.rules
        return rules.rule(
            f"after-{span.key}",
            lambda: sequence(branches.last_tail(span), self._ends_of_set(span.last)),
        )

    def _program(self, span: ProgramSubtree) -> Expression:
        calls = self.branches.calls
        return calls.rules.rule(f"program-{span.key}", lambda: choice(self._programs(span)))

    def _programs(self, span: ProgramSubtree) -> Iterator[Expression]:
        yield sequence(self.branches.begun(span), self._after_set(span))
        for left, right in span.splits():
            ends = self._ends_of_two(span.last, (left.last, right.last))
            yield sequence(self.branches.set(left), BREAK, self.branches.set(right), ends)
        yield from self._calculations(span)
        yield self._two_numbers(span)

    def _ends_of_set(self, held: int) -> Expression:
        calls, branches = self.branches.calls, self.branches
        ends = calls.any_of("end", functions((_E,), Type.NAMES, Type.VERDICT))

        def asked(sort: ValueSort) -> Expression:
            return branches.behind(branches.asking(sort), held)

        def make() -> Expression:
            counted = sequence(branches.behind(branches.counting(), held), self._verifying_count(held))
            ended = branches.behind(ends, held), counted, self._rows(held)
            return choice((*ended, *self._ends_of_values(held, asked)))

        return calls.rules.rule(f"ends-{held}", make)

    def _ends_of_two(self, held: int, fed: tuple[int, int]) -> Expression:
        calls, branches = self.branches.calls, self.branches
        ends = calls.any_of("end-of-two", functions((_E, _E), Type.NAMES, Type.RELATIONS))

        def line(call: Expression) -> Expression:
            return branches.line(call, held, fed)

        def asked(sort: ValueSort) -> Expression:
            return line(branches.asking_two(sort))

        name = f"ends-of-two-{held}-{'-'.join(map(str, fed))}"
        return calls.rules.rule(name, lambda: choice((line(ends), *self._ends_of_values(held, asked))))

    def _ends_of_values(self, held: int, asked: Callable[[ValueSort], Expression]) -> Iterator[Expression]:
        """The step that asks for values, and its continuations; `asked` gives that step by a sort."""
        calls, branches = self.branches.calls, self.branches
        everything = calls.vocabulary.everything
        yield asked(everything)
        for function, sort in self._verified():
            yield sequence(asked(sort), self._verifying(function, sort, held))
        counted = branches.behind(branches.counting_values(), held)
        yield sequence(asked(everything), counted, self._verifying_count(held))
        for sort in branches.quantities():
            number = branches.behind(branches.aggregating(sort), held)
            yield sequence(asked(sort), number, self._verifying(FUNCTIONS["VerifyNum"], sort, held))
        for sort in branches.comparable():
            yield sequence(
                asked(sort),
                choice((branches.behind(branches.aggregating(sort), held), self._rows(held, sort))),
            )

    def _verified(self) -> Iterator[tuple[Function, ValueSort]]:
        """The functions that verify values, each with a sort of values that it takes."""
        for function in FUNCTIONS.values():
            if function.output != Type.VERDICT or not function.accepts(0, _V):
                continue
            value_type = function.parameters[0].value_type
            assert value_type is not None, "a Verify function fixes the type of its value"
            if value_type == ValueType.QUANTITY:
                yield from ((function, sort) for sort in self.branches.quantities())
            else:
                yield function, self.branches.calls.vocabulary.holding(value_type)

    def _verifying(self, function: Function, sort: ValueSort, held: int) -> Expression:
        calls = self.branches.calls
        call = calls.rules.rule(
            f"{function.name.lower()}-{sort.key}", lambda: calls.comparing(function, sort)
        )
        return self.branches.behind(call, held)

    def _verifying_count(self, held: int) -> Expression:
        """The step, or none, that compares a count with any number: "all" is none of the others."""
        calls = self.branches.calls
        number = {"value": calls.vocabulary.values.stated(NO_UNIT)}
        call = calls.rules.rule(
            "verify-count", lambda: calls.comparing(FUNCTIONS["VerifyNum"], COUNTS, number)
        )
        return optional(self.branches.behind(call, held))

    def _rows(self, held: int, sort: ValueSort | None = None) -> Expression:
        """A table of one column, of a set or of values of a sort, and the steps on its rows."""
        calls = self.branches.calls
        name = "set" if sort is None else sort.key
        plain = [calls.of(FUNCTIONS[name]) for name in ROW_STEPS]
        filtered = [] if sort is None else [calls.comparing(FUNCTIONS["FilterTable"], sort)]
        call = calls.rules.rule(f"row-step-{name}", lambda: choice((*plain, *filtered)))
        counted = self.branches.behind(calls.any_of("count-rows", functions((_R,), _N)), held)
        return calls.rules.rule(
            f"rows-{name}-{held}",
            lambda: sequence(
                self.branches.behind(self._table(), held),
                Repeat(self.branches.behind(call, held), 0, _MOST_OF_ROWS),
                optional(counted),
            ),
        )

    def _table(self) -> Expression:
        return self.branches.calls.of(FUNCTIONS["Table"])

    def _calculations(self, span: ProgramSubtree) -> Iterator[Expression]:
        """Two values or numbers calculated with each other: those of one shape, and any two quantities."""
        branches = self.branches
        for sort in branches.quantities():
            operand, operators = partial(branches.operand, sort), _operators(sort)
            yield self._calculated(span, operand, operand, operators)
            if sort.shapes:
                stated = partial(branches.stated, sort.shapes[0].unit)
                yield self._calculated(span, operand, stated, _SUMMED)
            yield self._calculated(span, operand, partial(branches.stated, NO_UNIT), _SCALED)
        for value_type in _TIMES:
            sort = branches.calls.vocabulary.typed(f"{value_type}s", (value_type,))
            # Days between aggregated dates cannot be counted (compilers.lowering.arithmetic).
            values = partial(branches.values, sort)
            call = branches.calls.operating(FUNCTIONS["Calculate"], _operators(sort))
            yield branches.joined(span, values, values, call)
        quantities = partial(branches.operand, branches.comparable()[-1])
        yield self._calculated(span, quantities, quantities, _SCALED)

    def _calculated(
        self,
        span: ProgramSubtree,
        first: Callable[[ProgramSubtree], Expression],
        second: Callable[[ProgramSubtree], Expression],
        operators: tuple[str, ...],
    ) -> Expression:
        """Two quantities, the result perhaps rounded."""
        call = self.branches.calls.operating(FUNCTIONS["Calculate"], operators)
        joined = self.branches.joined(span, first, second, call)
        return sequence(joined, self.branches.rounded(span.last))

    def _two_numbers(self, span: ProgramSubtree) -> Expression:
        """A table of two numbers side by side."""
        return self.branches.joined(span, self._number, self._number, self._table())

    def _number(self, span: ProgramSubtree) -> Expression:
        """An aggregate of any set or values."""
        branches = self.branches
        return branches.calls.rules.rule(
            f"number-any-{span.key}",
            lambda: choice(branches.number(sort, span) for sort in branches.comparable()),
        )


def _operators(sort: ValueSort) -> tuple[str, ...]:
    """The operators between two values of one shape."""
    shapes = sort.shapes
    return tuple(
        operator
        for operator in ARITHMETIC
        if shapes and all(calculated_shape(operator, shape, shape) for shape in shapes)
    )
