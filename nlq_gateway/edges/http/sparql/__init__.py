"""`/sparql` and `/DATASET/sparql`: the SPARQL 1.1 Protocol's query operation, read-only.

operation.py     the routes: from a request to the store's answer
request.py       the request, from GET, a form or a body
graphs.py        the graphs that the query reads
formats.py       in which formats it can be answered
description.py   the service description
"""

from __future__ import annotations

from nlq_gateway.edges.http.sparql.operation import routes

__all__ = ["routes"]
