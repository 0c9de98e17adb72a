"""The prompts for scoring a program, and for scoring a question."""

from __future__ import annotations

from collections.abc import Sequence

from compilers.errors import UnsupportedProgram
from compilers.kopl.notations import chain, steps
from compilers.kopl.program import Program
from nlq_gateway.drafts.generation.known import Example
from nlq_gateway.models.base import Prompt
from nlq_gateway.models.templates import PromptTemplates


def line_of(program: Program) -> str:
    """The program on one line: as a chain if that can state it, else its numbered steps."""
    try:
        return chain.write(program)
    except UnsupportedProgram:
        return " ".join(steps.write(program).splitlines())


_TEMPLATES = PromptTemplates("nlq_gateway.drafts.generation.scoring", {"line_of": line_of})


def score_prompt(question: str, examples: Sequence[Example]) -> Prompt:
    """The prompt before a program to score: the demonstrations in their order, and the question."""
    return _prompt("score.j2", question=question, examples=examples)


def inverse_prompt(program: Program, examples: Sequence[Example]) -> Prompt:
    """The prompt before a question to score: the demonstrations reversed, and the program."""
    return _prompt("inverse.j2", program=program, examples=examples)


def prune_prompt(question: str, programs: Sequence[Program], most: int) -> Prompt:
    """A prompt for the numbers of the programs that are worth keeping."""
    return _prompt("prune.j2", question=question, programs=programs, most=most)


def _prompt(file: str, **contents: object) -> Prompt:
    return Prompt(_TEMPLATES.render(file, "prefix"), _TEMPLATES.render(file, "body", **contents))
