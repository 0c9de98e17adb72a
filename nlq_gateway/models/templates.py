"""Prompts from templates (Jinja), and texts of a graph or a question as one line of a prompt.

A file of templates is a file of macros, so that one file has a prompt's prefix and its body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from nlq_gateway.core.words import readable

if TYPE_CHECKING:
    from jinja2 import Environment

_MORE = "…"


@dataclass(frozen=True, eq=False)
class PromptTemplates:
    """The files `prompts/*.j2` of a package, with the filters that they use besides Jinja's and `line`."""

    package: str
    filters: Mapping[str, Callable[..., object]] = field(default_factory=dict)

    def render(self, file: str, macro: str, **values: object) -> str:
        """Return the output of a file's macro, `prefix` or `body`; an undefined variable is an error."""
        module = self._environment.get_template(file).module
        written: str = getattr(module, macro)(**values)
        return written

    @cached_property
    def _environment(self) -> Environment:
        # Questions that no model reads do without it.
        from jinja2 import Environment, PackageLoader, StrictUndefined

        made = Environment(
            loader=PackageLoader(self.package, "prompts"),
            # A prompt is plain text.
            autoescape=False,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
        )
        made.filters.update(line=one_line, **self.filters)
        return made


def one_line(text: str, longest: int | None = None) -> str:
    """The text without line breaks and control characters, cut to at most `longest` characters."""
    line = " ".join(readable(text).split())
    return line if longest is None or len(line) <= longest else line[: longest - 1].rstrip() + _MORE
