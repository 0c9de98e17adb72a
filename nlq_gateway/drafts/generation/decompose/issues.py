"""The issues of a decomposition; an issue's step counts the sub-questions from 0."""

from __future__ import annotations

from collections.abc import Sequence

from compilers.issues import Issue
from nlq_gateway.drafts.generation.decompose.lines import SubQuestionLine


def unused(subquestions: Sequence[SubQuestionLine]) -> tuple[Issue, ...]:
    """Warnings for sub-questions, before the last, that no other refers to."""
    used = {number for one in subquestions for number in one.references}
    return tuple(
        Issue(
            "warning",
            "unused-sub-question",
            one.number - 1,
            None,
            f"no sub-question uses the result of sub-question {one.number}; it is left out",
            "refer to it in a later one",
        )
        for one in subquestions[:-1]
        if one.number not in used
    )


def unknown(one: SubQuestionLine, name: str) -> Issue:
    """The error for a name that is not in the graph."""
    message = f"the graph has no {name!r}, which sub-question {one.number} begins from"
    return Issue("error", "unknown-name", one.number - 1, None, message, "use a name from the question")


def leads_nowhere(one: SubQuestionLine) -> Issue:
    """The error for a sub-question without a similar template that has an answer."""
    message = f"sub-question {one.number}, {one.text!r}, fits no question that the graph answers"
    return Issue(
        "error", "no-chain", one.number - 1, None, message, "ask for a relation or attribute that is there"
    )


def none_fits(one: SubQuestionLine) -> Issue:
    """The error for a sub-question whose templates the model rejected."""
    message = f"the model finds that no template means sub-question {one.number}, {one.text!r}"
    return Issue("error", "no-fitting-chain", one.number - 1, None, message, "say it in other words")
