"""Programs run on a store while exploring: their results, and the number of queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from compilers.answers import Answer, AnswerValue
from compilers.compile import CompiledQuery, compile_program
from compilers.errors import CompilerError
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Type
from compilers.layouts import Options
from compilers.read_answers import read_answer
from connectors.errors import EndpointError
from nlq_gateway.answering.execution import QuerySender, Store, execute
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.index import Index
from nlq_gateway.offline.exploration.patience import GivesUp
from nlq_gateway.offline.exploration.sketch import ProgramSketch

# Rows of a sample, and of an answer: an entity has one for each of its labels.
SAMPLE_ROWS = 200
ANSWER_ROWS = 1_000

# Signs of table keys at the ends of IRIs, such as `student_id=7`, `order;3`.
_KEY_SIGNS = frozenset("=;")

Row = tuple[AnswerValue | None, ...]


class TooDear(Exception):
    """An idea has had all the queries that one may have."""


@dataclass
class StoreAsker:
    """Asks one store, and caches the results. Not safe to share between threads.

    `allowance` is how many programs may still be asked for the idea at hand.
    """

    select: QuerySender
    index: Index
    layout: str
    options: Options
    timeout_ms: int
    name_of: Callable[[str], str]
    allowance: int = 0
    _known: dict[str, Answer | None] = field(default_factory=dict)

    def rows(self, sketch: ProgramSketch, columns: Sequence[int], *, offset: int = 0) -> tuple[Row, ...]:
        """Some rows of steps side by side, from an offset on; none where the store cannot say.

        Raises:
            GivesUp: the store does not answer any more.
            TooDear: the idea has asked enough.
        """
        table = sketch.add("Table", of=tuple(columns))
        answer = self._ask(table, SAMPLE_ROWS, offset)
        return answer.rows if answer is not None else ()

    def count(self, sketch: ProgramSketch) -> int:
        """The number of members of a set; 0 if the store cannot tell."""
        answer = self.answer(sketch.then("Count"))
        return int(float(answer.values[0].value)) if answer is not None and answer.values else 0

    def answer(self, sketch: ProgramSketch) -> Answer | None:
        """The answer of a program; None if the store cannot tell, or if it is too large."""
        return self._ask(sketch, ANSWER_ROWS, 0)

    def _ask(self, sketch: ProgramSketch, most: int, offset: int) -> Answer | None:
        options = replace(self.options, limit=min(most, self.options.limit))
        grounding = Grounder(self.index).ground(sketch.program, choices=sketch.choices, near=False)
        try:
            query = compile_program(grounding.grounded, self.layout, options)
        except CompilerError:
            return None
        if offset:
            query = replace(query, text=f"{query.text.rstrip()} OFFSET {offset}\n")
        if query.text not in self._known:
            if self.allowance <= 0:
                raise TooDear
            self.allowance -= 1
            self._known[query.text] = self._executed(grounding.grounded, query, options, offset)
        return self._known[query.text]

    def _said(self, iri: str) -> str:
        """The name of an entity without a label; "" if it is a key."""
        name = self.name_of(iri)
        return name if any(map(str.isalpha, name)) and not _KEY_SIGNS & set(name) else ""

    def _executed(
        self, grounded: GroundedProgram, query: CompiledQuery, options: Options, offset: int
    ) -> Answer | None:
        try:
            if offset:
                result = self.select(query.text, timeout_ms=self.timeout_ms, max_rows=options.limit)
            else:
                store = Store(self.select, self.layout, options)
                result = execute(grounded, query, store, self.timeout_ms, options.limit).result
        except GivesUp:
            raise
        except EndpointError:
            return None
        if len(result.rows) >= options.limit and query.output != Type.ROWS:
            return None
        return read_answer(
            query, result.columns, result.rows, languages=options.languages, name_of=self._said
        )
