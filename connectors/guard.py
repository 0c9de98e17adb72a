"""Read-only, enforced by parsing.

A query passes when it is one SELECT, ASK, CONSTRUCT or DESCRIBE that reaches nothing but the store's own
data: no update, no SERVICE, no vendor function or pragma. On several stores these reach the network, the
server's files or its SQL even for an account that may only read.

The text is cut into tokens (`sparql_text`), the strings are blanked, and rdflib's parser reads the rest;
what stores could read differently is refused. The parser is slow, 5 ms for a small query and 50 ms for one
of 20 patterns and filters, so what it found is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn
from urllib.parse import urlsplit

from pyparsing import ParseBaseException
from rdflib.plugins.sparql.parser import Query
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import URIRef

from connectors.errors import EndpointRefusedQuery
from connectors.rdf12 import without_rdf12
from connectors.sparql_text import (
    Token,
    UnclearText,
    prologue_length,
    significant,
    skeleton,
    structural,
    tokenize,
)

MAX_LENGTH = 1_000_000
# Words, variables and signs; the parser needs about a second for as many of them.
MAX_STRUCTURE = 5_000
XSD = "http://www.w3.org/2001/XMLSchema#"
# IRIs by which stores reach beyond the data: Virtuoso's SQL, Java classes, ARQ's and Jena's procedures.
VENDOR_NAMESPACES = (
    "bif:",
    "sql:",
    "java:",
    "jdbc:",
    "file:",
    "http://jena.apache.org/arq/",
    "http://jena.hpl.hp.com/arq/",
    "http://jena.apache.org/text#",
    "http://jena.apache.org/spatial#",
    "http://www.openlinksw.com/schemas/bif#",
    "http://www.bigdata.com/",
    "http://www.ontotext.com/",
    "tag:stardog:",
)
_UPDATES = frozenset(["INSERT", "DELETE", "WITH", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD"])
_FORMS = {
    "SelectQuery": "SELECT",
    "AskQuery": "ASK",
    "ConstructQuery": "CONSTRUCT",
    "DescribeQuery": "DESCRIBE",
}
_MAX_DECLARATIONS = 500


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """What a query is and reaches.

    `names` are all IRIs, prefixed names resolved (as far as the query declares the prefix). A service is
    None where it is a variable.
    """

    form: str
    names: frozenset[str]
    functions: frozenset[str]
    services: frozenset[str | None]
    has_dataset: bool


def require_read_only(
    text: str,
    *,
    allow_service: tuple[str, ...] = (),
    allow_names: tuple[str, ...] = (),
    fixed_dataset: bool = False,
) -> str:
    """The form of a query that only reads: SELECT, ASK, CONSTRUCT or DESCRIBE.

    Args:
        text: the query.
        allow_service: hosts, or `host:port`, that SERVICE may name.
        allow_names: IRIs of vendor functions that may be used all the same.
        fixed_dataset: whether FROM and FROM NAMED are refused.

    Raises:
        EndpointRefusedQuery: with the reason, and what to change.
    """
    query = parse_query(text)
    if fixed_dataset and query.has_dataset:
        _refuse("FROM is not allowed here", "the graphs are set for this endpoint: leave FROM out")
    for service in query.services:
        _require_service(service, allow_service)
    for name in sorted(query.names - frozenset(allow_names)):
        if name.lower().startswith(VENDOR_NAMESPACES):
            _refuse(f"<{name:.100}> belongs to a vendor's procedures", "use standard SPARQL 1.1")
    for function in sorted(query.functions - frozenset(allow_names)):
        if not function.startswith(XSD):
            _refuse(f"the function <{function:.100}> is not allowed", "use SPARQL 1.1's own and xsd casts")
    return query.form


@lru_cache(maxsize=256)
def parse_query(text: str) -> ParsedQuery:
    """What one query is and reaches; kept for the last 256 texts.

    Raises:
        EndpointRefusedQuery: no single SPARQL query that reads, with line and column.
    """
    if len(text) > MAX_LENGTH:
        _refuse(f"the query has {len(text)} characters", f"at most {MAX_LENGTH} are read")
    if "\0" in text or not _is_unicode(text):
        _refuse("the query holds a NUL or half a surrogate pair", "send well-formed UTF-8")
    try:
        tokens = tokenize(text)
    except UnclearText as error:
        _refuse(str(error), "write the query so that it can be read in one way only")
    if (size := structural(tokens)) > MAX_STRUCTURE:
        _refuse(f"the query has {size} words and signs", f"at most {MAX_STRUCTURE} are read")
    _require_query(significant(tokens))
    return _describe(_parse(tokens))


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _require_query(tokens: Sequence[Token]) -> None:
    """Say what is wrong with the commonest of what is refused; the parser refuses the rest."""
    start = prologue_length(tokens)
    first = tokens[start].text.upper() if start < len(tokens) else ""
    if first in _UPDATES:
        _refuse(f"{first} is an update", "only SELECT, ASK, CONSTRUCT and DESCRIBE are allowed")
    if first == "DEFINE":
        _refuse("a define pragma changes what the query means", "leave it out")
    if start > _MAX_DECLARATIONS:
        _refuse("the query declares too many prefixes", "declare the ones it uses")


def _parse(tokens: Sequence[Token]) -> Any:
    try:
        return _read(skeleton(tokens))
    except UnclearText as error:
        failure = str(error)
    try:
        return _read(skeleton(without_rdf12(tokens)))
    except UnclearText:
        _refuse(
            f"not one SPARQL query: {failure}",
            "correct the syntax; one query at a time, nested less deeply, and no vendor's extensions",
        )


def _read(text: str) -> Any:
    try:
        return Query.parse_string(text, parse_all=True)
    except ParseBaseException as error:
        raise UnclearText(f"line {error.lineno}, column {error.column}: {error.msg:.200}") from error
    except RecursionError as error:
        raise UnclearText("nested too deeply") from error
    except Exception as error:
        # What the parser's own actions raise is not documented; whatever it is, there is no tree to check.
        raise UnclearText(f"{error}") from error


def _describe(tree: Any) -> ParsedQuery:
    declarations, query = tree[0], tree[1]
    prefixes = _prefixes(declarations)
    nodes = tuple(_walk(query))
    return ParsedQuery(
        form=_FORMS[query.name],
        names=frozenset(name for node in nodes for name in _names(node, prefixes)),
        functions=frozenset(
            name for node in nodes if _is(node, "Function") for name in _names(node["iri"], prefixes)
        ),
        services=frozenset(
            name
            for node in nodes
            if _is(node, "ServiceGraphPattern")
            for name in (_names(node["term"], prefixes) or (None,))
        ),
        has_dataset=any("datasetClause" in node for node in nodes if isinstance(node, CompValue)),
    )


def _prefixes(declarations: Any) -> dict[str, tuple[str, ...]]:
    """Prefix to every IRI that it is declared for: stores differ in which of two declarations wins."""
    found: dict[str, tuple[str, ...]] = {}
    for declaration in declarations:
        if declaration.name == "PrefixDecl":
            prefix = declaration.get("prefix") or ""
            found[prefix] = (*found.get(prefix, ()), str(declaration["iri"]))
    return found


def _walk(root: Any) -> Iterator[Any]:
    """Every node of a parse tree, names and terms included."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, CompValue):
            pending.extend(node.values())
        elif not isinstance(node, str) and hasattr(node, "__iter__"):
            pending.extend(node)


