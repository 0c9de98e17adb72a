"""What a store does where stores differ, and which errors then come."""

from __future__ import annotations

import re
from dataclasses import dataclass

from connectors import EndpointError, EndpointRefusedQuery, EndpointUnauthorized


@dataclass(frozen=True, slots=True)
class Facts:
    """One store.

    own_limit: what it says when a query takes longer than the limit set for it in scripts/stores.sh.
    update_error: what an update sent as a query is.
    row_cap: rows that it sends at most, and says so.
    refusals: what its planner gives up on. Each is an error, never an answer; refused_share is how many of
        random programs may meet one.
    unknown: why `sparql11`, the dialect of a store that nothing is known of, has wrong answers here.
    """

    own_limit: str
    update_error: type[EndpointError] = EndpointRefusedQuery
    row_cap: int | None = None
    refusals: tuple[re.Pattern[str], ...] = ()
    refused_share: float = 0.0
    unknown: str = ""


FACTS = {
    "oxigraph": Facts(own_limit="The SPARQL operation has been cancelled"),
    "fuseki": Facts(own_limit="Query timed out"),
    "virtuoso": Facts(
        own_limit="S1T00 Error SR171: Transaction timed out",
        update_error=EndpointUnauthorized,
        row_cap=10_000,
        refusals=(
            # Estimates overflow, negative ones and 0 among them, where unions stand beside subqueries.
            re.compile(r"estimated execution time -?\d+ \(sec\) exceeds the limit"),
            # Compiling some 35 patterns with OPTIONAL and UNION takes more memory than there is.
            re.compile(r"SQ200: The memory pool size"),
            # YEAR is evaluated before the OPTIONAL, or the join, that its argument comes from.
            re.compile(r"DT001: Function \w+ needs a datetime"),
            # A text, asked for its YEAR: the extreme of an attribute that holds no numbers and no times.
            re.compile(r"SR586: Incomplete RDF box as argument 0 for (?:year|month|day)"),
        ),
        refused_share=0.05,
        unknown="doubles come with six digits, and a second path over subclasses loses rows (#127)",
    ),
}
