"""The allowed next decisions, so that every complete program passes the checker.

A program is written as its steps in post-order, each function followed by its arguments: a function takes the
latest steps that are still unused. A step used before is named by `@` and its number.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace

from compilers.kopl.functions import FUNCTIONS, Function, Kind, Parameter, Type, ValueType
from compilers.kopl.program import Step
from nlq_gateway.drafts.drafter.vocabulary import END, FILLED, MOST_STEPS, NUMBERS, REFERENCES, WORD_ID

MOST_OPEN = 5
_WRITTEN = tuple(function for function in FUNCTIONS.values() if function.name in WORD_ID)
_EVERY_FUNCTION = frozenset((*FUNCTIONS, *FILLED))
_COLUMNS = Parameter("columns", Kind.NUMBER)
_UNFINISHED = (Type.ENTITIES, Type.FACTS)
_MODE_OF_TEXT = (Kind.ENTITY, Kind.VALUE)
# Functions that do the same with values of each type.
_TYPED = tuple(
    {
        ValueType.QUANTITY: FUNCTIONS[f"{name}Num"],
        ValueType.YEAR: FUNCTIONS[f"{name}Year"],
        ValueType.DATE: FUNCTIONS[f"{name}Date"],
    }
    for name in ("Filter", "QFilter", "Verify")
)


@dataclass(frozen=True, slots=True)
class PartialProgram:
    """A partial program.

    `steps` are complete but for the last, whose missing arguments are in `pending`. `open` are the unused
    steps.
    """

    steps: tuple[Step, ...] = ()
    open: tuple[int, ...] = ()
    pending: tuple[Parameter, ...] = ()
    ended: bool = False

    @property
    def wanted(self) -> Parameter | None:
        """The argument that comes next; None if a function, a reference or the end comes next."""
        return self.pending[0] if self.pending else None

    def words(self, typed: frozenset[ValueType], likely: Container[str] = _EVERY_FUNCTION) -> Iterator[str]:
        """The words that may come next.

        Args:
            typed: the types of the values in the question.
            likely: the functions to try; they take most of a step's time.
        """
        wanted = self.wanted
        if wanted is not None:
            yield from self._argument_words(wanted)
            return
        if len(self.steps) < MOST_STEPS:
            yield from (f.name for f in _WRITTEN if f.name in likely and self._takes(f) and _is_fed(f, typed))
            begun = ((word, FUNCTIONS[name]) for word, (name, _) in FILLED.items() if word in likely)
            yield from (word for word, function in begun if self._takes(function))
            yield from (REFERENCES[at] for at in range(len(self.steps)) if self._may_refer(at))
        if len(self.open) == 1 and self._type(self.open[0]) not in _UNFINISHED:
            yield END

    def after_word(self, word: str) -> PartialProgram:
        """The program with one more word, which `words` must allow."""
        if word == END:
            return replace(self, ended=True)
        if word in FUNCTIONS:
            return self._after_function(FUNCTIONS[word])
        if word in FILLED:
            function, value = FILLED[word]
            return self._after_function(FUNCTIONS[function]).after_argument(value)
        if self.wanted is None:
            return replace(self, open=(*self.open, int(word[1:])))
        if self.wanted is _COLUMNS:
            return self._fed(int(word))
        return self.after_argument(word)

    def after_argument(self, text: str) -> PartialProgram:
        """The program with the next argument of the last step."""
        last = self.steps[-1]
        step = replace(last, inputs=(*last.inputs, text))
        return replace(self, steps=(*self.steps[:-1], step), pending=self.pending[1:])

    def suited(self, types: Iterable[ValueType]) -> PartialProgram:
        """The program whose last step, without arguments so far, compares values of one of these types.

        The network may take a year for a number; the graph knows.
        """
        function = FUNCTIONS[self.steps[-1].function]
        alike = next((alike for alike in _TYPED if function in alike.values()), {})
        fitting = [alike[one] for one in types if one in alike]
        if not fitting or function in fitting:
            return self
        step = replace(self.steps[-1], function=fitting[0].name)
        return replace(self, steps=(*self.steps[:-1], step), pending=fitting[0].parameters)

    def _after_function(self, function: Function) -> PartialProgram:
        step = Step(function.name)
        begun = replace(self, steps=(*self.steps, step), pending=(_COLUMNS, *function.parameters))
        return begun if function.variadic else begun._fed(len(function.inputs))

    def _fed(self, inputs: int) -> PartialProgram:
        """The last step fed by the last `inputs` open ones, whose place it takes."""
        kept = len(self.open) - inputs
        step = replace(self.steps[-1], dependencies=self.open[kept:])
        number = len(self.steps) - 1
        return PartialProgram((*self.steps[:-1], step), (*self.open[:kept], number), self.pending[1:])

    def _argument_words(self, wanted: Parameter) -> Iterator[str]:
        if wanted is _COLUMNS:
            yield from NUMBERS[1 : self._columns() + 1]
        elif wanted.choices:
            yield from (choice for choice in wanted.choices if choice in WORD_ID)
        elif wanted.kind == Kind.NUMBER:
            yield from NUMBERS

    def _columns(self) -> int:
        """The number of the last open steps that may stand side by side in a table."""
        table = FUNCTIONS[self.steps[-1].function]
        fitting = 0
        for at in reversed(self.open):
            if not table.accepts(0, self._type(at)):
                break
            fitting += 1
        return fitting

    def _takes(self, function: Function) -> bool:
        if function.variadic:
            return bool(self.open) and function.accepts(0, self._type(self.open[-1]))
        size = len(function.inputs)
        if size == 0:
            return len(self.open) < MOST_OPEN
        given = self.open[len(self.open) - size :] if size <= len(self.open) else ()
        return len(given) == size and all(
            function.accepts(position, self._type(at)) for position, at in enumerate(given)
        )

    def _may_refer(self, step: int) -> bool:
        return len(self.open) < MOST_OPEN and self._type(step) in (*_UNFINISHED, Type.VALUES, Type.ROWS)

    def _type(self, step: int) -> Type:
        return FUNCTIONS[self.steps[step].function].output


def _is_fed(function: Function, typed: frozenset[ValueType]) -> bool:
    """True if the question states values of the types that a function wants."""
    return all(p.value_type in (None, ValueType.STRING, *typed) for p in function.parameters)


def wants_text(parameter: Parameter) -> bool:
    """True if an argument is a stretch of the question."""
    return parameter.kind in _MODE_OF_TEXT
