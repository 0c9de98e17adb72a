"""Programs in which a set feeds several steps: related members or values are counted, measured, or shown.

The inputs of the step that joins the branches are written out, so that the steps up to it are numbered here:

    Step 1: FindAll()
    Step 2: FilterConcept(person)
    Step 3: Relate(directed by, backward)
    Step 4: FilterCount(3, >) <- 2, 3
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from compilers.kopl.functions import FUNCTIONS, RELATING, Type
from compilers.kopl.tables import COLUMNWISE
from nlq_gateway.drafts.generation.grammar.branches import BREAK, ROW_STEPS, TAKEN_OF, Branches
from nlq_gateway.drafts.generation.grammar.calls import functions
from nlq_gateway.drafts.generation.grammar.expressions import Expression, Repeat, choice, optional, sequence
from nlq_gateway.drafts.generation.grammar.vocabulary import COUNTS, ValueSort
from nlq_gateway.drafts.generation.grammar.writing import Held

# The most steps that make the set, that follow it before values are read, and that work on a table's rows;
# the most columns of a table beside the set.
_MOST_OF_SET = 4
_MOST_ONWARD = 2
_MOST_OF_ROWS = 3
_MOST_COLUMNS = 3
Lines = tuple[Expression, Held]


@dataclass(frozen=True, slots=True)
class Forks:
    """Programs that fork; `after_set` has the continuations of a set of two branches, to the end."""

    branches: Branches
    after_set: Expression

    def all(self) -> Expression:
        """Every such program."""
        start, first = self.branches.calls.any_of("start", functions((), Type.ENTITIES)), Held(1, 1)
        writing = self.branches.calls.writing
        line = sequence(writing.head_at(first), start, writing.foot_at((first,), True))
        return sequence(writing.start(1), line, self._from_set(first))

    def _from_set(self, fork: Held) -> Expression:
        """The continuations of the last step so far of the set."""

        def options() -> Iterator[Expression]:
            yield self._rule("kept", (fork,), lambda: self._kept(fork))
            yield self._columns(fork, ())
            if fork.step < _MOST_OF_SET:
                longer = Held(fork.step + 1, fork.expression)
                yield sequence(self._line(self._lead(), longer, (fork,)), self._from_set(longer))

        return self.branches.calls.rules.rule(f"fork-{fork.step}", lambda: choice(options()))

    def _kept(self, fork: Held) -> Iterator[Expression]:
        """The programs that filter the members by a count, or by values, related to them."""
        count = self.branches.calls.of(FUNCTIONS["FilterCount"])
        top = self.branches.calls.of(FUNCTIONS["SelectTopBy"])
        for lines, end in self._onward(fork, _MOST_ONWARD):
            if end != fork:
                yield sequence(lines, self._joined(count, fork, end))
            held = Held(end.step + 1, 2)
            for sort, join in ((self.branches.calls.vocabulary.everything, top), *self._measures()):
                asked = self._line(self.branches.asking(sort), held, (end,))
                yield sequence(lines, asked, self._joined(join, fork, held))

    def _joined(self, call: Expression, fork: Held, end: Held) -> Expression:
        """The line that joins the set with a step reached from it, and the continuations."""
        line = self._line(call, Held(end.step + 1, 3), (fork, end), inferred=False)
        return sequence(line, self.after_set)

    def _measures(self) -> Iterator[tuple[ValueSort, Expression]]:
        """Sorts of values with the FilterAggregate for each."""
        calls = self.branches.calls
        for sort in self._measured():
            fitting = (name.lower() for name, types in TAKEN_OF.items() if sort.types and sort.types <= types)
            known = {"aggregate": calls.one_of(fitting)}
            call = calls.comparing(FUNCTIONS["FilterAggregate"], sort, known)
            yield sort, calls.rules.rule(f"filteraggregate-{sort.key}", partial(choice, (call,)))

    def _measured(self) -> tuple[ValueSort, ...]:
        """The sorts of values that have aggregates."""
        return self.branches.comparable()[1:]

    def _onward(self, fork: Held, most: int) -> Iterator[Lines]:
        """Up to `most` steps that follow the set, each with its end; no step leaves the set itself."""
        lines, end = sequence(), fork
        yield lines, end
        for step in range(fork.step + 1, fork.step + most + 1):
            call = self._relate() if end == fork else self._lead()
            lines = sequence(lines, self._line(call, Held(step, 2), (end,)))
            end = Held(step, 2)
            yield lines, end

    def _columns(self, fork: Held, columns: tuple[Held, ...]) -> Expression:
        """One more column of a table beside the set, or the table of the columns so far."""

        def options() -> Iterator[Expression]:
            if columns:
                yield from self._tables(fork, columns)
            if len(columns) < _MOST_COLUMNS:
                for lines, end in self._column(fork, columns):
                    yield sequence(lines, self._columns(fork, (*columns, end)))
                yield from self._numbers(fork, columns)

        return self._rule("columns", (fork, *columns), options)

    def _column(self, fork: Held, columns: tuple[Held, ...]) -> Iterator[Lines]:
        """Members reached from a set, or values of it; as the first column also values of members reached."""
        ask = self.branches.asking(self.branches.calls.vocabulary.everything)
        end = self._next(fork, columns)
        either = choice((self._relate(), ask))
        yield self._line(either, end, (fork,), inferred=not columns), end
        if not columns:
            further = Held(end.step + 1, end.expression)
            related = self._line(self._relate(), end, (fork,))
            yield sequence(related, self._line(ask, further, (end,))), further
            times = self._line(self.branches.asking_times(), end, (fork,))
            period = self.branches.calls.of(FUNCTIONS["Period"])
            yield sequence(times, self._line(period, further, (end,))), further

    def _numbers(self, fork: Held, columns: tuple[Held, ...]) -> Iterator[Expression]:
        """A number as the last column, and the table with it; a count may be compared with another."""
        inferred = not columns
        first = self._next(fork, columns)
        second = Held(first.step + 1, first.expression)
        third = Held(first.step + 2, first.expression)
        related = self._line(self._relate(), first, (fork,), inferred=inferred)
        counted = self._line(self.branches.counting(), second, (first,))
        table = self.branches.calls.of(FUNCTIONS["Table"])
        options = [
            (sequence(related, counted), second, True),
            (self._taken(fork, first, second, inferred=inferred), second, False),
            (sequence(related, self._taken(first, second, third, inferred=True)), third, False),
        ]
        if columns:
            options.append(
                (self._line(self.branches.counting(), first, (fork,), inferred=False), first, True)
            )
        for lines, end, compared in options:
            shown = (*columns, end)
            yield sequence(lines, self._table(table, (fork, *shown), inferred=False, compared=compared))
            if columns:
                yield sequence(lines, self._table(table, shown, inferred=True, compared=compared))

    def _taken(self, source: Held, values: Held, number: Held, *, inferred: bool) -> Expression:
        """The lines that ask a set for values, and aggregate them."""
        branches = self.branches

        def options() -> Iterator[Expression]:
            for sort in self._measured():
                asked = self._line(branches.asking(sort), values, (source,), inferred=inferred)
                yield sequence(asked, self._line(branches.aggregating(sort), number, (values,)))

        return self._rule("taken" if inferred else "taken-of", (source, values), options)

    def _tables(self, fork: Held, columns: tuple[Held, ...]) -> Iterator[Expression]:
        """The tables of these columns, with the set as their first and without it."""
        either = self.branches.calls.any_of("table", (FUNCTIONS[name] for name in COLUMNWISE))
        yield self._table(either, (fork, *columns), inferred=False)
        if len(columns) > 1:
            yield self._table(self.branches.calls.of(FUNCTIONS["Table"]), columns, inferred=True)

    def _table(
        self, call: Expression, columns: tuple[Held, ...], *, inferred: bool, compared: bool = False
    ) -> Expression:
        """A table, and the steps on its rows; its last column, a count, may be compared with a number."""
        last = columns[-1]
        target = Held(last.step + 1, last.expression + 1)
        condition = optional(self._condition(len(columns), target)) if compared else sequence()
        rows = self._rows(len(columns), self._number(target))
        return sequence(self._line(call, target, columns, inferred=inferred), condition, rows)

    def _condition(self, column: int, table: Held) -> Expression:
        """The step that filters rows by the count in a column."""
        calls = self.branches.calls
        known = {"column": calls.one_of((str(column),))}
        call = calls.rules.rule(
            f"filter-rows-{column}", lambda: calls.comparing(FUNCTIONS["FilterTable"], COUNTS, known)
        )
        return self.branches.behind(call, self._number(table))

    def _rows(self, columns: int, held: int) -> Expression:
        """The steps on the rows of a table, to the end of the program."""
        calls, branches = self.branches.calls, self.branches

        def steps() -> Expression:
            return choice(calls.of_columns(FUNCTIONS[name], columns) for name in ROW_STEPS)

        def rows() -> Expression:
            step = calls.rules.rule(f"row-step-{columns}", steps)
            drop = calls.of_columns(FUNCTIONS["DropColumn"], columns)
            last = choice((drop, calls.of(FUNCTIONS["CountTable"])))
            return sequence(
                Repeat(branches.behind(step, held), 0, _MOST_OF_ROWS),
                optional(branches.behind(last, held)),
                calls.writing.stop(held),
            )

        return calls.rules.rule(f"rows-of-{columns}-{held}", rows)

    def _next(self, fork: Held, columns: tuple[Held, ...]) -> Held:
        """The first step of the next column."""
        last = columns[-1] if columns else fork
        return Held(last.step + 1, last.expression + 1)

    def _relate(self) -> Expression:
        return self.branches.calls.any_of("relate-step", (FUNCTIONS[name] for name in RELATING))

    def _lead(self) -> Expression:
        """A call that leads from set to set."""
        return choice((self.branches.narrowing(), self.branches.finding()))

    def _line(
        self, call: Expression, target: Held, fed: Iterable[Held], *, inferred: bool = True
    ) -> Expression:
        """A line, behind another, with its number, and with its inputs unless they are inferred."""
        writing = self.branches.calls.writing
        return sequence(BREAK, writing.head_at(target), call, writing.foot_at(tuple(fed), inferred))

    def _number(self, held: Held) -> int:
        """The expression's number for lines that are not numbered here."""
        return held.expression if self.branches.calls.writing.numbered else 1

    def _rule(
        self, stem: str, places: Iterable[Held], options: Callable[[], Iterable[Expression]]
    ) -> Expression:
        """A rule for several places, which in code differ only in the numbers of expressions."""
        numbered = self.branches.calls.writing.numbered
        numbers = (str(held.expression if numbered else held.step) for held in places)
        name = "-".join((stem, *numbers))
        return self.branches.calls.rules.rule(name, lambda: choice(options()))