def _names(node: Any, prefixes: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The IRIs that a node can stand for; the name itself where the prefix is not declared."""
    if isinstance(node, URIRef):
        return (str(node),)
    if not _is(node, "pname"):
        return ()
    prefix, local = node.get("prefix") or "", str(node.get("localname") or "").replace("\\", "")
    return tuple(namespace + local for namespace in prefixes.get(prefix, (_well_known(prefix),)))


def _well_known(prefix: str) -> str:
    """Virtuoso predeclares some prefixes, so an undeclared one is not always an error."""
    return XSD if prefix == "xsd" else f"{prefix}:"


def _is(node: Any, name: str) -> bool:
    return isinstance(node, CompValue) and node.name == name


def _require_service(service: str | None, allowed: tuple[str, ...]) -> None:
    hint = "SERVICE is refused unless its host is on the endpoint's list"
    if service is None:
        _refuse("SERVICE with a variable could reach any host", hint)
    try:
        parts = urlsplit(service)
        host, port = (parts.hostname or ""), parts.port
    except ValueError:
        _refuse(f"SERVICE <{service:.100}> is no URL", hint)
    if parts.scheme not in ("http", "https") or not {host, f"{host}:{port}"} & {a.lower() for a in allowed}:
        _refuse(f"SERVICE <{service:.100}> is not allowed", hint)


def _refuse(reason: str, hint: str) -> NoReturn:
    raise EndpointRefusedQuery(reason, hint=hint)
