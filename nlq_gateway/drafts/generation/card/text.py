"""Blocks as text, and the qualifiers in brackets behind their lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.generation.card.block import GROUPS, CardBlock, CardLine, shortened
from nlq_gateway.drafts.generation.card.value_types import type_names


def block_text(block: CardBlock, lines: Iterable[CardLine]) -> str:
    """A class with some of its lines; `…` behind a group with omitted lines."""
    shown = set(lines)
    whole = {group: len([one for one in block.lines if one.group == group]) for group in GROUPS}
    text = block.head
    for group, found in groupby((one for one in block.lines if one in shown), lambda one: one.group):
        texts = [one.text for one in found]
        text += f"\n  {group}: {'; '.join(texts)}{'; …' if len(texts) < whole[group] else ''}"
    return text


def qualifier_text(item: SchemaItem) -> str:
    """`start time (year or date: 1998 …)`."""
    examples = f": {', '.join(map(shortened, item.examples[:2]))} …" if item.examples else ""
    return f"{item.label} ({type_names(item) or 'a thing'}{examples})"


def written(blocks: Iterable[tuple[CardBlock, Sequence[CardLine]]], qualifiers: Iterable[SchemaItem]) -> str:
    """Blocks that have lines, then the heads of the others, then the qualifiers."""
    shown = list(blocks)
    parts = [block_text(block, lines) for block, lines in shown if lines]
    parts += [block.head for block, lines in shown if not lines]
    if described := "; ".join(map(qualifier_text, qualifiers)):
        parts.append(f"qualifiers: {described}")
    return "\n".join(parts)
