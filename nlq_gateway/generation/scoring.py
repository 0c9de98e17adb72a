"""Drafts of others in the order in which a model finds them probable (BYOKG, sections 3.3 and 3.2.2).

A draft's program is scored as what follows the question, behind demonstrations; then the question as what
follows the program, which tells apart programs that only look like the demonstrations (appendix F.2). The
order is by the mean of both: the paper's weight of one half, which it does not tune.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from compilers.errors import UnsupportedProgram
from compilers.kopl.notations import chain, steps
from compilers.kopl.program import Program
from nlq_gateway.generation.known import Example
from nlq_gateway.models.base import Deadline, Model, Prompt, Scores
from nlq_gateway.types import Draft, Links

MOST = 10
MOST_EXAMPLES = 8
BUDGET = 2_000
LIKELIHOOD, INVERSE = "model_likelihood", "model_inverse"
_FOLDER = Path(__file__).with_name("prompts")


def rescored(
    model: Model,
    links: Links,
    drafts: Sequence[Draft],
    examples: Sequence[Example],
    deadline: Deadline,
    most: int = MOST,
) -> tuple[Draft, ...]:
    """The first so many drafts in the model's order, the others behind them as they were.

    Parts of a draft that was scored get the log-probabilities per token, `model_likelihood` of the program
    and `model_inverse` of the question; its own score stays. Drafts of one program stay in their order.
    Without a model that gives scores, or with nothing to choose from, all stay as they are.

    Raises:
        ModelError: the model does not answer, or not in time.
    """
    programs = tuple(dict.fromkeys(draft.program for draft in drafts[:most]))
    if len(programs) < 2 or not model.capabilities.scores:
        return tuple(drafts)
    question = links.question.text
    near = _fitting(model, question, examples)
    asked = model.score(score_prompt(question, near), [f" {line_of(one)}" for one in programs], deadline)
    likelihoods = dict(zip(programs, _per_token(asked), strict=True))
    inverses = {one: _inverse(model, question, one, near, deadline) for one in programs}
    told = [
        replace(
            draft,
            parts={
                **draft.parts,
                LIKELIHOOD: likelihoods[draft.program],
                INVERSE: inverses[draft.program],
            },
        )
        for draft in drafts[:most]
    ]
    told.sort(key=lambda draft: -(draft.parts[LIKELIHOOD] + draft.parts[INVERSE]))
    return (*told, *drafts[most:])


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


def _inverse(
    model: Model, question: str, program: Program, examples: Sequence[Example], deadline: Deadline
) -> float:
    found = model.score(inverse_prompt(program, examples), [f" {_line(question)}"], deadline)
    return _per_token(found)[0]


def _fitting(model: Model, question: str, examples: Sequence[Example]) -> tuple[Example, ...]:
    """The most similar demonstrations that a prompt has room for, the most similar last."""
    nearest = sorted(examples, key=lambda one: -one.similarity)[:MOST_EXAMPLES]
    while nearest and model.count_tokens(score_prompt(question, nearest).text) > BUDGET:
        nearest.pop()
    return tuple(reversed(nearest))


def _per_token(scores: Scores) -> tuple[float, ...]:
    pairs = zip(scores.log_probabilities, scores.tokens, strict=True)
    return tuple(total / max(1, tokens) for total, tokens in pairs)


def _prompt(name: str, **contents: object) -> Prompt:
    prefix = _templates().get_template(f"{name}_instructions.j2").render()
    body = _templates().get_template(f"{name}.j2").render(**contents)
    return Prompt(f"{prefix.rstrip()}\n\n", body.rstrip())


def _line(text: str) -> str:
    return " ".join(text.split())


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(line=_line, line_of=line_of)
    return made
