"""Credentials, rates, and concurrency.

gate.py       before every request: credentials, rate, a turn; no route is answered without it
routes.py     the requirements of each route: all of them, unless it is listed
datasets.py   the datasets that the client may read: the one place that resolves a dataset for HTTP
rates.py      limits on requests per time, counted over all worker processes
turns.py      limits on concurrent and waiting requests
hosts.py      the accepted names of the server
cors.py       pages of other origins
proxies.py    the address of a client behind trusted proxies
spelling.py   one spelling for each address
"""

from __future__ import annotations

from nlq_gateway.edges.http.access.datasets import curator, endpoint_for, may_read, readable
from nlq_gateway.edges.http.access.gate import guard
from nlq_gateway.edges.http.access.spelling import spell_strictly

__all__ = ["curator", "endpoint_for", "guard", "may_read", "readable", "spell_strictly"]
