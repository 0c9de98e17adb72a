"""Asks a model to write a program again after it has seen what each step found (PER-KBQA, section 3.3).

The paper trains a model to write the answer from question and executed steps. A model that is not trained for
it writes the program again instead, so that every answer still comes from the graph and can be explained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from compilers.kopl.functions import FUNCTIONS, Function, Parameter
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.program import Program
from nlq_gateway.models import Deadline, Generation, Model, ModelRequest, Prompt, Sampling
from nlq_gateway.models.templates import PromptTemplates, one_line
from nlq_gateway.trace import StepTrace

# The most tokens of the prompt.
BUDGET = 4_000
LONGEST_RESULT = 60
LONGEST_ANSWER = 300
# Results shown for each step, and whether linked names are shown, tried until the prompt is short enough.
_SHORTER = ((5, True), (3, True), (1, True), (0, True), (0, False))
_SAMPLING = Sampling(max_tokens=600, stop=("\nQuestion:",))
# The separator of results, which is escaped inside one.
_BETWEEN = "|"
_TEMPLATES = PromptTemplates("nlq_gateway.drafts.refine")


@dataclass(frozen=True, slots=True)
class ExecutedProgram:
    """A program that was run: its steps with their counts and examples, and its answer in words."""

    program: Program
    steps: tuple[StepTrace, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Revision:
    """Another program, and the text that it was read from."""

    program: Program
    generation: Generation


@dataclass(frozen=True, slots=True)
class Refiner:
    """One model; `read` finds the program in what it writes, None where there is none.

    The prompt has at most `tokens` tokens beside those of `card`, the schema or what of it is near.
    """

    model: Model
    read: Callable[[str], Program | None] = field(repr=False)
    tokens: int = BUDGET
    card: str = ""

    def refine(
        self, question: str, names: Sequence[str], executed: ExecutedProgram, deadline: Deadline
    ) -> Revision | None:
        """The program as the model writes it after one look at the results; raises ModelError.

        Args:
            question: the question as it was asked.
            names: what linking found in the graph for words of the question.
            executed: the program and what became of it.
            deadline: until when the model may write.

        Returns:
            None where the program is unchanged, where the text cannot be read as one, and, without asking
            the model, where the program is too long to be shown.
        """
        prompt = self.prompt(question, names, executed)
        if prompt is None:
            return None
        generation = self.model.generate(ModelRequest(prompt, _SAMPLING), deadline).generations[0]
        program = self.read(generation.text)
        return None if not program or program == executed.program else Revision(program, generation)

    def prompt(self, question: str, names: Sequence[str], executed: ExecutedProgram) -> Prompt | None:
        """Return the prompt; None if even the bare program is too long.

        To fit, results are left out before names; steps are always included.
        """
        for results, named in _SHORTER:
            body = _TEMPLATES.render(
                "refine.j2",
                "body",
                question=one_line(question),
                names=[one_line(name) for name in names] if named else [],
                steps=list(executed_lines(executed, results)),
                answer=one_line(executed.answer, LONGEST_ANSWER),
            )
            prompt = Prompt(_prefix(self.card), body)
            if self.model.count_tokens(prompt.text) <= self.tokens + self.model.count_tokens(self.card):
                return prompt
        return None


@lru_cache(maxsize=16)
def _prefix(card: str) -> str:
    definitions = [_definition(row) for row in FUNCTIONS.values()]
    return _TEMPLATES.render("refine.j2", "prefix", definitions=definitions, card=card)


def executed_lines(executed: ExecutedProgram, results: int) -> Iterator[str]:
    """Every step with so many of its results, as `Step 1: Find(Danube) → 1: Danube`."""
    found = {step.step: step for step in executed.steps}
    written = NOTATIONS["steps"].write(executed.program).split("\n")
    for index, line in enumerate(written):
        yield line + (_found(found[index], results) if index in found else "")


def _found(step: StepTrace, results: int) -> str:
    count = "" if step.count is None else str(step.count)
    shown = [_result(example) for example in step.examples[:results]]
    if shown and step.count != len(shown):
        shown.append("…")
    told = ": ".join(filter(None, (count, f" {_BETWEEN} ".join(shown))))
    return f" → {told}" if told else ""


def _result(text: str) -> str:
    return one_line(text, LONGEST_RESULT).replace(_BETWEEN, "/")


def _definition(function: Function) -> str:
    """A function's row of the table, as `Relate(relation, forward or backward), after entities: what …`."""
    arguments = ", ".join(map(_argument, function.parameters))
    after = f", after {' and '.join(function.inputs)}" if function.inputs else ""
    return f"{function.name}({arguments}){after}: {function.meaning}"


def _argument(parameter: Parameter) -> str:
    if parameter.choices:
        return " or ".join(parameter.choices)
    return parameter.name if parameter.value_type is None else str(parameter.value_type)
