"""The facts in which stores differ, and the errors that follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.error import HTTPError

from connectors import (
    EndpointError,
    EndpointRefusedQuery,
    EndpointTimeout,
    EndpointUnauthorized,
)


@dataclass(frozen=True, slots=True)
class Cannot:
    """Why a store cannot hold graphs of a shape, or cannot be asked about them, and what then comes."""

    reason: str
    error: type[Exception]
    says: str = ""


@dataclass(frozen=True, slots=True)
class Partial:
    """The result of `query` when the store's time ends in the middle of the answer.

    `parameter`, in the URL, sets the time where that is not the store's own limit.
    """

    query: str
    parameter: str
    error: type[EndpointError]
    says: str


@dataclass(frozen=True, slots=True)
class Shares:
    """The numbers of random programs that a store may give up on: as one query, and in parts, too."""

    staged: float = 0.0
    refused: float = 0.0


NEVER = Shares()


@dataclass(frozen=True, slots=True)
class Facts:
    """One store.

    product: its name.
    own_limit: what it says when a query takes longer than the limit set for it in scripts/stores.sh.
    says: what the error then says.
    partial: how it marks an answer that it could not finish.
    update_error: what an update sent as a query is.
    row_cap: rows that it sends at most, and says so.
    shares: by shape (tests/compiler/shapes.py), how many programs it may give up on; of other shapes, none.
        With ", extended" behind it, programs of the functions beyond KQA Pro's.
    cannot: by shape, what it cannot do.
    year_is_its_first_day: DISTINCT and GROUP BY take the year 1960 and the date 1960-01-01 as one value.
    combines_tables: what combines tables may be inside of another such step, and combine calculated numbers;
        elsewhere rows are lost, or come twice.
    counts_inline_rows: COUNT(*) of a subquery that is nothing but inline data and a filter is that of the
        rows, not 1 whatever the filter.
    answers_long_chains: 38 steps as one query: it estimates no costs of what a user with a name asks.
    unknown: why `sparql11`, the dialect of a store that nothing is known of, has wrong answers here.
    """

    product: str
    own_limit: str
    partial: Partial
    says: str = "its own time limit"
    update_error: type[EndpointError] = EndpointRefusedQuery
    row_cap: int | None = None
    shares: Mapping[str, Shares] = field(default_factory=dict)
    cannot: Mapping[str, Cannot] = field(default_factory=dict)
    year_is_its_first_day: bool = False
    combines_tables: bool = True
    counts_inline_rows: bool = True
    unknown: str = ""
    answers_long_chains: bool = False


_NO_TRIPLE_TERMS = Cannot("its parser knows no triple terms", HTTPError, "HTTP Error 500")
_PAIRS = "SELECT ?a ?f { ?a ?b ?c . ?d ?e ?f }"
_SELDOM = "SELECT ?a ?f { ?a ?b ?c . ?d ?e ?f FILTER(CONCAT(STR(?a), STR(?f)) = 'x') }"
_COUNT = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f FILTER(CONCAT(STR(?a), STR(?f)) != 'x') }"
_ITS_LIMIT = "its own time limit"
_FUSEKI = Facts(
    product="Apache Jena Fuseki",
    own_limit="Query timed out",
    partial=Partial(_PAIRS, "timeout=1", EndpointTimeout, _ITS_LIMIT),
)

FACTS = {
    "oxigraph": Facts(
        product="Oxigraph",
        own_limit="The SPARQL operation has been cancelled",
        partial=Partial(_SELDOM, "", EndpointTimeout, _ITS_LIMIT),
    ),
    "fuseki": _FUSEKI,
    "fuseki_memory": _FUSEKI,
    "virtuoso": Facts(
        product="Virtuoso",
        own_limit="Returning incomplete results, query interrupted by result timeout",
        says="ran out of time",
        partial=Partial(_COUNT, "timeout=2000", EndpointTimeout, "ran out of time"),
        update_error=EndpointUnauthorized,
        row_cap=10_000,
        # Estimates of time overflow where everything is joined with everything; the rest is of the dates and
        # numbers that it looks for among objects of every kind.
        shares={
            "kqapro": Shares(0.01, 0.01),
            "direct": Shares(0.05, 0.05),
            "reification": Shares(0.05, 0.05),
            "singleton": Shares(0.05, 0.05),
            "wikidata": Shares(0.05, 0.05),
            "statements alone": Shares(0.15, 0.05),
            "graph_per_fact": Shares(0.05, 0.05),
            "graphs of a class": Shares(0.15, 0.05),
            "kqapro, extended": Shares(0.05, 0.15),
            "direct, extended": Shares(0.05, 0.15),
        },
        cannot={"rdf12": _NO_TRIPLE_TERMS, "rdf_star": _NO_TRIPLE_TERMS},
        year_is_its_first_day=True,
        combines_tables=False,
        counts_inline_rows=False,
        answers_long_chains=True,
        unknown="doubles come with six digits, and a second path over subclasses loses rows (#127)",
    ),
}
