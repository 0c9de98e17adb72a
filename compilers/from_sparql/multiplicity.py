"""The number of members or values at one place of a pattern per member at another."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.query import Constant, Expression, QueryCall, QueryIri, QueryVariable, occurrences
from compilers.from_sparql.schema import Schema
from compilers.from_sparql.shape import Link, Match, Node, Tree, Way, spine
from compilers.kopl.functions import ValueType


def require_told_apart(tree: Tree, read: Collection[QueryVariable], schema: Schema) -> None:
    """Raise CannotState where conditions on one of several values would test different ones."""
    asked = [variable for condition in tree.filters for variable in occurrences(condition)]
    matches = (way for ways in tree.links.values() for way in ways if isinstance(way, Match))
    asked.extend(own for match in matches for own, _, _ in match.tests)
    for variable in {*asked} & {*tree.values}:
        if not schema.attribute(tree.values[variable].attribute).single:
            if asked.count(variable) > 1:
                raise CannotState("several conditions on one value of an attribute that may have several")
            if variable in read:
                raise CannotState("a condition on a shown value of an attribute that may have several")


def is_single(link: Way, schema: Schema) -> bool:
    """True if a link leads to one member at most."""
    if isinstance(link.target, QueryIri):
        return True
    return isinstance(link, Link) and not link.deep and schema.is_single(link.relation, link.direction)


def single_path(tree: Tree, root: Node, node: Node, schema: Schema) -> bool:
    """True if each member of the root goes with one member of the node at most."""
    return all(is_single(link, schema) for link in tree.path(root, node))


def is_key(tree: Tree, root: Node, schema: Schema) -> bool:
    """True if each member of the root is in one solution at most."""
    return all(single_path(tree, root, node, schema) for node in tree.nodes) and all(
        has_one(tree, variable, schema) for variable in tree.values
    )


def has_one(tree: Tree, variable: QueryVariable, schema: Schema) -> bool:
    """True if a member has at most one of these values; a fixed text occurs once."""
    if schema.attribute(tree.values[variable].attribute).single:
        return True
    return any(_fixes(condition, variable) for condition in tree.filters)


def _fixes(condition: Expression, variable: QueryVariable) -> bool:
    match condition:
        case QueryCall("=", (asked, Constant(_, ValueType.STRING))):
            return asked == variable
    return False


def is_complete(tree: Tree, root: Node, ends: Iterable[Node], schema: Schema) -> bool:
    """True if the ways from the root through `ends` tell all solutions apart: other links are single."""
    on_spine = spine(tree, root, ends)
    pending: list[tuple[Node, Node | None]] = [(root, None)]
    while pending:
        node, parent = pending.pop()
        for link in tree.children(node, parent):
            if link.target not in on_spine and not is_single(link, schema):
                return False
            pending.append((link.target, node))
    return True
