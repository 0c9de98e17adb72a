"""Looks at the graph that a model takes before it writes its program.

tools.py     the tools, and results within a budget of tokens
finding.py   names and values similar to some words
classes.py   classes, relations and attributes, described
things.py    things, described by their facts
explorer.py  the dialogue: looks and programs in turn, within a bound on calls
"""

from __future__ import annotations

from nlq_gateway.drafts.generation.looking.classes import NameDescriber
from nlq_gateway.drafts.generation.looking.explorer import EXPLORED, Explorer, prompt_of
from nlq_gateway.drafts.generation.looking.finding import found
from nlq_gateway.drafts.generation.looking.tools import (
    DESCRIBE,
    FIND,
    LONGEST_NAME,
    LONGEST_PROGRAM,
    RUN,
    TOKENS,
    TOOLS,
    within,
)

__all__ = [
    "DESCRIBE",
    "EXPLORED",
    "FIND",
    "LONGEST_NAME",
    "LONGEST_PROGRAM",
    "RUN",
    "TOKENS",
    "TOOLS",
    "Explorer",
    "NameDescriber",
    "found",
    "prompt_of",
    "within",
]
