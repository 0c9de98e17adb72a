"""Branches of programs that give a set, values or a number, by the number of calls that begin them.

A program is written branch by branch, each step right behind its inputs, so that inference finds the
dependencies (compilers.kopl.notations.calls.inferred_dependencies). The longest program that the lengths here
allow stays within the checker's limit of 40 steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from compilers.kopl.functions import FUNCTIONS, Type, ValueType
from compilers.kopl.shapes import NUMBER
from nlq_gateway.drafts.generation.grammar.calls import Calls, functions
from nlq_gateway.drafts.generation.grammar.expressions import NOTHING, Expression, choice, optional, sequence
from nlq_gateway.drafts.generation.grammar.vocabulary import ValueSort
from nlq_gateway.drafts.generation.grammar.writing import ProgramSubtree

# KQA Pro's programs have at most four branches. The number of steps that may follow a set of so many
# branches, in a branch that is joined with others and in the last one: none of KQA Pro's exceeds it. If True,
# one of them may take places in an order: a query states the steps before it three times, and large ones are
# refused (compilers.lowering.work).
MOST_LEAVES = 4
_IN_BRANCH = {1: (3, True), 2: (2, False), 3: (2, False)}
_AT_LAST = {1: (6, True), 2: (5, True), 3: (3, False), 4: (2, False)}
_PLACES = ("SelectTop", "SelectNth", "SelectPlaces", "SelectShare")
# The most branches of sets whose values or numbers are compared with others.
_MOST_COMPARED = 2
_E, _F, _V, _N = Type.ENTITIES, Type.FACTS, Type.VALUES, Type.NUMBER
_TIMES = (ValueType.YEAR, ValueType.DATE)
# The aggregates, by the types that they take.
TAKEN_OF = {
    "Sum": frozenset({ValueType.QUANTITY}),
    "Average": frozenset({ValueType.QUANTITY}),
    "Minimum": frozenset({ValueType.QUANTITY, *_TIMES}),
    "Maximum": frozenset({ValueType.QUANTITY, *_TIMES}),
}
# The steps that work on rows of any content.
ROW_STEPS = ("SortTable", "LimitTable", "SkipTable", "DistinctTable")
BREAK = "\n"


@dataclass(frozen=True, slots=True)
class Branches:
    """Branches as rules; their names end in the span's key."""

    calls: Calls

    def set(self, span: ProgramSubtree) -> Expression:
        """An expression for a set of entities."""
        return self.calls.rules.rule(
            f"set-{span.key}",
            lambda: sequence(self.begun(span), self._tail(span.last, *_IN_BRANCH[span.leaves])),
        )

    def last_tail(self, span: ProgramSubtree) -> Expression:
        """The steps that follow a set which is joined with no other."""
        return self._tail(span.last, *_AT_LAST[span.leaves])

    def begun(self, span: ProgramSubtree) -> Expression:
        """The first step of a branch, or the one that joins two."""
        make = self._start if span.leaves == 1 else self._joined_sets
        return self.calls.rules.rule(f"begin-{span.key}", lambda: make(span))

    def _start(self, span: ProgramSubtree) -> Expression:
        call = self.calls.any_of("start", functions((), _E))
        writing, held = self.calls.writing, span.last
        return sequence(writing.start(held), writing.head(held), call, writing.foot((held,)))

    def _joined_sets(self, span: ProgramSubtree) -> Expression:
        joined = [self.joined(span, self.set, self.set, self.calls.any_of("join", functions((_E, _E), _E)))]
        compare = self.calls.of(FUNCTIONS["FilterCompare"])
        joined += [
            self.joined(span, partial(self.values, sort), partial(self.operand, sort), compare)
            for sort in self.comparable()
        ]
        return choice(joined)

    def _tail(self, held: int, most: int, places: bool) -> Expression:
        """Up to so many steps that lead from set to set."""
        if most == 0:
            return sequence()
        name = f"after-set{'-places' if places else ''}-{held}-{most}"
        return self.calls.rules.rule(name, lambda: optional(choice(self._steps(held, most, places))))

    def _steps(self, held: int, most: int, places: bool) -> Iterator[Expression]:
        """The possible next steps, each with its continuations."""
        yield sequence(self.behind(self.narrowing(), held), self._tail(held, most - 1, places))
        yield sequence(self.behind(self.finding(), held), self._tail_of_facts(held, most - 1, places))
        if places:
            place = self.calls.any_of("place-step", (FUNCTIONS[name] for name in _PLACES))
            yield sequence(self.behind(place, held), self._tail(held, most - 1, places=False))

    def narrowing(self) -> Expression:
        """The call that leads from a set to another, without those for places in an order."""
        narrowed = (function for function in functions((_E,), _E) if function.name not in _PLACES)
        return self.calls.any_of("entity-step", narrowed)

    def finding(self) -> Expression:
        """The call that leads from a set to facts, which may have qualifiers."""
        return self.calls.any_of("fact-step", functions((_E,), _F))

    def _tail_of_facts(self, held: int, most: int, places: bool) -> Expression:
        """Return `_tail` after a step that gives facts, with up to two qualifier filters first."""
        if most == 0:
            return sequence()
        name = f"after-facts{'-places' if places else ''}-{held}-{most}"
        ask = self.behind(self.calls.any_of("qualifier-step", functions((_F,), _F)), held)
        asked = [
            sequence(*(ask,) * times, self._tail(held, most - times, places))
            for times in (2, 1, 0)
            if times <= most
        ]
        return self.calls.rules.rule(name, lambda: choice(asked))

    def values(self, sort: ValueSort, span: ProgramSubtree) -> Expression:
        """An expression for values of a sort, to be compared with others."""
        if span.leaves > _MOST_COMPARED:
            return NOTHING
        call = self.asking_two(sort)
        return self.calls.rules.rule(
            f"values-{sort.key}-{span.key}",
            lambda: choice(
                (
                    sequence(self.set(span), self.behind(self.asking(sort), span.last)),
                    self.joined(span, self.set, self.set, call),
                )
            ),
        )

    def asking(self, sort: ValueSort) -> Expression:
        """The call that takes a set and gives values of a sort."""
        return self.calls.asking("ask", functions((_E,), _V), sort)

    def asking_times(self) -> Expression:
        """The call that takes a set and gives years and dates."""
        return self.asking(self.calls.vocabulary.typed("times", _TIMES))

    def asking_two(self, sort: ValueSort) -> Expression:
        """The call that takes two sets and gives values of a sort."""
        return self.calls.asking("ask-two", functions((_E, _E), _V), sort)

    def operand(self, sort: ValueSort, span: ProgramSubtree) -> Expression:
        """An expression for values of a sort, or for a number in its shape: their aggregate, or a count."""
        return self.calls.rules.rule(
            f"operand-{sort.key}-{span.key}",
            lambda: choice((self.values(sort, span), self.number(sort, span))),
        )

    def stated(self, unit: str, span: ProgramSubtree) -> Expression:
        """A stated number in a unit; a branch of its own."""
        if span.leaves > 1:
            return NOTHING
        writing, held = self.calls.writing, span.last
        number = self.calls.vocabulary.values.stated(unit)
        call = self.calls.rules.numbered("stated", unit, lambda: writing.call("Number", number))
        return sequence(writing.start(held), writing.head(held), call, writing.foot((held,)))

    def rounded(self, held: int) -> Expression:
        """The step, or none, that rounds quantities."""
        return optional(self.behind(self.calls.of(FUNCTIONS["Round"]), held))

    def number(self, sort: ValueSort, span: ProgramSubtree) -> Expression:
        """An expression for a number in the shape of a sort."""
        return self.calls.rules.rule(
            f"number-{sort.key}-{span.key}", lambda: choice(self._numbers(sort, span))
        )

    def _numbers(self, sort: ValueSort, span: ProgramSubtree) -> Iterator[Expression]:
        yield sequence(self.values(sort, span), self.behind(self.aggregating(sort), span.last))
        if NUMBER in sort.shapes and span.leaves <= _MOST_COMPARED:
            everything = self.calls.vocabulary.everything
            yield sequence(self.set(span), self.behind(self.counting(), span.last))
            yield sequence(self.values(everything, span), self.behind(self.counting_values(), span.last))

    def counting(self) -> Expression:
        """The call that takes a set to a number."""
        return self.calls.any_of("count", functions((_E,), _N))

    def counting_values(self) -> Expression:
        """The call that takes any values to a number."""
        return self.calls.any_of("count-values", (f for f in functions((_V,), _N) if f.name not in TAKEN_OF))

    def aggregating(self, sort: ValueSort) -> Expression:
        """The call that takes values of a sort to a number in their shape."""
        fitting = [name for name, types in TAKEN_OF.items() if sort.types and sort.types <= types]
        name = "-".join(("aggregate", *map(str.lower, fitting)))
        return self.calls.any_of(name, (FUNCTIONS[name] for name in fitting))

    def comparable(self) -> tuple[ValueSort, ...]:
        """The sorts of values that compare: texts, times, and quantities, counts among them."""
        vocabulary = self.calls.vocabulary
        quantities = (shape for one in self.quantities() for shape in one.shapes)
        return (
            vocabulary.typed("texts", (ValueType.STRING,)),
            vocabulary.typed("times", _TIMES),
            vocabulary.shaped("quantities", quantities),
        )

    def quantities(self) -> Iterator[ValueSort]:
        """The quantities of each unit, those without a unit first, as counts are."""
        vocabulary = self.calls.vocabulary
        shapes = (shape for shape in vocabulary.everything.shapes if shape.type == ValueType.QUANTITY)
        for number, shape in enumerate(dict.fromkeys((NUMBER, *shapes))):
            yield vocabulary.shaped(f"quantities-{number}", (shape,))

    def joined(
        self,
        span: ProgramSubtree,
        first: Callable[[ProgramSubtree], Expression],
        second: Callable[[ProgramSubtree], Expression],
        call: Expression,
    ) -> Expression:
        """Two branches and the step that joins them, for all splits of the span."""
        return choice(
            sequence(first(left), BREAK, second(right), self.line(call, span.last, (left.last, right.last)))
            for left, right in span.splits()
        )

    def behind(self, call: Expression, held: int) -> Expression:
        """The line of a step, behind another, that continues an expression."""
        return self.line(call, held, (held,))

    def line(self, call: Expression, target: int, fed: tuple[int, ...]) -> Expression:
        """A line, behind another, that makes an expression of others."""
        writing = self.calls.writing
        head = self.calls.rules.rule(f"line-{target}", lambda: sequence(BREAK, writing.head(target)))
        return sequence(head, call, writing.foot(fed))
