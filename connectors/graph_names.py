"""The graphs that a parsed query names, in GRAPH or as a value of a GRAPH's variable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rdflib.term import Variable

from connectors.query_names import Declarations, is_node, walk

# Productions that give a variable a value.
_GIVEN = ("Bind", "InlineData", "ValuesClause", "vars", "Builtin_sameTerm")
_EQUAL = ("=", "IN")


def named_by_graph(nodes: Sequence[Any], declared: Declarations) -> frozenset[str | None]:
    """The graphs named, absolute where the query has their base; None for one made of a text.

    Args:
        nodes: all of the query.
        declared: its prologue.
    """
    terms = [node["term"] for node in nodes if is_node(node, "GraphGraphPattern")]
    variables = {term for term in terms if isinstance(term, Variable)}
    held = [node for node in nodes if _gives(node) and not variables.isdisjoint(_variables(node))]
    constants = {name for node in (*terms, *held) for name in _names(node, declared)}
    has_text = any(is_node(part, "literal") and "string" in part for node in held for part in walk(node))
    return frozenset({*constants, *([None] if has_text else ())})


def _gives(node: Any) -> bool:
    is_equality = is_node(node, "RelationalExpression") and node.get("op") in _EQUAL
    return is_equality or any(is_node(node, name) for name in _GIVEN)


def _variables(node: Any) -> set[Variable]:
    return {part for part in walk(node) if isinstance(part, Variable)}


def _names(node: Any, declared: Declarations) -> Iterator[str]:
    for part in walk(node):
        yield from map(declared.absolute, declared.names(part))
