"""The templates of prompts for the writers, with the parts that differ between notations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import groupby

from compilers.kopl.notations import NOTATIONS
from compilers.kopl.notations.calls import quote
from nlq_gateway.drafts.generation.known import Example, Fact
from nlq_gateway.drafts.generation.prompting.definitions import DEFINITIONS, functions
from nlq_gateway.models.templates import PromptTemplates


@cache
def templates(notation: str) -> PromptTemplates:
    """The templates with the filters that write names, functions and programs in a notation."""
    filters: dict[str, Callable[..., object]] = {
        "about": _by_subject,
        "define": DEFINITIONS[notation],
        "quote": quote,
        "repr": repr,
        "write": NOTATIONS[notation].write,
    }
    return PromptTemplates("nlq_gateway.drafts.generation.prompting", filters)


@lru_cache
def instructions(notation: str, fixed: tuple[Example, ...], card: str = "") -> str:
    """The shared beginning of prompts: rules, functions, fixed demonstrations, the schema if it is whole."""
    return templates(notation).render(
        f"{notation}.j2",
        "prefix",
        functions=functions(extension=False),
        extensions=functions(extension=True),
        fixed=fixed,
        card=card,
    )


def _by_subject(facts: Iterable[Fact]) -> list[tuple[str, list[Fact]]]:
    """The facts of each thing, things in order of first mention."""
    listed = list(facts)
    order = {about: at for at, about in reversed([*enumerate(fact.about for fact in listed)])}
    listed.sort(key=lambda fact: order[fact.about])
    return [(about, list(found)) for about, found in groupby(listed, lambda fact: fact.about)]
