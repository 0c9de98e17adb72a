"""Drafts of others, in the order in which a model finds them probable (BYOKG).

drafts.py  the order, with what the model gives for each draft
prompt.py  the two prompts, and a program as a line of these
"""

from nlq_gateway.generation.scoring.drafts import INVERSE, LIKELIHOOD, rescored
from nlq_gateway.generation.scoring.prompt import inverse_prompt, line_of, score_prompt

__all__ = ["INVERSE", "LIKELIHOOD", "inverse_prompt", "line_of", "rescored", "score_prompt"]
