"""The two prompts of the strategy: to decompose a question, and to choose what a sub-question means."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

from jinja2 import Environment, PackageLoader, StrictUndefined

from nlq_gateway.generation.known import Known
from nlq_gateway.models import Prompt

NONE = "none of these"


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
    return _rendered("decompose.j2", known=known, templates=templates)


def choosing(
    question: str, text: str, earlier: Sequence[Said], options: Sequence[str], *, listed: bool
) -> Prompt:
    """Asks which of the options a sub-question means; they are `listed` where the model scores them."""
    shown = (*options,) if listed else ()
    return _rendered("chain.j2", question=question, text=text, earlier=earlier, options=shown, refusal=NONE)


def _rendered(name: str, **values: Any) -> Prompt:
    template = _environment().get_template(name)
    context = template.new_context(values)
    return Prompt(*("".join(template.blocks[part](context)) for part in ("prefix", "body")))


@cache
def _environment() -> Environment:
    """Prompts are plain text: nothing is escaped, and a value that is missing is an error."""
    loader = PackageLoader("nlq_gateway.generation.decompose", "prompts")
    return Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
