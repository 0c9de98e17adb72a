"""The two prompts of the strategy: to decompose a question, and to choose what a sub-question means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from nlq_gateway.generation.known import Known
from nlq_gateway.models import Prompt
from nlq_gateway.models.choice import NONE_OF_THESE
from nlq_gateway.models.templates import PromptTemplates

_TEMPLATES = PromptTemplates("nlq_gateway.generation.decompose")


class Said(Protocol):
    """An earlier sub-question and what it was taken to mean."""

    @property
    def number(self) -> int:
        """Its number, from 1."""

    @property
    def words(self) -> str:
        """The template that was chosen for it, filled."""


def decomposing(known: Known, templates: Sequence[str]) -> Prompt:
    """Asks for the sub-questions of a question; `templates` show how the graph is asked."""
    body = _TEMPLATES.render("decompose.j2", "body", known=known, templates=templates)
    return Prompt(_TEMPLATES.render("decompose.j2", "prefix"), body)


def choosing(
    question: str, text: str, earlier: Sequence[Said], options: Sequence[str], *, listed: bool
) -> Prompt:
    """Asks which of the options a sub-question means; they are `listed` where the model scores them."""
    shown = (*options,) if listed else ()
    body = _TEMPLATES.render("chain.j2", "body", question=question, text=text, earlier=earlier, options=shown)
    return Prompt(_TEMPLATES.render("chain.j2", "prefix", refusal=NONE_OF_THESE), body)
