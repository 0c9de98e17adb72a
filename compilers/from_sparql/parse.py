"""Parses text to SPARQL's algebra, by rdflib; equal texts give equal algebras."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyparsing import ParseBaseException, ParserElement
from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import BNode
from rdflib.term import Variable as Name

from compilers.from_sparql.errors import CannotState, NotSparql


@dataclass(frozen=True, slots=True)
class QueryAlgebra:
    """A query's algebra, its variables in the order of the text, and its form.

    `star` is true for `SELECT *`, `ask` for an ASK.
    """

    algebra: Any
    names: tuple[str, ...]
    star: bool
    ask: bool


def parse(text: str, prefixes: Mapping[str, str]) -> QueryAlgebra:
    """The algebra of a SELECT or an ASK; raises NotSparql, and CannotState for another form."""
    try:
        # Parsing changes the grammar's objects, so that two threads may not parse at a time.
        with ParserElement.recursion_lock:
            tree = parseQuery(text)
        names = _prepare(tree)
        algebra = translateQuery(tree, initNs=dict(prefixes)).algebra
    except ParseBaseException as error:
        raise NotSparql(f"line {error.lineno}, column {error.column}: {error.msg:.200}") from error
    except Exception as error:
        # rdflib raises plain exceptions for unknown prefixes, doubled names and keys that are not grouped.
        raise NotSparql(str(error)) from error
    if algebra.name not in ("SelectQuery", "AskQuery"):
        raise CannotState("only SELECT and ASK are read")
    return QueryAlgebra(algebra["p"], tuple(names), "projection" not in tree[1], algebra.name == "AskQuery")


def _prepare(tree: Any) -> list[str]:
    r"""Unescape local names, and give blank nodes names in the order of the text; all names in that order.

    rdflib keeps the backslashes of `:cars\#year`, and names blank nodes at random.
    """
    blanks: dict[BNode, Name] = {}
    names: dict[str, None] = {}

    def visit(node: Any) -> Any:
        if isinstance(node, BNode):
            node = blanks.setdefault(node, Name(f"_{len(blanks)}"))
        if isinstance(node, Name):
            names.setdefault(str(node))
        elif isinstance(node, CompValue):
            for key, value in node.items():
                node[key] = value.replace("\\", "") if key == "localname" else visit(value)
        elif not isinstance(node, str) and hasattr(node, "__iter__"):
            for index, value in enumerate(node):
                node[index] = visit(value)
        return node

    visit(tree)
    return list(names)
