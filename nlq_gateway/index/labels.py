"""The predicates that name the things of a graph, and the share of things that they name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from compilers.layouts.vocabulary import RDF, XSD
from connectors.base import Connector
from connectors.errors import EndpointRefusedQuery, EndpointTimeout, IncompleteResult
from connectors.results import Row
from nlq_gateway.index.introspect.classes import is_vocabulary
from nlq_gateway.index.introspect.pages import WRITABLE, integer, value, values_block
from nlq_gateway.index.text import humanise, local_name

_TIMEOUT_MS = 5_000
_CLASSES = 20
_LISTED = 100
_MEMBERS = 200
_COVERED = 1_000
_LEAST_SHARE = 0.5
# Names are distinct, and shorter than descriptions.
_LEAST_DISTINCT = 0.5
_LONGEST = 80
_ONCE = 1.2
_NAME_WORDS = re.compile(
    r"\b(?:label|name|title|caption|heading|nom|titre|titel|bezeichnung|nombre|titolo|nome|naam)$", re.I
)
_NOT_TOLD = (EndpointRefusedQuery, EndpointTimeout, IncompleteResult)
_IS_TEXT = f'FILTER(isLiteral(?o) && (LANG(?o) != "" || DATATYPE(?o) = <{XSD}string>))'


@dataclass(frozen=True, slots=True)
class LabelFinding:
    """The label predicates that a graph uses, best first; `warning` is set if none is configured."""

    predicates: tuple[str, ...]
    warning: str = ""


def find_label_predicates(connector: Connector, wanted: Sequence[str]) -> LabelFinding:
    """The wanted predicates that the graph uses, else one whose values look like names.

    Such a predicate is called like a name, and at least half of some members of the graph's classes have it,
    about once each, with short and distinct texts. At most some twenty small queries.

    Raises:
        EndpointError: the store is down, or does not list which of the wanted predicates it has.
    """
    exists = f"{values_block('label', wanted)} FILTER EXISTS {{ ?entity ?label ?text }}"
    result = connector.query(f"SELECT ?label WHERE {{ {exists} }}")
    used = {term.value for term in result.column("label")}
    if used or not (found := _looks_like_labels(connector)):
        return LabelFinding(tuple(iri for iri in wanted if iri in used))
    return LabelFinding(
        (found,),
        f"none of the label predicates is in use: <{found}> is taken for one; "
        "name the right ones in `labels.predicates`",
    )


def label_coverage(
    connector: Connector, predicates: Sequence[str], membership: str = RDF + "type"
) -> dict[str, float]:
    """The share of the members of each class that have a label, in [0, 1], of the 20 largest classes.

    Of a class with many members a thousand are read. A class for which the store does not answer in time is
    left out.

    Raises:
        EndpointError: the store is down.
    """
    found: dict[str, float] = {}
    for iri in _classes(connector, membership):
        some = f"{{ SELECT ?s WHERE {{ ?s <{membership}> <{iri}> FILTER(isIRI(?s)) }} LIMIT {_COVERED} }}"
        labelled = f"{some} {values_block('label', predicates)} ?s ?label ?text"
        members = _number(connector, f"SELECT (COUNT(*) AS ?n) WHERE {{ {some} }}")
        if members:
            having = _number(connector, f"SELECT (COUNT(DISTINCT ?s) AS ?n) WHERE {{ {labelled} }}")
            found |= {iri: having / members} if having is not None else {}
    return found


def _looks_like_labels(connector: Connector) -> str:
    """The predicate that most members of some classes have as a name; "" if there is none."""
    members = 0
    having: Counter[str] = Counter()
    for iri in _classes(connector, RDF + "type"):
        some = (
            f"{{ SELECT DISTINCT ?s WHERE {{ ?s <{RDF}type> <{iri}> FILTER(isIRI(?s)) }} LIMIT {_MEMBERS} }}"
        )
        members += _number(connector, f"SELECT (COUNT(*) AS ?n) WHERE {{ {some} }}") or 0
        head = "SELECT ?p (COUNT(DISTINCT ?s) AS ?n) (COUNT(*) AS ?m) (COUNT(DISTINCT ?o) AS ?d)"
        text = f"{head} (AVG(STRLEN(STR(?o))) AS ?length) WHERE {{ {some} ?s ?p ?o {_IS_TEXT} }} GROUP BY ?p"
        for predicate, subjects, texts, distinct, length in _rows(connector, text):
            if _are_names(value(predicate), integer(subjects), integer(texts), integer(distinct), length):
                having[value(predicate)] += integer(subjects)
    best = sorted((-count, iri) for iri, count in having.items() if count >= _LEAST_SHARE * members)
    return best[0][1] if best else ""


def _are_names(iri: str, subjects: int, texts: int, distinct: int, length: object) -> bool:
    short = float(getattr(length, "value", 0)) <= _LONGEST
    different = texts <= _ONCE * subjects and distinct >= _LEAST_DISTINCT * texts
    return bool(
        short and different and WRITABLE.fullmatch(iri) and _NAME_WORDS.search(humanise(local_name(iri)))
    )


def _classes(connector: Connector, membership: str) -> list[str]:
    """The largest classes, or some if the store does not count them in time."""
    member = f"?s <{membership}> ?c FILTER(isIRI(?c))"
    texts = (
        f"SELECT ?c (COUNT(*) AS ?n) WHERE {{ {member} }} GROUP BY ?c ORDER BY DESC(?n) ?c LIMIT {_LISTED}",
        f"SELECT DISTINCT ?c WHERE {{ {{ SELECT ?c WHERE {{ {member} }} LIMIT 10000 }} }} LIMIT {_LISTED}",
    )
    rows = next((found for text in texts if (found := _rows(connector, text))), ())
    iris = [value(row[0]) for row in rows]
    return [iri for iri in iris if WRITABLE.fullmatch(iri) and not is_vocabulary(iri)][:_CLASSES]


def _rows(connector: Connector, text: str) -> Sequence[Row]:
    try:
        return connector.query(text, timeout_ms=_TIMEOUT_MS).rows
    except _NOT_TOLD:
        return ()


def _number(connector: Connector, text: str) -> int | None:
    rows = _rows(connector, text)
    return integer(rows[0][0]) if rows else None
