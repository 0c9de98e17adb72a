"""What a program is scored behind, and what a question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from compilers.errors import UnsupportedProgram
from compilers.kopl.notations import chain, steps
from compilers.kopl.program import Program
from nlq_gateway.generation.known import Example
from nlq_gateway.models.base import Prompt
from nlq_gateway.models.templates import one_line

_FOLDER = Path(__file__).with_name("prompts")


def score_prompt(question: str, examples: Sequence[Example]) -> Prompt:
    """What a program is scored behind: the demonstrations in their order, and the question."""
    return _prompt("score", question=question, examples=examples)


def inverse_prompt(program: Program, examples: Sequence[Example]) -> Prompt:
    """What a question is scored behind: the demonstrations the other way round, and the program."""
    return _prompt("inverse", program=program, examples=examples)


def line_of(program: Program) -> str:
    """The program on one line: as a chain where that can state it, else its numbered steps."""
    try:
        return chain.write(program)
    except UnsupportedProgram:
        return " ".join(steps.write(program).splitlines())


def _prompt(name: str, **contents: object) -> Prompt:
    prefix = _templates().get_template(f"{name}_instructions.j2").render()
    body = _templates().get_template(f"{name}.j2").render(**contents)
    return Prompt(f"{prefix.rstrip()}\n\n", body.rstrip())


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(line=one_line, line_of=line_of)
    return made
