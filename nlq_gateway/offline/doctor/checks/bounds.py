"""The store's limits on time and rows."""

from __future__ import annotations

import time
from collections.abc import Iterator

from connectors.errors import EndpointStoppedQuery, EndpointTimeout, EndpointTooComplex, IncompleteResult
from connectors.protocol import takes_deadline
from nlq_gateway.offline.doctor.finding import Found
from nlq_gateway.offline.doctor.patient import Patient

_DEADLINE_MS = 2_000
_GRACE_MS = 1_000
# 400 million pairs of a large graph, none of which passes: too many for the deadline, but a store that
# continues regardless finishes them eventually.
_PAIRS = 20_000
_DEAR = (
    f"SELECT (COUNT(*) AS ?pairs) {{ {{ SELECT ?a {{ ?a ?b ?c }} LIMIT {_PAIRS} }}"
    f" {{ SELECT ?d {{ ?d ?e ?f }} LIMIT {_PAIRS} }} FILTER(CONCAT(STR(?a), STR(?d)) = '') }}"
)
_TRIPLES = "SELECT ?s ?p ?o { ?s ?p ?o }"
# The setting by which a store limits the time of queries.
_STOPS = {
    "oxigraph": "start the server with --timeout-s",
    "fuseki": "start the server with --timeout=MILLISECONDS",
    "virtuoso": "set MaxQueryExecutionTime in virtuoso.ini",
    "files": "if such questions are frequent, load the data into a server, which can stop queries",
}
_ROWS = {"virtuoso": "raise ResultSetMaxRows in virtuoso.ini"}


def timeouts(patient: Patient) -> Iterator[Found]:
    """A query that takes too long ends at the deadline, on both sides."""
    started = time.perf_counter()
    try:
        patient.connector.query(_DEAR, timeout_ms=_DEADLINE_MS)
    except (EndpointTimeout, EndpointTooComplex) as error:
        yield _ended(patient, error, (time.perf_counter() - started) * 1000)
        return
    seconds = time.perf_counter() - started
    yield Found("ok", f"a query over pairs of triples was answered in {seconds:.1f} s, before the deadline")


def _ended(patient: Patient, error: EndpointTimeout | EndpointTooComplex, ms: float) -> Found:
    after = f"after {ms / 1000:.1f} s, at a deadline of {_DEADLINE_MS / 1000:.0f} s"
    dialect = patient.connector.dialect if patient.is_remote else "files"
    remedy = _STOPS.get(dialect, "set a limit for the time of a query in the store")
    if ms > _DEADLINE_MS + _GRACE_MS:
        return Found("error", f"a query that takes too long ended only {after}", remedy)
    if isinstance(error, EndpointStoppedQuery | EndpointTooComplex):
        return Found("ok", f"the store stopped a query that takes too long {after}", evidence=(error.detail,))
    if takes_deadline(dialect):
        return Found("ok", f"the gateway stopped waiting {after}; the store got the same limit")
    message = f"the gateway stopped waiting {after}; the store may still be working on the query"
    return Found("note", message, remedy)


def rows(patient: Patient) -> Iterator[Found]:
    """The store sends as many rows as `limits.max_rows` asks for."""
    wanted = patient.settings.limits.max_rows
    remedy = _ROWS.get(patient.connector.dialect, "raise the limit in the store's configuration")
    remedy += ", or lower limits.max_rows"
    try:
        result = patient.connector.query(f"{_TRIPLES} LIMIT {wanted}", max_rows=wanted)
    except IncompleteResult as error:
        yield Found("warning", error.message, remedy)
        return
    count = len(result.rows)
    if result.truncated or (count < wanted and _has_more(patient, count)):
        message = f"the store sends {count} rows of {wanted} that were asked for, and there are more"
        yield Found("warning", message, remedy)
        return
    yield Found("ok", f"the store sent {count:,} rows; up to {wanted:,} were asked for")


def _has_more(patient: Patient, count: int) -> bool:
    return bool(patient.connector.query(f"{_TRIPLES} OFFSET {count} LIMIT 1").rows)
