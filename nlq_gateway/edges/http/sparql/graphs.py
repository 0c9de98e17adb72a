"""The graphs that a query at `/sparql` sees: the requested ones, within the endpoint's settings."""

from __future__ import annotations

from connectors.dataset import Dataset, is_iri, misreads_graphs
from connectors.errors import EndpointRefusedQuery
from connectors.parsed_query import ParsedQuery
from nlq_gateway.settings import EndpointSettings


def dataset_of(settings: EndpointSettings, asked: Dataset, query: ParsedQuery) -> Dataset | None:
    """The request's dataset, else the query's own, else the configured one; None for the store's choice.

    Configured graphs are all that can be seen: each graph asked for is one of them. The protocol's dataset
    takes the place of FROM and FROM NAMED (SPARQL 1.1 Protocol, 2.1.4).

    Raises:
        EndpointRefusedQuery: another graph is asked for, or FROM names one by a relative IRI.
    """
    of_query = Dataset(query.default_graphs, query.named_graphs)
    configured = Dataset(settings.default_graphs, settings.named_graphs)
    chosen = next((each for each in (asked, of_query, configured) if each.graphs), None)
    if chosen is None:
        return None
    for graph in chosen.graphs:
        if configured.graphs and graph not in configured.graphs:
            raise EndpointRefusedQuery(
                f"the graph <{graph:.200}> is not one of this endpoint's",
                hint="its graphs are listed in the service description: GET this address without a query",
            )
        if not is_iri(graph):
            raise EndpointRefusedQuery(f"FROM <{graph:.200}> is relative", hint="write it as an absolute IRI")
    return chosen


def require_readable(query: ParsedQuery, dataset: Dataset | None, dialect: str) -> None:
    """Refuse a query that a store of this dialect would answer wrongly: one by a graph out of its sight.

    Raises:
        EndpointRefusedQuery: GRAPH names, or a variable of GRAPH is held to, what is no named graph.
    """
    if dataset is None or not misreads_graphs(dialect):
        return
    unseen = query.graphs - {*dataset.named_graphs}
    if not unseen:
        return
    shown = min(f"<{graph:.200}>" if graph else "one named by a text" for graph in unseen)
    raise EndpointRefusedQuery(
        f"GRAPH is held to a graph that is not among the query's named graphs, {shown}: "
        "this store would take it for a pattern that holds",
        hint="leave the pattern out, or ask for the graph by FROM NAMED or named-graph-uri",
    )
