"""The part of a graph's card nearest to a question, if the whole does not fit the budget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from compilers.kopl.functions import Kind
from nlq_gateway.drafts.generation.card.block import CardBlock, CardLine, labelled, qualifier_text, written
from nlq_gateway.drafts.generation.card.blocks import Blocks
from nlq_gateway.drafts.generation.card.whole import Count, own_lines

# The weights of linked classes, of those that relations lead to from there, and of two hops.
_HOPS = (1.0, 0.6, 0.4)
_LINE, _FIRST_LINES = 0.5, 6
_MOST_CLASSES, _MOST_ITEMS = 24, 96
_MOST_NEIGHBOURS = 12
# The shares of the budget for the names of further classes and, in a description, of further lines.
_OTHERS, _NAMED = 0.25, 0.15
# Tokens of the separators between lines, of the names of groups, and of the frame.
_BETWEEN, _GROUPS_COST, _AROUND = 2, 14, 20
# With fewer tokens left, no further line is tried.
_LEAST_LEFT = 10


@dataclass(frozen=True, slots=True)
class SchemaRelevance:
    """The schema nearest to a question: the linked concepts, and by position the items' similarity to it."""

    linked: frozenset[str] = frozenset()
    likeness: Mapping[int, float] = field(default_factory=dict)


def part_of(blocks: Blocks, near: SchemaRelevance, count: Count, budget: int) -> str:
    """The lines nearest to the question that fit, and the other classes by name."""
    weights = _class_weights(blocks, near)
    first = sorted(weights, key=lambda iri: -weights[iri])[:_MOST_CLASSES]
    found = (*blocks.of(first), *blocks.without_class)
    names = list(_class_names(blocks, near))
    listing = _listed(_fitting(names, count, int(_OTHERS * budget)), len(names))
    left = budget - count(listing) - _AROUND
    shown, qualifiers = _chosen(blocks, found, _ranked(blocks, found, weights, near), count, left)
    described = [blocks.index.schema[at] for at in sorted(qualifiers)]
    return "\n".join(filter(None, (written(shown, described), listing)))


def blocks_of(
    blocks: Blocks, concepts: Iterable[str], near: SchemaRelevance, count: Count, budget: int
) -> str:
    """The blocks of these classes, with the lines nearest to the question that fit.

    The first lines of each group come before the later ones of another. Further lines appear by name.
    """
    found = blocks.of(concepts)
    lines = [
        (_weight(1.0, rank, near.likeness.get(line.position, 0.0)), at, line)
        for at, block in enumerate(found)
        for _, group in groupby(block.lines, key=lambda line: line.group)
        for rank, line in enumerate(group)
    ]
    ranked = [(at, line) for _, at, line in sorted(lines, key=lambda one: -one[0])]
    shown, qualifiers = _chosen(blocks, found, ranked, count, int((1 - _NAMED) * budget) - _AROUND)
    bare = [(block, ()) for block in found if all(block is not one for one, _ in shown)]
    text = written((*shown, *bare), [blocks.index.schema[at] for at in sorted(qualifiers)])
    return "\n".join((text, *_left_out(blocks, (*shown, *bare), count, budget - count(text))))


def _left_out(
    blocks: Blocks, shown: Iterable[tuple[CardBlock, Sequence[CardLine]]], count: Count, budget: int
) -> Iterator[str]:
    """Yield lines with the names of each block's omitted lines, as many as fit."""
    for block, lines in shown:
        others = [line for line in block.lines if line not in lines]
        for group, of_group in groupby(others, key=lambda line: line.group):
            head = f"more {group} of {block.label}: "
            names = [labelled(blocks.index.schema[line.position]) for line in of_group]
            if names := _fitting(names, count, budget - count(head)):
                text = f"{head}{', '.join(names)}"
                budget -= count(text)
                yield text


