"""The dialogue of a model that looks: it calls tools or writes a program, and gets the results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from compilers.kopl.program import Program
from compilers.kopl.repair import Repaired
from nlq_gateway.drafts.generation.known import Written
from nlq_gateway.drafts.generation.looking.tools import LONGEST_NAME, LONGEST_PROGRAM, RUN, TOOLS
from nlq_gateway.drafts.generation.reading.lines import answer_of
from nlq_gateway.drafts.generation.writer import in_steps, written_of
from nlq_gateway.models import Called, Generation, Prompt, Sampling, Turn, calls_in
from nlq_gateway.models.templates import PromptTemplates

# The most looks of one text.
AT_ONCE = 4
NOTATION = "steps"
# The `how` of a program written after a look.
EXPLORED = "explored"
_SAMPLING = Sampling(max_tokens=800, stop=("\nQuestion:", "\nResult:"))
_AGAIN = "You have asked that before; its result stands above."
_TEMPLATES = PromptTemplates("nlq_gateway.drafts.generation.looking")


def prompt_of(asked: Prompt, offered: bool) -> Prompt:
    """A writer's prompt as the beginning of a dialogue; tools are `offered`, or called by lines of text."""
    prefix = asked.prefix + _TEMPLATES.render("look.j2", "prefix", tools=TOOLS, offered=offered)
    return Prompt(prefix, asked.body, tools=TOOLS if offered else ())


@dataclass(frozen=True, slots=True)
class Explorer:
    """Lets a model look. Keeps no state between questions.

    `write` is the model's text for a prompt. `look` gives the result of a call, `tried` the faults or the
    result of a written program; `left` the number of calls like one with this prompt that may still be made,
    each of so many tokens.
    """

    write: Callable[[Prompt, Sampling], Generation]
    repair: Callable[[Program], Repaired]
    look: Callable[[Called], str]
    tried: Callable[[Written], str]
    left: Callable[[Prompt, int], int]

    def explore(self, prompt: Prompt, first: Written) -> Iterator[Written]:
        """Yield programs, each written on demand: a caller that goes on did not accept the last one.

        `first` is the program written without a look, run again to show its result. The dialogue ends with
        the calls, and when the model repeats itself. Raises the errors of `write` and `look`.
        """
        turns = [Turn(_said(first), (self.tried(first),))]
        said: set[object] = {_key(first)}
        repeats = False
        while left := self._left(replace(prompt, turns=tuple(turns)), repeats):
            generation = self.write(replace(prompt, turns=_noted(turns, left)), _SAMPLING)
            calls = [_short(call) for call in calls_in(answer_of(generation.text))[:AT_ONCE]]
            if calls and left > 1:
                repeats = said.issuperset(calls)
                told = tuple(_AGAIN if call in said else self.look(call) for call in calls)
                turns.append(Turn("\n".join(call.text for call in calls), told))
                said.update(calls)
                continue
            written = self._written(generation, calls)
            yield written
            if left == 1 or _key(written) in said:
                return
            said.add(_key(written))
            turns.append(Turn(_said(written), (self.tried(written),)))

    def _left(self, prompt: Prompt, repeats: bool) -> int:
        """The calls that are left; one for a model that repeats itself, which must write its program then."""
        left = max(0, self.left(prompt, _SAMPLING.max_tokens))
        return min(left, 1) if repeats else left

    def _written(self, generation: Generation, calls: Sequence[Called]) -> Written:
        """The program that was written; if the last call runs one, that program."""
        run = [call.argument for call in calls if call.tool == RUN.name]
        text = run[-1] if run else generation.text
        return written_of(replace(generation, text=text), NOTATION, EXPLORED, self.repair)


def _short(call: Called) -> Called:
    """The call in the form made and shown again: each later prompt has it."""
    return Called(call.tool[:LONGEST_NAME], call.argument[:LONGEST_PROGRAM].strip())


def _noted(turns: Sequence[Turn], left: int) -> tuple[Turn, ...]:
    """The turns, the last one with the number of calls left."""
    *before, last = turns
    note = _TEMPLATES.render("look.j2", "note", left=left)
    return (*before, replace(last, told=(*last.told[:-1], f"{last.told[-1]}\n{note}")))


def _said(written: Written) -> str:
    """The model's own text in the dialogue; servers require one."""
    return in_steps(written)[:LONGEST_PROGRAM] or "(nothing)"


def _key(written: Written) -> object:
    return written.program or written.text.strip()
