"""The prompts' templates, `prompts/*.j2`, one environment for each notation."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from compilers.kopl.notations import NOTATIONS
from compilers.kopl.notations.calls import quote
from nlq_gateway.generation.known import Example, Fact
from nlq_gateway.generation.prompting.definitions import DEFINITIONS, functions

_FOLDER = Path(__file__).with_name("prompts")


@cache
def environment(notation: str) -> Environment:
    """The templates with the filters that write names, functions and programs in a notation."""
    made = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        about=_by_subject,
        define=DEFINITIONS[notation],
        line=lambda text: " ".join(text.split()),
        quote=quote,
        repr=repr,
        write=NOTATIONS[notation].write,
    )
    return made


@lru_cache
def instructions(notation: str, fixed: tuple[Example, ...], extensions: bool) -> str:
    """What is the same for many questions: rules, functions and the demonstrations that never change."""
    text = environment(notation).get_template(f"{notation}_instructions.j2")
    written = text.render(
        functions=functions(extension=False),
        extensions=functions(extension=True) if extensions else (),
        fixed=fixed,
    )
    return written.rstrip() + "\n\n"


def _by_subject(facts: Iterable[Fact]) -> list[tuple[str, list[Fact]]]:
    """The facts of each thing, things in the order in which they come first."""
    listed = list(facts)
    order = {about: at for at, about in reversed([*enumerate(fact.about for fact in listed)])}
    listed.sort(key=lambda fact: order[fact.about])
    return [(about, list(found)) for about, found in groupby(listed, lambda fact: fact.about)]