def _class_weights(blocks: Blocks, near: SchemaRelevance) -> dict[str, float]:
    """The weight of each class: linked, reached from a linked one, or similar to the question's words."""
    weights: defaultdict[str, float] = defaultdict(float)
    for iri, weight in _hops(blocks, near.linked):
        weights[iri] = max(weights[iri], weight)
    likest = sorted(near.likeness.items(), key=lambda pair: -pair[1])[:_MOST_ITEMS]
    for position, score in likest:
        item = blocks.index.schema[position]
        if item.kind == Kind.CONCEPT:
            weights[item.iri] += score
        else:
            for iri, _ in (*item.domains[:3], *item.ranges[:1]):
                weights[iri] += 0.8 * score * (1 if iri in near.linked else 0.75)
    known = {iri: weight for iri, weight in weights.items() if iri in blocks.positions}
    for item in blocks.concepts[:_MOST_CLASSES]:
        known.setdefault(item.iri, 0.0)
    return known


def _hops(blocks: Blocks, linked: Iterable[str]) -> Iterator[tuple[str, float]]:
    """The classes within two relations of the linked ones, with their weights."""
    level = [iri for iri in linked if iri in blocks.positions]
    seen: set[str] = set()
    for weight in _HOPS:
        yield from ((iri, weight) for iri in level)
        seen.update(level)
        ends = (
            (line.count, iri)
            for block in blocks.of(level)
            for line in block.lines[: 2 * _MOST_NEIGHBOURS]
            for iri in line.targets
        )
        level = list(dict.fromkeys(iri for _, iri in sorted(ends, reverse=True) if iri not in seen))
        level = level[:_MOST_NEIGHBOURS]


def _ranked(
    blocks: Blocks, found: Sequence[CardBlock], weights: Mapping[str, float], near: SchemaRelevance
) -> list[tuple[int, CardLine]]:
    """The lines that no class above has, each with the number of its block, the nearest first."""
    lines_of = own_lines(blocks, found)
    lines = (
        (_weight(weights.get(block.iri, 0.0), rank, near.likeness.get(line.position, 0.0)), at, line)
        for at, block in enumerate(found)
        for rank, line in enumerate(lines_of(block))
    )
    return [(at, line) for _, at, line in sorted(lines, key=lambda one: -one[0])]


def _chosen(
    blocks: Blocks,
    found: Sequence[CardBlock],
    ranked: Iterable[tuple[int, CardLine]],
    count: Count,
    budget: int,
) -> tuple[list[tuple[CardBlock, tuple[CardLine, ...]]], set[int]]:
    """The first lines that fit, by block, and their qualifiers; a head counts with its first line."""
    kept: defaultdict[int, set[CardLine]] = defaultdict(set)
    qualifiers: set[int] = set()
    for at, line in ranked:
        if budget < _LEAST_LEFT:
            break
        new = set(blocks.qualifiers_at(line.position)) - qualifiers
        texts = [line.text, *(qualifier_text(blocks.index.schema[one]) for one in new)]
        cost = sum(count(text) + _BETWEEN for text in texts)
        cost += 0 if kept[at] else count(found[at].head) + _GROUPS_COST
        if cost <= budget:
            budget -= cost
            kept[at].add(line)
            qualifiers |= new
    blocks_with_lines = ((block, kept[at]) for at, block in enumerate(found) if kept[at])
    return [
        (block, tuple(line for line in block.lines if line in lines)) for block, lines in blocks_with_lines
    ], qualifiers


def _weight(of_class: float, rank: int, likeness: float) -> float:
    """The weight of a line: by its class's weight, its similarity to the question, and its use."""
    return of_class * (_LINE + likeness) + likeness - 0.02 * max(0, rank - _FIRST_LINES)


def _class_names(blocks: Blocks, near: SchemaRelevance) -> Iterator[str]:
    """The labels of all classes, those similar to the question's words first, then the largest."""
    likeness = near.likeness
    ranked = sorted(blocks.concepts, key=lambda item: -likeness.get(blocks.positions[item.iri], 0.0))
    return (item.label for item in ranked)


def _fitting(texts: Sequence[str], count: Count, budget: int) -> list[str]:
    """The first texts that fit the budget."""
    found = []
    for text in dict.fromkeys(texts):
        budget -= count(text) + 1
        if budget < 0:
            break
        found.append(text)
    return found


def _listed(names: Sequence[str], of: int) -> str:
    if not names:
        return ""
    left = of - len(names)
    return f"all classes: {', '.join(names)}{f', and {left:,} more' if left > 0 else ''}"
