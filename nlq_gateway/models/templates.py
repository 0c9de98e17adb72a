"""Prompts from templates (Jinja), and texts of a graph or a question as one line of a prompt.

A file of templates is a file of macros, so that one file has a prompt's prefix and its body.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from nlq_gateway.words import readable

if TYPE_CHECKING:
    from jinja2.environment import TemplateModule

_MORE = "…"


def render(package: str, file: str, macro: str, **values: object) -> str:
    """What a macro of the file `prompts/FILE` of a package writes; an undefined variable is an error."""
    written: str = getattr(_macros(package, file), macro)(**values)
    return written


@lru_cache(maxsize=16)
def _macros(package: str, file: str) -> TemplateModule:
    # Questions that no model reads do without it.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader(package, "prompts")
    environment = Environment(loader=loader, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return environment.get_template(file).module


def one_line(text: str, longest: int | None = None) -> str:
    """The text without line breaks and control characters, cut to at most `longest` characters."""
    line = " ".join(readable(text).split())
    return line if longest is None or len(line) <= longest else line[: longest - 1].rstrip() + _MORE
