"""What a prompt says of a graph: its classes with their attributes and relations, within a budget of tokens.

block.py    what the members of one class have, a line for each attribute and relation
shared.py   what the classes below one have in common
blocks.py   the blocks of an index
text.py     blocks as text
whole.py    the card of a graph that fits the budget
part.py     else the part that is near to a question
item.py     what one item is
"""

from __future__ import annotations

from nlq_gateway.drafts.generation.card.blocks import Blocks
from nlq_gateway.drafts.generation.card.item import described
from nlq_gateway.drafts.generation.card.part import SchemaRelevance, blocks_of, part_of
from nlq_gateway.drafts.generation.card.whole import whole

__all__ = ["Blocks", "SchemaRelevance", "blocks_of", "described", "part_of", "whole"]
