"""The form of a query and all that it reaches, from its parse tree, which rdflib makes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pyparsing import ParseBaseException, ParserElement
from rdflib.plugins.sparql.parser import Query
from rdflib.term import Variable

from connectors.errors import EndpointRefusedQuery
from connectors.parsed_query import ParsedQuery
from connectors.query_names import Declarations, is_node, walk
from connectors.sparql_text import UnclearText

_FORMS = {
    "SelectQuery": "SELECT",
    "AskQuery": "ASK",
    "ConstructQuery": "CONSTRUCT",
    "DescribeQuery": "DESCRIBE",
}

# Productions that give a variable a value.
_GIVEN = ("Bind", "InlineData", "ValuesClause", "vars", "Builtin_sameTerm")
_EQUAL = ("=", "IN")


def tree_of(text: str) -> Any:
    """The parse tree of one query, its strings blanked; raises UnclearText if it has none."""
    # While it reads, a parser learns the arity of its rules' actions: not in two threads at a time.
    try:
        with ParserElement.recursion_lock:
            return Query.parse_string(text, parse_all=True)
    except ParseBaseException as error:
        raise UnclearText(f"line {error.lineno}, column {error.column}: {error.msg:.200}") from error
    except RecursionError as error:
        raise UnclearText("nested too deeply") from error
    except Exception as error:
        # The errors of the parser's own actions are undocumented; after any of them there is no tree.
        raise UnclearText(f"{error}") from error


def described(tree: Any) -> ParsedQuery:
    """The query's form, and all names in it."""
    declared, query = Declarations.of(tree[0]), tree[1]
    nodes = tuple(walk(query))
    written = {name for node in nodes for name in declared.names(node)}
    return ParsedQuery(
        form=_FORMS[query.name],
        names=frozenset(reading for name in written for reading in declared.readings(name)),
        functions=frozenset(
            name for node in nodes if is_node(node, "Function") for name in declared.names(node["iri"])
        ),
        services=frozenset(
            name
            for node in nodes
            if is_node(node, "ServiceGraphPattern")
            for name in (declared.names(node["term"]) or (None,))
        ),
        default_graphs=_graphs(nodes, "default", declared),
        named_graphs=_graphs(nodes, "named", declared),
        graphs=_named_by_graph(nodes, declared),
    )


def _graphs(nodes: Sequence[Any], clause: str, declared: Declarations) -> tuple[str, ...]:
    """The graphs of FROM (`default`) or FROM NAMED (`named`)."""
    named = [node.get(clause) for node in nodes if is_node(node, "DatasetClause") and clause in node]
    for node in named:
        if not declared.declares(node):
            raise EndpointRefusedQuery(
                f"the prefix {node.get('prefix') or ''}: of FROM is not declared",
                hint="declare it with PREFIX",
            )
    return tuple(sorted({declared.absolute(name) for node in named for name in declared.names(node)}))


def _named_by_graph(nodes: Sequence[Any], declared: Declarations) -> frozenset[str | None]:
    """The graphs named, absolute where the query has their base; None for one made of a text."""
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
