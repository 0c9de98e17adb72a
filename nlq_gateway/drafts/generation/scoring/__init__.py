"""Drafts of others, in the order in which a model finds them probable, and pruned as they grow (BYOKG).

drafts.py   the order, with what the model gives for each draft
pruning.py  which of the programs that grow are worth going on with
prompt.py   the prompts, and a program as a line of these
"""

from nlq_gateway.drafts.generation.scoring.drafts import INVERSE, LIKELIHOOD, rescored
from nlq_gateway.drafts.generation.scoring.prompt import inverse_prompt, line_of, score_prompt
from nlq_gateway.drafts.generation.scoring.pruning import Pruner

__all__ = ["INVERSE", "LIKELIHOOD", "Pruner", "inverse_prompt", "line_of", "rescored", "score_prompt"]
