"""Partitions shared by the classes below one that has no members of its own.

Hierarchies are often deep, and only their lowest classes have members: without this a card would repeat the
same lines for each of these, and have none for `sensor`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from nlq_gateway.core.types import Partition


def shared(
    iri: str, rows: Iterable[Partition], below: Collection[str]
) -> tuple[list[Partition], list[Partition]]:
    """The partitions of a class, and those that lead to it, shared by all classes below with any.

    () if fewer than two of the classes `below` have any.
    """
    own: defaultdict[str, list[Partition]] = defaultdict(list)
    towards: defaultdict[str, list[Partition]] = defaultdict(list)
    for one in rows:
        if one.concept in below:
            own[one.concept].append(one)
        if one.target in below:
            towards[one.target].append(one)
    classes = own.keys() | towards.keys()
    if len(classes) < 2:
        return [], []
    return (
        _common(own, classes, lambda one: replace(one, concept=iri)),
        _common(towards, classes, lambda one: replace(one, target=iri)),
    )


def _common(
    found: Mapping[str, Sequence[Partition]],
    classes: Iterable[str],
    lifted: Callable[[Partition], Partition],
) -> list[Partition]:
    """The partitions shared by every class, with the sums of their facts."""
    each = [{(one.kind, one.iri) for one in found.get(concept, ())} for concept in classes]
    common = set.intersection(*each)
    merged: dict[tuple[str, ...], Partition] = {}
    for one in (lifted(one) for of_class in found.values() for one in of_class):
        if (one.kind, one.iri) in common:
            place = (one.kind, one.iri, one.concept, one.target)
            first = merged.get(place)
            count = one.count + (first.count if first is not None else 0)
            merged[place] = replace(first or one, count=count, complete=False)
    return list(merged.values())
