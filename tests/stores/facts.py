"""What a store does where stores differ, and which errors then come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.error import HTTPError

from connectors import EndpointError, EndpointRefusedQuery, EndpointUnauthorized


@dataclass(frozen=True, slots=True)
class Cannot:
    """Why a store cannot hold graphs of a shape, or cannot be asked about them, and what then comes."""

    reason: str
    error: type[Exception]
    says: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """One store.

    own_limit: what it says when a query takes longer than the limit set for it in scripts/stores.sh.
    update_error: what an update sent as a query is.
    row_cap: rows that it sends at most, and says so.
    staged_share: of random programs, how many may be too complex for it as one query; of extended ones.
    refused_share: how many of them may be too complex in parts, too.
    cannot: by shape (tests/compiler/shapes.py), what it cannot do.
    unknown: why `sparql11`, the dialect of a store that nothing is known of, has wrong answers here.
    """

    own_limit: str
    update_error: type[EndpointError] = EndpointRefusedQuery
    row_cap: int | None = None
    staged_share: float = 0.0
    refused_share: float = 0.0
    staged_share_extended: float = 0.0
    refused_share_extended: float = 0.0
    cannot: Mapping[str, Cannot] = field(default_factory=dict)
    unknown: str = ""


_NO_TRIPLE_TERMS = Cannot("it knows no triple terms", HTTPError, "")
_FUSEKI = Facts(own_limit="Query timed out")

FACTS = {
    "oxigraph": Facts(own_limit="The SPARQL operation has been cancelled"),
    "fuseki": _FUSEKI,
    "fuseki_memory": _FUSEKI,
    "virtuoso": Facts(
        own_limit="S1T00 Error SR171: Transaction timed out",
        update_error=EndpointUnauthorized,
        row_cap=10_000,
        staged_share=0.05,
        cannot={"rdf12": _NO_TRIPLE_TERMS, "rdf_star": _NO_TRIPLE_TERMS},
        unknown="doubles come with six digits, and a second path over subclasses loses rows (#127)",
    ),
}
