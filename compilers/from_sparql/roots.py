"""The node that a line begins with, so that its ways are the solutions of the query."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from compilers.from_sparql.multiplicity import has_one, is_complete, is_key
from compilers.from_sparql.query import Aggregate, Expression, QueryCall, QueryVariable, parts
from compilers.from_sparql.schema import Schema
from compilers.from_sparql.shape import Node, Tree


def read_variables(expressions: Iterable[Expression]) -> tuple[QueryVariable, ...]:
    """The variables whose members or values expressions read; a count of solutions reads none."""
    return tuple(dict.fromkeys(found for expression in expressions for found in _read(expression)))


def _read(expression: Expression) -> Iterator[QueryVariable]:
    match expression:
        case QueryVariable():
            yield expression
        case QueryCall(_, arguments):
            yield from read_variables(arguments)
        case Aggregate("count", _, False) | Aggregate(_, None, _):
            return
        case Aggregate(_, argument, _) if argument is not None:
            yield from _read(argument)


def nodes_read(variables: Iterable[QueryVariable], tree: Tree) -> tuple[Node, ...]:
    """The nodes of variables, in order."""
    found = map(tree.node_of, variables)
    return tuple(dict.fromkeys(node for node in found if node is not None))


def counts_rows(expressions: Iterable[Expression]) -> bool:
    """True if an expression depends on the multiplicity of solutions."""
    found = [p for expression in expressions for p in parts(expression) if isinstance(p, Aggregate)]
    return any(not a.distinct and a.function not in ("min", "max") for a in found)


def choose_root(
    tree: Tree, read: Collection[QueryVariable], bag: bool, schema: Schema
) -> tuple[Node, tuple[QueryVariable, ...]]:
    """The root, and variables that must be read as well so that `bag` counts lose no solution.

    A node whose members each stand in one solution serves best: its members are the solutions.
    """
    ends = nodes_read(read, tree)
    unnamed = (node for node in tree.nodes if isinstance(node, QueryVariable))
    candidates = tuple(dict.fromkeys((*ends, *unnamed, *tree.nodes)))
    keys = [node for node in candidates if is_key(tree, node, schema)]
    if keys:
        return keys[0], ()
    if not bag:
        return candidates[0], ()
    values = tuple(v for v in tree.values if v not in read and not has_one(tree, v, schema))
    for node in candidates:
        if is_complete(tree, node, (*ends, *nodes_read(values, tree)), schema):
            return node, values
    leaves = [
        n for n in tree.nodes if isinstance(n, QueryVariable) and n not in ends and len(tree.links[n]) <= 1
    ]
    return candidates[0], (*values, *leaves)
