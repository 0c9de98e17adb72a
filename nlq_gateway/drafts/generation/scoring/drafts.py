"""Drafts of others in order of a model's probabilities (BYOKG, sections 3.3 and 3.2.2).

A draft's program is scored as a continuation of the question, behind demonstrations; then the question as a
continuation of the program, which separates programs that only look like the demonstrations (appendix F.2).
The order is by the mean of both: the paper's weight of one half, which it does not tune.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compilers.kopl.program import Program
from nlq_gateway.core.types import Draft, Links
from nlq_gateway.drafts.generation.known import Example
from nlq_gateway.drafts.generation.scoring.prompt import inverse_prompt, line_of, score_prompt
from nlq_gateway.models.base import Deadline, Model
from nlq_gateway.models.errors import BudgetSpent
from nlq_gateway.models.templates import one_line

MOST = 10
MOST_EXAMPLES = 8
BUDGET = 2_000
LIKELIHOOD, INVERSE = "model_likelihood", "model_inverse"


def rescored(
    model: Model,
    links: Links,
    drafts: Sequence[Draft],
    examples: Sequence[Example],
    deadline: Deadline,
    most: int = MOST,
) -> tuple[Draft, ...]:
    """The first `most` drafts in the model's order, the others behind them as they were.

    Parts of a draft that was scored get the log-probabilities per token, `model_likelihood` of the program
    and `model_inverse` of the question; its own score stays. Drafts of one program stay in their order.
    Without a model that gives scores, or with nothing to choose from, all stay as they are. Where the budget
    ends before the inverse task is done, the order is that of the programs' likelihoods alone.

    Raises:
        ModelError: the model does not answer, or not in time.
    """
    programs = tuple(dict.fromkeys(draft.program for draft in drafts[:most]))
    if len(programs) < 2 or not model.capabilities.scores:
        return tuple(drafts)
    question = links.question.text
    near = fitting(model, question, examples)
    asked = model.score(score_prompt(question, near), [f" {line_of(one)}" for one in programs], deadline)
    likelihoods = dict(zip(programs, asked.per_token, strict=True))
    inverses = _inverses(model, question, programs, near, deadline)
    told = [
        replace(
            draft,
            parts={
                **draft.parts,
                LIKELIHOOD: likelihoods[draft.program],
                **({INVERSE: inverses[draft.program]} if inverses else {}),
            },
        )
        for draft in drafts[:most]
    ]
    told.sort(key=lambda draft: -(draft.parts[LIKELIHOOD] + draft.parts.get(INVERSE, 0.0)))
    return (*told, *drafts[most:])


def _inverses(
    model: Model,
    question: str,
    programs: Sequence[Program],
    examples: Sequence[Example],
    deadline: Deadline,
) -> dict[Program, float]:
    """The log-probability of the question after each program; {} if the budget is too small for all."""
    try:
        return {one: _inverse(model, question, one, examples, deadline) for one in programs}
    except BudgetSpent:
        return {}


def _inverse(
    model: Model, question: str, program: Program, examples: Sequence[Example], deadline: Deadline
) -> float:
    found = model.score(inverse_prompt(program, examples), [f" {one_line(question)}"], deadline)
    return found.per_token[0]


def fitting(model: Model, question: str, examples: Sequence[Example]) -> tuple[Example, ...]:
    """The most similar demonstrations that fit in a prompt, the most similar last."""
    nearest = sorted(examples, key=lambda one: -one.similarity)[:MOST_EXAMPLES]
    while nearest and model.count_tokens(score_prompt(question, nearest).text) > BUDGET:
        nearest.pop()
    return tuple(reversed(nearest))
