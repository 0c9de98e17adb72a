"""The last check on a compiled query: it is parsed again, and holds only allowed words.

Cheaper and stricter than `connectors.guard`, which checks queries by people: half a millisecond, and every
word must be one that compiled queries use.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import pyoxigraph as ox

from connectors.errors import EndpointRefusedQuery
from connectors.guard import VENDOR_NAMESPACES
from connectors.sparql_text import SparqlToken, UnclearText, significant, tokenize

XSD_CASTS = ("double", "boolean", "date", "dateTime")
# Predicates by which Virtuoso and Jena search their full text; their objects are data.
FULL_TEXT_SEARCHES = frozenset({"bif:contains", "http://jena.apache.org/text#query"})
ALLOWED_WORDS = frozenset(
    """
    PREFIX SELECT DISTINCT WHERE FILTER NOT EXISTS OPTIONAL UNION MINUS VALUES GRAPH BIND AS GROUP BY HAVING
    ORDER DESC LIMIT OFFSET COUNT SUM AVG MAX MIN SAMPLE IF IN COALESCE BOUND STR CONCAT LANG DATATYPE YEAR
    MONTH DAY HOURS MINUTES SECONDS FLOOR SUBSTR CONTAINS LCASE ISNUMERIC ISIRI ISBLANK ISLITERAL TRUE FALSE
    UNDEF A
    """.split()
)


@lru_cache(maxsize=1024)
def require_plain_select(text: str) -> None:
    """Accept one SELECT made of allowed words.

    Raises:
        EndpointRefusedQuery: the text does not parse, or holds a word or call outside the allow-list.
    """
    _require(text, frozenset())


def require_name_search(text: str) -> None:
    """Accept one SELECT of allowed words that may ask the store's full text, and no other vendor's procedure.

    For name look-ups by the gateway itself; text by people stands in strings alone.

    Raises:
        EndpointRefusedQuery: as `require_plain_select`.
    """
    _require(text, FULL_TEXT_SEARCHES)


def _require(text: str, vendor_names: frozenset[str]) -> None:
    try:
        tokens = significant(tokenize(text))
    except UnclearText as error:
        raise _refusal(str(error)) from error
    for token in tokens:
        iri = token.text.strip("<>")
        if token.kind == "iri" and iri.lower().startswith(VENDOR_NAMESPACES) and iri not in vendor_names:
            raise _refusal(f"{token.text[:100]!r} is a vendor's function or procedure")
        if token.kind == "word" and token.text.upper() not in ALLOWED_WORDS:
            raise _refusal(f"{token.text[:50]!r} does not belong in a compiled query")
    for position, (name, following) in enumerate(pairwise(tokens)):
        is_call = name.kind in ("iri", "name") and following.text == "("
        if name.text.strip("<>") in vendor_names:
            continue
        if is_call and not (_is_cast(name.text) or _is_path(tokens[position + 2 : position + 5])):
            raise _refusal(f"{name.text[:100]!r} is a function outside the allow-list")
    try:
        parsed = ox.Store().query(text)
    except (SyntaxError, ValueError, RuntimeError) as error:
        raise _refusal(f"the text does not parse: {error}"[:300]) from error
    if not isinstance(parsed, ox.QuerySolutions):
        raise _refusal("the query is no SELECT")


def _is_cast(name: str) -> bool:
    return name in {f"xsd:{cast}" for cast in XSD_CASTS} or name.endswith(
        tuple(f"XMLSchema#{cast}>" for cast in XSD_CASTS)
    )


def _is_path(inside: Sequence[SparqlToken]) -> bool:
    """True for the inside of `ex:ann (ex:knows|ex:likes) ?x`: a function's arguments have no single bar."""
    signs = [token.text == "|" for token in inside]
    return signs == [False, True, False]


def _refusal(reason: str) -> EndpointRefusedQuery:
    return EndpointRefusedQuery(
        f"the compiled query was not sent: {reason}", hint="this is a fault of the compiler: report the trace"
    )
