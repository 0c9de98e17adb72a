"""Prompts for the few-shot writers, within a budget of tokens.

`steps` is SymKGQA's prompt (section 3.2): instructions, functions, demonstrations, and the question with its
entities and concepts. `code` is CodeAlignKGQA's (section 3.2): the same as Python, with facts around them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from compilers.errors import UnsupportedProgram
from compilers.issues import Issue
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.program import Program
from nlq_gateway.generation.known import Example, Fact, Known, Written
from nlq_gateway.generation.prompting.templates import instructions, templates
from nlq_gateway.models.base import Prompt
from nlq_gateway.models.errors import ModelRefused

# What a chat template puts around the messages, in tokens.
_AROUND = 60
_LONGEST_ATTEMPT = 2_000
_MOST_FAULTS = 5


@dataclass(frozen=True, slots=True)
class Form:
    """How prompts in a notation are: tokens of prompt and answer together, of the answer, and where it ends.

    `cue` is how the program begins, which the prompt ends with.
    """

    budget: int
    answer: int
    cue: str
    stop: tuple[str, ...]


FORMS = {
    "steps": Form(4_000, 400, "Step 1:", ("\nQuestion:",)),
    "code": Form(8_000, 700, "expression_1 =", ("\nquestion =",)),
}


@dataclass(frozen=True, slots=True)
class Prompter:
    """Builds the prompts of one endpoint. `count` gives the tokens of a text, or an estimate not too small.

    `fixed` demonstrations stand before every question; without `extensions` the functions are KQA Pro's.
    `budget` is in tokens, the answer's among them; None is the notation's own.
    """

    notation: str
    count: Callable[[str], int]
    fixed: tuple[Example, ...] = ()
    extensions: bool = True
    budget: int | None = None

    @property
    def form(self) -> Form:
        """What prompts in the notation are like."""
        return FORMS[self.notation]

    def prompt(
        self,
        known: Known,
        examples: Sequence[Example],
        attempt: Written | None = None,
        *,
        cue: bool = True,
    ) -> Prompt:
        """The prompt for a question, the most similar demonstrations last, next to the question.

        With an `attempt` it asks for a correction of that (CodeAlignKGQA, section 3.3). What does not fit is
        left out: the least similar demonstrations first, then the facts of the lowest score, then the last of
        the fixed demonstrations. Without `cue` the model begins the program itself, as a grammar has it do.

        Raises:
            ModelRefused: when the question alone is too long.
        """
        room = (self.budget or self.form.budget) - self.form.answer - _AROUND
        shown = None if attempt is None else _Attempt.of(attempt, self.notation)
        for contents in self._smaller(known, examples):
            prompt = self._rendered(known, contents, shown, cue)
            if self.count(prompt.text) <= room:
                return prompt
        raise ModelRefused(
            f"the question is too long for a prompt of {room} tokens",
            hint="ask a shorter question, or allow the model more tokens",
        )

    def _smaller(self, known: Known, examples: Sequence[Example]) -> Iterator[_Contents]:
        """The contents of the prompt, each time with one thing less."""
        nearest = sorted(examples, key=lambda one: -one.similarity)
        strongest = sorted(range(len(known.facts)), key=lambda at: -known.facts[at].score)
        for kept in range(len(nearest), -1, -1):
            yield _Contents(self.fixed, tuple(reversed(nearest[:kept])), known.facts)
        for kept in range(len(strongest) - 1, -1, -1):
            facts = tuple(known.facts[at] for at in sorted(strongest[:kept]))
            yield _Contents(self.fixed, (), facts)
        for kept in range(len(self.fixed) - 1, -1, -1):
            yield _Contents(self.fixed[:kept], (), ())

    def _rendered(self, known: Known, contents: _Contents, attempt: _Attempt | None, cue: bool) -> Prompt:
        prefix = instructions(self.notation, contents.fixed, self.extensions)
        body = templates(self.notation).render(
            f"{self.notation}.j2",
            "body",
            known=replace(known, facts=contents.facts),
            examples=contents.examples,
            attempt=attempt,
            cue=self.form.cue if cue else "",
        )
        return Prompt(prefix, body)


@dataclass(frozen=True, slots=True)
class _Contents:
    """What a prompt shows besides the question."""

    fixed: tuple[Example, ...]
    examples: tuple[Example, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A program that is wrong, as the prompt for its correction shows it."""

    text: str
    faults: tuple[str, ...]

    @classmethod
    def of(cls, written: Written, notation: str) -> _Attempt:
        """The program in the notation, or what was written in its place, and its first issues, one a line."""
        return cls(
            _text(written, notation),
            tuple(_fault(written.program, one) for one in written.issues[:_MOST_FAULTS]),
        )


def _text(written: Written, notation: str) -> str:
    if written.program is not None:
        try:
            return NOTATIONS[notation].write(written.program)
        except UnsupportedProgram:
            pass  # as the model wrote it, then
    text, cue = written.text.strip(), FORMS[notation].cue
    return (text if cue in text else f"{cue} {text}")[:_LONGEST_ATTEMPT]


def _fault(program: Program | None, issue: Issue) -> str:
    place = ""
    if program is not None and issue.step < len(program):
        place = f"step {issue.step + 1}, {program.steps[issue.step].function}: "
    return place + issue.message + (f" ({issue.hint})" if issue.hint else "")
