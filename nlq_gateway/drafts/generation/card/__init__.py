"""The graph card of a prompt: classes with their attributes and relations, within a budget of tokens.

block.py    the block of one class, a line for each attribute and relation, and its text; an item alone
blocks.py   the blocks of an index, with what the classes below one share
whole.py    the card of a graph that fits the budget
part.py     else the part nearest to a question
"""

from __future__ import annotations

from nlq_gateway.drafts.generation.card.block import described
from nlq_gateway.drafts.generation.card.blocks import Blocks
from nlq_gateway.drafts.generation.card.part import SchemaRelevance, blocks_of, part_of
from nlq_gateway.drafts.generation.card.whole import whole

__all__ = ["Blocks", "SchemaRelevance", "blocks_of", "described", "part_of", "whole"]
