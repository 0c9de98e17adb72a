"""The tools by which a model looks at a graph, and results within a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nlq_gateway.models import Tool

# The most tokens of a look's result.
TOKENS = 600
# The most characters of a look's argument.
LONGEST_NAME, LONGEST_PROGRAM = 200, 4_000
_CUT = "… the rest is left out"

FIND, DESCRIBE, RUN = (
    Tool(
        "find",
        "Gives the classes, relations, attributes, things and values of the graph that are like some words.",
        "words",
        "a few words, such as a name",
    ),
    Tool(
        "describe",
        "Gives what the members of a class, or one thing, have: attributes with types and values, and"
        " relations in both directions with counts. Of a relation or attribute it gives the classes.",
        "name",
        "a name of the graph, spelled as there",
    ),
    Tool(
        "run",
        "Runs a program, and gives how many results each step has, up to five of them, and the answer.",
        "program",
        "the whole program, one step a line",
    ),
)
TOOLS = (FIND, DESCRIBE, RUN)


def within(lines: Iterable[str], count: Callable[[str], int]) -> str:
    """The first lines that fit `TOKENS`; a last one says that some are missing."""
    kept, left = list[str](), TOKENS - count(_CUT)
    for line in lines:
        left -= count(line) + 1
        if left < 0:
            return "\n".join((*kept, _CUT))
        kept.append(line)
    return "\n".join(kept)
