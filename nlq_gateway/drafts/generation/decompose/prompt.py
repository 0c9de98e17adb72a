"""The two prompts of the strategy: to decompose a question, and to choose a sub-question's meaning."""

from __future__ import annotations

from collections.abc import Sequence

from nlq_gateway.drafts.generation.decompose.result import Solved
from nlq_gateway.drafts.generation.known import Known
from nlq_gateway.models import Prompt
from nlq_gateway.models.templates import PromptTemplates

_TEMPLATES = PromptTemplates("nlq_gateway.drafts.generation.decompose")


def decomposing(known: Known, templates: Sequence[str], card: str = "") -> Prompt:
    """A prompt for the sub-questions of a question; `templates` are examples of the graph's questions.

    `card` is the whole schema, "" if the question brings the part near to it.
    """
    body = _TEMPLATES.render("decompose.j2", "body", known=known, templates=templates)
    return Prompt(_TEMPLATES.render("decompose.j2", "prefix", card=card), body)


def choosing(question: str, text: str, earlier: Sequence[Solved]) -> Prompt:
    """A prompt to choose the meaning of a sub-question; the options follow."""
    body = _TEMPLATES.render("chain.j2", "body", question=question, text=text, earlier=earlier)
    return Prompt(_TEMPLATES.render("chain.j2", "prefix"), body)
