"""Questions decomposed into sub-questions that fit templates of the graph (Keqing).

lines.py      reads the model's text, and has the grammar of it
forms.py      the forms of one-step questions, with the chain of each
templates.py  the templates of one graph, and those nearest to a sub-question
reader.py     finds the operands and values of a sub-question
reading.py    a sub-question with these masked, for matching templates
chains.py     templates filled with operands and values
filling.py    the steps of such a chain
sketch.py     the program that they make
retrieval.py  the chains of its nearest templates that lead somewhere
choice.py     the model's choice among these
prompt.py     the two prompts
decomposer.py the strategy
result.py     the result for a question
"""

from nlq_gateway.drafts.generation.decompose.decomposer import Decomposer
from nlq_gateway.drafts.generation.decompose.lines import grammar
from nlq_gateway.drafts.generation.decompose.result import Decomposed
from nlq_gateway.drafts.generation.decompose.templates import Templates

__all__ = ["Decomposed", "Decomposer", "Templates", "grammar"]
