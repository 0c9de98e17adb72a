"""The number of entities of each step, and a few of them: the trace's per-step counts.

Mostly two queries a program. The first fetches a few members of every set, which also counts the small ones;
the second counts those that have more. What is known already is not asked: one known entity, and the sets and
values that the answer shows. `FindAll` is not counted where a later step narrows it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from compilers.answers import Answer
from compilers.compile import CompiledQuery
from compilers.errors import UnsupportedProgram
from compilers.grounded import GroundedProgram
from compilers.iris import local_name
from compilers.kopl.functions import Type
from compilers.kopl.program import Program
from compilers.layouts import Options
from compilers.probes import (
    COUNT,
    EXAMPLES,
    STEP,
    Probe,
    compile_counts,
    compile_examples,
    countable_steps,
    known_entity,
    member_columns,
    set_steps,
)
from compilers.read_answers import read_answer
from connectors.errors import (
    EndpointCancelled,
    EndpointError,
    EndpointRefusedQuery,
    EndpointTimeout,
    IncompleteResult,
)
from connectors.results import Row
from nlq_gateway.answering.execution import QuerySender
from nlq_gateway.trace import Recorder, StepTrace

Fetch = Callable[[Sequence[int]], None]
# The columns and the rows about each step.
RowsByStep = dict[int, tuple[tuple[str, ...], list[Row]]]

QUERIES = 3
TIMEOUT_MS = 2_000
MAX_ROWS = 10_000

_COUNTS = ("Count", "CountValues", "CountTable")

# A store that says no to many steps at once may well answer about one of them.
_TOO_MUCH = (EndpointRefusedQuery, EndpointTimeout, IncompleteResult, UnsupportedProgram)


@dataclass(slots=True)
class _Finding:
    """The known facts of a step so far; None for unknown ones."""

    count: int | None = None
    examples: tuple[str, ...] | None = None
    ms: float = 0.0


def probe_steps(
    grounded: GroundedProgram,
    select: QuerySender,
    layout: str,
    options: Options,
    recorder: Recorder,
    *,
    answer: Answer | None = None,
    name_of: Callable[[str], str] = local_name,
) -> tuple[StepTrace, ...]:
    """One entry per step; a step whose probe fails has no count, and a warning says so.

    `answer` is the program's, if all of it is known. `name_of` names entities without a label.
    """
    prober = _Prober(grounded, select, layout, options, recorder, name_of)
    prober.know(answer)
    prober.tell()
    prober.ask_examples()
    prober.tell()
    prober.ask_counts()
    prober.report()
    prober.tell(all_that_is_left=True)
    return tuple(map(prober.step, range(len(grounded.program))))


@dataclass(slots=True)
class _Prober:
    """Collects what is found, with at most `QUERIES` queries."""

    grounded: GroundedProgram
    select: QuerySender
    layout: str
    options: Options
    recorder: Recorder
    name_of: Callable[[str], str]
    found: list[_Finding] = field(init=False)
    told: set[int] = field(default_factory=set)
    left: int = QUERIES
    failure: str = ""

    def __post_init__(self) -> None:
        self.found = [_Finding() for _ in self.grounded.program.steps]

    def know(self, answer: Answer | None) -> None:
        """Take down what needs no query."""
        for step in set_steps(self.grounded):
            if (label := known_entity(self.grounded, step)) is not None:
                self.found[step] = _Finding(1, (label,))
        if answer is not None:
            self._know_from(answer)

    def _know_from(self, answer: Answer) -> None:
        program = self.grounded.program
        for step, values in _shown_by(program, answer).items():
            self.found[step] = _Finding(len(values), tuple(values[:EXAMPLES]))
        if program.steps[-1].signature.name in _COUNTS and answer.values:
            (source,), number = program.steps[-1].dependencies, int(float(answer.values[0].value))
            self.found[source] = _Finding(number, self.found[source].examples if number else ())

    def ask_examples(self) -> None:
        """Ask for a few members of each set that none are known of."""
        self._ask(self._without_examples(), self._fetch_examples)

    def ask_counts(self) -> None:
        """Ask how large the sets are whose members did not all come."""
        self._ask([step for step in self._uncounted() if self.found[step].examples], self._fetch_counts)

    def report(self) -> None:
        """Warn where a failure left something unknown."""
        missing = sorted({*self._without_examples(), *self._uncounted()})
        if self.failure and missing:
            steps = ", ".join(str(step + 1) for step in missing)
            self.recorder.warn("step-not-counted", f"not counted: step {steps}: {self.failure}")

    def step(self, index: int) -> StepTrace:
        """The facts of a step that are known by now."""
        found, function = self.found[index], self.grounded.program.steps[index].function
        return StepTrace(index, function, found.count, found.examples or (), found.ms)

    def tell(self, *, all_that_is_left: bool = False) -> None:
        """Tell the recorder's listeners of each step once: when nothing more will become known of it."""
        for index, found in enumerate(self.found):
            is_known = found.count is not None and found.examples is not None
            if index not in self.told and (is_known or all_that_is_left):
                self.told.add(index)
                self.recorder.tell(self.step(index))

    def _without_examples(self) -> list[int]:
        return [step for step in set_steps(self.grounded) if self.found[step].examples is None]

    def _uncounted(self) -> list[int]:
        return [step for step in countable_steps(self.grounded) if self.found[step].count is None]

    def _ask(self, steps: Sequence[int], fetch: Fetch) -> None:
        """Ask about all steps at once; where that fails, about the last, back to one with members."""
        if not steps or not self.left:
            return
        error = self._error(fetch, steps)
        if isinstance(error, _TOO_MUCH) and len(steps) > 1:
            for step in steps[: -self.left - 1 : -1]:
                if self._error(fetch, (step,)) is None and self.found[step].examples:
                    break

    def _error(self, fetch: Fetch, steps: Sequence[int]) -> EndpointError | UnsupportedProgram | None:
        """Send one query; what went wrong with it, if anything."""
        begun = time.perf_counter()
        self.left -= 1
        try:
            fetch(steps)
        except EndpointCancelled:
            raise
        except (EndpointError, UnsupportedProgram) as error:
            self.failure = error.message
            return error
        finally:
            spent = (time.perf_counter() - begun) * 1000
            for step in steps:
                self.found[step].ms += spent / len(steps)
        return None

    def _fetch_examples(self, steps: Sequence[int]) -> None:
        options, rows_by_step = self.options, self._examples(steps, self.options)
        if self.left and not options.owners and _has_blank(rows_by_step.values()):
            # The owner of a blank node must come in the same answer: another one names the node otherwise.
            self.left -= 1
            options = replace(options, owners=True)
            rows_by_step = self._examples(steps, options)
        query = CompiledQuery("", (), member_columns(options), Type.NAMES, self.grounded.program)
        languages = self.options.languages
        for step, (columns, rows) in rows_by_step.items():
            members = read_answer(query, columns, rows, languages=languages, name_of=self.name_of).values
            found = self.found[step]
            found.examples = tuple(map(str, members[:EXAMPLES]))
            if found.count is None and len(members) <= EXAMPLES:
                found.count = len(members)

    def _examples(self, steps: Sequence[int], options: Options) -> RowsByStep:
        return self._rows_by_step(compile_examples(self.grounded, steps, self.layout, options))

    def _fetch_counts(self, steps: Sequence[int]) -> None:
        probe = compile_counts(self.grounded, steps, self.layout, self.options)
        for step, (columns, rows) in self._rows_by_step(probe).items():
            number = rows[0][columns.index(COUNT.name)] if rows else None
            self.found[step].count = int(float(number.value)) if number is not None else None

    def _rows_by_step(self, probe: Probe) -> RowsByStep:
        """The columns, and the rows about each step."""
        result = self.select(probe.text, timeout_ms=TIMEOUT_MS, max_rows=MAX_ROWS)
        if result.truncated:
            raise IncompleteResult("the store sends more rows than were asked for")
        rows: dict[int, list[Row]] = {step: [] for step in probe.steps}
        at = result.columns.index(STEP.name)
        for row in result.rows:
            if (number := row[at]) is not None:
                rows[int(number.value) - 1].append(row)
        return {step: (result.columns, found) for step, found in rows.items()}


