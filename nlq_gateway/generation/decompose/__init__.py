"""Questions decomposed into sub-questions that templates of the graph can say (Keqing).

lines.py      reads what the model wrote
grammar.py    the grammar under which it writes what can be read
forms.py      what can be asked in one step, with the chain of each form
templates.py  the templates of one graph, and those nearest to a sub-question
reading.py    what a sub-question begins from and states
chains.py     templates filled with that
sketch.py     the program that they make
prompt.py     the two prompts
decomposer.py the strategy
"""

from nlq_gateway.generation.decompose.decomposer import (
    Candidate,
    Decomposed,
    Decomposer,
    Members,
    Solved,
)
from nlq_gateway.generation.decompose.grammar import grammar
from nlq_gateway.generation.decompose.lines import MOST_LINES, Parsed, SubQuestion, parse
from nlq_gateway.generation.decompose.templates import Template, Templates

__all__ = [
    "MOST_LINES",
    "Candidate",
    "Decomposed",
    "Decomposer",
    "Members",
    "Parsed",
    "Solved",
    "SubQuestion",
    "Template",
    "Templates",
    "grammar",
    "parse",
]
