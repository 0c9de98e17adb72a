"""Sentences by templates with alternatives, of which chance takes one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from random import Random
from typing import Any

_FILE = resources.files("training.reports").joinpath("forms.toml")
FORMS: dict[str, Any] = tomllib.loads(_FILE.read_text("utf-8"))
_EITHER = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class Chance:
    """Chooses words; the same seed gives the same."""

    random: Random

    def one_in(self, number: float) -> bool:
        """True once in so many times."""
        return self.random.random() * number < 1

    def fill(self, forms: str | Sequence[str], /, **parts: str) -> str:
        """A template, one of some, with each [alternative|or other] chosen and its parts filled in."""
        text = forms if isinstance(forms, str) else self.random.choice(forms)
        for common in ("verb", "with"):
            text = text.replace(f"{{{common}}}", FORMS[common])
        while _EITHER.search(text):
            text = _EITHER.sub(lambda found: self.random.choice(found[1].split("|")), text)
        return text.format_map(parts)
