"""The form of a query and all that it reaches, from its parse tree, which rdflib makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyparsing import ParseBaseException, ParserElement
from rdflib.plugins.sparql.parser import Query

from connectors.errors import EndpointRefusedQuery
from connectors.graph_names import named_by_graph
from connectors.parsed_query import ParsedQuery
from connectors.query_names import Declarations, is_node, walk
from connectors.sparql_text import UnclearText

_FORMS = {
    "SelectQuery": "SELECT",
    "AskQuery": "ASK",
    "ConstructQuery": "CONSTRUCT",
    "DescribeQuery": "DESCRIBE",
}


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
        graphs=named_by_graph(nodes, declared),
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
