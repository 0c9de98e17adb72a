"""Read-only, enforced by parsing.

A query passes when it is one SELECT, ASK, CONSTRUCT or DESCRIBE that is limited to the store's own data: no
update, no SERVICE, no vendor function or pragma. On several stores these reach the network, the server's
files or its SQL even for an account that may only read.

The text is cut into tokens (`sparql_text`), the strings are blanked, and rdflib's parser reads the rest;
text that stores could read differently is refused. The parser is slow, 5 ms for a small query and 50 ms for
one of 20 patterns and filters, so its results are cached.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NoReturn
from urllib.parse import urlsplit

from connectors.errors import EndpointRefusedQuery
from connectors.parsed_query import ParsedQuery
from connectors.rdf12 import without_rdf12
from connectors.sparql_text import (
    SparqlToken,
    UnclearText,
    prologue_length,
    significant,
    skeleton,
    structural,
    tokenize,
)

MAX_LENGTH = 1_000_000
# Words, variables and signs; the parser needs about a second for that many.
MAX_STRUCTURE = 5_000
# All tokens, with names, numbers and strings; long lists of values consist of these.
MAX_TOKENS = 20_000
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
_MAX_DECLARATIONS = 500
_FUNCTIONS_HINT = (
    "use SPARQL 1.1's own functions and xsd casts; the operator lists others under the endpoint's `functions`"
)
_WORD = re.compile(r"[\w-]+")
# The schemes that SERVICE may have, and their ports.
_PORTS = {"http": 80, "https": 443}
_XSD = "http://www.w3.org/2001/XMLSchema#"


def require_read_only(
    text: str,
    *,
    allow_service: tuple[str, ...] = (),
    allow_names: tuple[str, ...] = (),
) -> str:
    """The form of a query that only reads: SELECT, ASK, CONSTRUCT or DESCRIBE.

    Args:
        text: the query.
        allow_service: hosts (with any port), or `host:port`, that SERVICE may name.
        allow_names: IRIs of functions, a vendor's among them, that may be used all the same. One that ends in
            / or # allows all in that namespace but a vendor's.

    Raises:
        EndpointRefusedQuery: with the reason, and a hint for the change.
    """
    query = parse_query(text)
    for service in query.services:
        _require_service(service, allow_service)
    for name in sorted(query.names - frozenset(allow_names)):
        if is_vendors(name):
            _refuse(f"<{name:.100}> belongs to a vendor's procedures", _FUNCTIONS_HINT)
    for function in sorted(query.functions - frozenset(allow_names)):
        if not function.startswith(_XSD) and not _in_namespace(function, allow_names):
            _refuse(f"the function <{function:.100}> is not allowed", _FUNCTIONS_HINT)
    return query.form


def is_vendors(iri: str) -> bool:
    """True if an IRI is one by which some store reaches beyond its data."""
    return iri.lower().startswith(VENDOR_NAMESPACES)


def _in_namespace(function: str, allowed: Sequence[str]) -> bool:
    """True if a function is in an allowed namespace: the rest of its IRI is one word, no path."""
    namespaces = (entry for entry in allowed if entry.endswith(("/", "#")))
    return any(
        function.startswith(space) and _WORD.fullmatch(function, len(space)) is not None
        for space in namespaces
    )


@lru_cache(maxsize=256)
def parse_query(text: str) -> ParsedQuery:
    """The form of one query, and all that it reaches; kept for the last 256 texts.

    Raises:
        EndpointRefusedQuery: not one SPARQL query that reads, with line and column.
    """
    if len(text) > MAX_LENGTH:
        _refuse(f"the query has {len(text)} characters", f"at most {MAX_LENGTH} are read")
    if "\0" in text or not _is_unicode(text):
        _refuse("the query holds a NUL or half a surrogate pair", "send well-formed UTF-8")
    try:
        tokens = tokenize(text)
    except UnclearText as error:
        _refuse(str(error), "write the query so that it can be read in one way only")
    meaningful = significant(tokens)
    for size, most, what in (
        (structural(tokens), MAX_STRUCTURE, "words and signs"),
        (len(meaningful), MAX_TOKENS, "words, names, values and signs"),
    ):
        if size > most:
            _refuse(f"the query has {size} {what}", f"at most {most} are read")
    _require_query(meaningful)
    return _parse(tokens)


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _require_query(tokens: Sequence[SparqlToken]) -> None:
    """Raise EndpointRefusedQuery for the commonest faults; the parser refuses the rest."""
    start = prologue_length(tokens)
    first = tokens[start].text.upper() if start < len(tokens) else ""
    if first in _UPDATES:
        _refuse(f"{first} is an update", "only SELECT, ASK, CONSTRUCT and DESCRIBE are allowed")
    if first == "DEFINE":
        _refuse("a define pragma changes the query's meaning", "leave it out")
    if start > _MAX_DECLARATIONS:
        _refuse("the query declares too many prefixes", "declare the ones it uses")


def _parse(tokens: Sequence[SparqlToken]) -> ParsedQuery:
    # Most questions need none of it, and rdflib takes a tenth of a command's loading time.
    from connectors.query_tree import described, tree_of

    text = skeleton(tokens)
    try:
        return described(tree_of(text))
    except UnclearText as error:
        failure = str(error)
    try:
        return described(tree_of(_in_sparql11(tokens, text)))
    except UnclearText:
        _refuse(
            f"not one SPARQL query: {failure}",
            "correct the syntax; one query at a time, nested less deeply, and no vendor's extensions",
        )


def _in_sparql11(tokens: Sequence[SparqlToken], text: str) -> str:
    """The text without RDF 1.2; raises UnclearText if it has none, since a second parse costs as much."""
    plain = skeleton(without_rdf12(tokens))
    if plain == text:
        raise UnclearText("no RDF 1.2")
    return plain


def _require_service(service: str | None, allowed: tuple[str, ...]) -> None:
    hint = "SERVICE is refused unless its host is on the endpoint's list"
    if service is None:
        _refuse("SERVICE with a variable could reach any host", hint)
    try:
        parts = urlsplit(service)
        host, port = (parts.hostname or ""), parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        _refuse(f"SERVICE <{service:.100}> is no URL", hint)
    host = f"[{host}]" if ":" in host else host
    is_allowed = {host, f"{host}:{port}"} & {entry.lower() for entry in allowed}
    if parts.scheme not in _PORTS or not host or "@" in parts.netloc or not is_allowed:
        _refuse(f"SERVICE <{service:.100}> is not allowed", hint)


def _refuse(reason: str, hint: str) -> NoReturn:
    raise EndpointRefusedQuery(reason, hint=hint)
