"""Questions decomposed into sub-questions that templates of the graph can say (Keqing).

lines.py      reads what the model wrote
grammar.py    the grammar under which it writes what can be read
forms.py      what can be asked in one step, with the chain of each form
templates.py  the templates of one graph, and those nearest to a sub-question
reader.py     finds what a sub-question begins from and states
reading.py    a sub-question without these, as it is matched to templates
chains.py     templates filled with that
sketch.py     the program that they make
retrieval.py  the chains of its nearest templates that lead somewhere
choice.py     the model's choice among these
prompt.py     the two prompts
decomposer.py the strategy
result.py     what comes of a question
issues.py     what can be said against a decomposition
"""

from nlq_gateway.drafts.generation.decompose.decomposer import Decomposer
from nlq_gateway.drafts.generation.decompose.grammar import grammar
from nlq_gateway.drafts.generation.decompose.lines import SubQuestionLine, parse
from nlq_gateway.drafts.generation.decompose.result import ChainCandidate, Decomposed, Solved
from nlq_gateway.drafts.generation.decompose.retrieval import Members
from nlq_gateway.drafts.generation.decompose.templates import Templates

__all__ = [
    "ChainCandidate",
    "Decomposed",
    "Decomposer",
    "Members",
    "Solved",
    "SubQuestionLine",
    "Templates",
    "grammar",
    "parse",
]
