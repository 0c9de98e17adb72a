"""What tells little apart does not come first: stores begin a join with the first known term that they read.

`?v pred:unit "1" . ?film rdf:type ex:Film` becomes `?film rdf:type ex:Film . ?v pred:unit "1"`. Oxigraph
takes both for equally selective, and would begin with every number of the graph.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from compilers import algebra as a
from compilers.layouts import Layout
from compilers.rewrites.walk import Group, map_groups


def common_behind(select: a.Select, layout: Layout) -> a.Select:
    """Put each triple of a common predicate that leads its group behind the first better known triple."""

    def group(patterns: Group) -> Group:
        return _reordered(tuple(map_groups(pattern, group) for pattern in patterns), layout.common)

    return replace(select, patterns=group(select.patterns))


def _reordered(patterns: Group, common: frozenset[str]) -> Group:
    # What is optional or assigned depends on what stands before it.
    joined = tuple(takewhile(lambda pattern: not isinstance(pattern, (a.Optional, a.Bind)), patterns))
    known = [(at, predicate) for at, one in enumerate(joined) if (predicate := _known_predicate(one))]
    first = next((at for at, predicate in known if predicate not in common), 0)
    moved = {at for at, predicate in known if at < first}
    leading = tuple(one for at, one in enumerate(patterns[: first + 1]) if at not in moved)
    return (*leading, *(patterns[at] for at in sorted(moved)), *patterns[first + 1 :])


def _known_predicate(pattern: a.Pattern) -> str | None:
    """The predicate of a triple that has a known term at one end."""
    match pattern:
        case a.Triple(a.Iri(), a.Iri(predicate), _) | a.Triple(_, a.Iri(predicate), a.Iri() | a.Literal()):
            return predicate
        case _:
            return None