def _has_blank(found: Iterable[tuple[tuple[str, ...], list[Row]]]) -> bool:
    return any(term is not None and term.kind == "blank" for _, rows in found for row in rows for term in row)


def _shown_by(program: Program, answer: Answer) -> dict[int, tuple[str, ...]]:
    """The steps whose members, values or rows the answer shows."""
    last = len(program) - 1
    source = program.steps[last].dependencies[:1]
    values = tuple(map(str, answer.values))
    match answer.output:
        case Type.NAMES if program.steps[last].signature.name == "What":
            return dict.fromkeys((*source, last), values)
        case Type.NAMES | Type.VALUES | Type.RELATIONS:
            return {last: values}
        case Type.ROWS:
            return dict.fromkeys(_with_these_rows(program, last), tuple(map(_joined, answer.rows)))
        case Type.VERDICT if program.steps[source[0]].signature.output == Type.VALUES:
            return {source[0]: tuple(map(str, answer.evidence))}
        case Type.VERDICT if values == ("no",):
            return {source[0]: ()}
        case _:
            return {}


def _joined(row: Sequence[object | None]) -> str:
    return ", ".join("–" if cell is None else str(cell) for cell in row)


def _with_these_rows(program: Program, step: int) -> Iterator[int]:
    """A step that gives rows, and those before it that give the same rows in another order."""
    yield step
    while program.steps[step].signature.name == "SortTable":
        (step,) = program.steps[step].dependencies
        yield step
