"""Drafts programs without a model, from the graph and the words of the question."""

from __future__ import annotations

from nlq_gateway.drafts.reasoning.strategy import BottomUp, Breadth, Prune
from nlq_gateway.drafts.reasoning.surroundings import Facts, Partial, Reach, Surroundings
from nlq_gateway.drafts.reasoning.vocabulary import Vocabulary

__all__ = ["BottomUp", "Breadth", "Facts", "Partial", "Prune", "Reach", "Surroundings", "Vocabulary"]
