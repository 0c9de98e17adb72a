"""A store's own statement that its content is unchanged.

A store can make it where its graph describes itself as a dataset, ontology or graph with a date of change.
The date counts together with the number of all triples: equal numbers alone prove nothing, as a value may
have been replaced. Without such a date nothing is known, and an index is made anew.
"""

from __future__ import annotations

from compilers.layouts.vocabulary import OWL, SCHEMA
from connectors.base import Connector
from nlq_gateway.index.introspect.pages import NOT_TOLD, values_block

# A version is made anew after this many times `max_age_s`, even if the store reports no change.
TRUSTED_PERIODS = 7

_CLASSES = (
    OWL + "Ontology",
    "http://rdfs.org/ns/void#Dataset",
    "http://www.w3.org/ns/dcat#Dataset",
    SCHEMA + "Dataset",
    "https://schema.org/Dataset",
    "http://www.w3.org/ns/sparql-service-description#Dataset",
    "http://www.w3.org/ns/sparql-service-description#NamedGraph",
)
_DATES = (
    "http://purl.org/dc/terms/modified",
    SCHEMA + "dateModified",
    "https://schema.org/dateModified",
    "http://www.w3.org/ns/prov#generatedAtTime",
    "http://purl.org/pav/lastUpdateOn",
)
_MOST = 1_000
_QUERY_MS = 60_000


def state_of(connector: Connector) -> dict[str, str]:
    """The store's statement about its content; {} if it cannot show a change.

    Raises:
        EndpointError: the store is down.
    """
    text = (
        f"SELECT ?dataset ?date ?when WHERE {{ {values_block('class', _CLASSES)} ?dataset a ?class ."
        f" ?dataset ?date ?when FILTER(?date IN ({', '.join(f'<{iri}>' for iri in _DATES)})) }} LIMIT {_MOST}"
    )
    try:
        rows = connector.query(text, timeout_ms=_QUERY_MS, max_rows=_MOST).rows
        dates = {" ".join(term.value for term in row if term is not None) for row in rows}
        if not dates or len(rows) >= _MOST:
            return {}
        count = connector.query("SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }", timeout_ms=_QUERY_MS)
    except NOT_TOLD:
        return {}
    triples = next((term.value for term in count.column("n")), "")
    return {"triples": triples, "dates": "; ".join(sorted(dates))}
