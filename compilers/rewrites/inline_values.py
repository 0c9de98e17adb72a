"""Write one known entity in place, instead of as inline data.

`VALUES ?person { ex:ann } ?film ex:director ?person` becomes `?film ex:director ex:ann`: shorter to
read, and an index look-up on every store.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from compilers import algebra as a
from compilers.rewrites.walk import Group, expression_variables, map_groups, map_terms, projected, variables


def inline_values(select: a.Select) -> a.Select:
    """Substitute every variable with one inline value that no pattern outside its group mentions."""
    modifiers = (*select.having, *(ordering.expression for ordering in select.order_by))
    visible = {*projected(select), *(v for modifier in modifiers for v in expression_variables(modifier))}
    return replace(select, patterns=_group(select.patterns, frozenset(visible)))


def _group(patterns: Group, visible: frozenset[a.Variable]) -> Group:
    for values in [p for p in patterns if isinstance(p, a.Values) and _is_constant(p, visible, patterns)]:
        patterns = _substitute(patterns, values)
    return tuple(_inside(pattern, patterns, visible) for pattern in patterns)


def _inside(pattern: a.Pattern, siblings: Group, visible: frozenset[a.Variable]) -> a.Pattern:
    if isinstance(pattern, a.SubSelect):
        return replace(pattern, select=inline_values(pattern.select))
    if not a.children(pattern):
        return pattern
    around = visible.union(*(variables(other) for other in siblings if other is not pattern))
    return map_groups(pattern, lambda group: _group(group, around))


def _is_constant(pattern: a.Values, visible: frozenset[a.Variable], siblings: Group) -> bool:
    if len(pattern.variables) != 1 or len(pattern.rows) != 1:
        return False
    variable = pattern.variables[0]
    mentions = Counter(v for sibling in siblings for v in set(variables(sibling)))
    used = variable not in visible and mentions[variable] > 1
    fits = isinstance(pattern.rows[0][0], a.Iri) or not _leads_a_triple(variable, siblings)
    return used and fits and not _assigned_elsewhere(variable, pattern, siblings)


def _leads_a_triple(variable: a.Variable, patterns: Group) -> bool:
    """True if the variable is in a place without literals: a subject, a predicate or a graph."""
    for pattern in patterns:
        if isinstance(pattern, a.NamedGraph) and variable == pattern.graph:
            return True
        if isinstance(pattern, a.Triple) and variable in _leading(pattern):
            return True
        if any(_leads_a_triple(variable, group) for group in a.children(pattern)):
            return True
    return False


def _leading(triple: a.Triple) -> tuple[a.Node | a.Predicate, ...]:
    """The subjects and predicates of a triple and of the triples in it."""
    inner = (
        node for node in (triple.subject, triple.object) if isinstance(node, a.TripleTerm | a.QuotedTriple)
    )
    nested = (part for node in inner for part in (node.subject, node.predicate))
    return (triple.subject, triple.predicate, *nested)


def _assigned_elsewhere(variable: a.Variable, values: a.Values, patterns: Group) -> bool:
    """True if inline data or an assignment other than `values` binds the variable too."""
    for pattern in patterns:
        match pattern:
            case a.Values() if pattern is not values and variable in pattern.variables:
                return True
            case a.Bind() | a.SubSelect() | a.Domain() if variable in variables(pattern):
                return True
        if any(_assigned_elsewhere(variable, values, group) for group in a.children(pattern)):
            return True
    return False


def _substitute(patterns: Group, values: a.Values) -> Group:
    variable, constant = values.variables[0], values.rows[0][0]
    changed: list[a.Pattern] = []
    for pattern in patterns:
        if pattern == values:
            continue
        if variable in variables(pattern):
            put = map_terms(pattern, lambda term: constant if term == variable else term)
            pattern = replace(put, steps=_joined(pattern.steps, values.steps))
        changed.append(pattern)
    return tuple(changed)


def _joined(steps: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    return (*steps, *(step for step in more if step not in steps))
