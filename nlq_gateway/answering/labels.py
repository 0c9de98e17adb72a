"""Labels in another language than those wanted, for things in a result that have no other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from compilers.compile import CompiledQuery
from compilers.labels import compile_labels, label_columns, language_rank
from connectors.errors import EndpointRefusedQuery, EndpointTimeout, IncompleteResult
from connectors.results import Result, Row, Term
from nlq_gateway.answering.execution import Store

# An answer shows a few dozen things; of a longer one the rest is told by IRIs.
MOST_LABELLED = 500
_MS = 3_000
# The answer stands without labels, too.
_NOT_TOLD = (EndpointRefusedQuery, EndpointTimeout, IncompleteResult)
Places = Sequence[tuple[int, int]]


def labelled(query: CompiledQuery, result: Result, store: Store) -> Result:
    """The result, with a label in any language for things that have none in a wanted one.

    One query looks up the first `MOST_LABELLED` of them, where the graph's labels have languages at all.

    Raises:
        EndpointError: the store is down.
    """
    names = label_columns(query.columns)
    places = [(result.columns.index(name), result.columns.index(label)) for name, label in names]
    unnamed = dict.fromkeys(
        term.value
        for row in result.rows
        for at, label in places
        if (term := row[at]) is not None and term.kind == "iri" and row[label] is None
    )
    if store.options.plain_labels or not unnamed:
        return result
    labels = _labels(tuple(unnamed)[:MOST_LABELLED], store)
    return replace(result, rows=tuple(_filled(row, places, labels) for row in result.rows))


def _labels(iris: Sequence[str], store: Store) -> Mapping[str, Term]:
    """The label of each thing that has one: in a regional form of a wanted language, else by tag."""
    try:
        rows = store.select(compile_labels(iris, store.layout, store.options), timeout_ms=_MS).rows
    except _NOT_TOLD:
        return {}
    found: dict[str, Term] = {}
    for thing, label in sorted(rows, key=lambda row: _order(row[1], store.options.languages)):
        if thing is not None and label is not None:
            found.setdefault(thing.value, label)
    return found


def _order(label: Term | None, languages: Sequence[str]) -> tuple[int, str, str]:
    if label is None:
        return len(languages) + 2, "", ""
    return language_rank(label.language, languages), label.language or "", label.value


def _filled(row: Row, places: Places, labels: Mapping[str, Term]) -> Row:
    cells = list(row)
    for at, label in places:
        term = row[at]
        if term is not None and row[label] is None:
            cells[label] = labels.get(term.value)
    return tuple(cells)
