"""Drafts of others in order of a model's probabilities, and pruned as they grow (BYOKG).

drafts.py   the order, with the model's scores for each draft
pruning.py  the growing programs that are kept
prompt.py   the prompts, and a program as a line of these
"""

from nlq_gateway.drafts.generation.scoring.drafts import rescored
from nlq_gateway.drafts.generation.scoring.pruning import Pruner

__all__ = ["Pruner", "rescored"]
