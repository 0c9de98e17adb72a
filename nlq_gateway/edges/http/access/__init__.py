"""Who may ask, how often, and how much at a time.

gate.py       before every request: credentials, rate, a turn; no route is answered past it
routes.py     what each route asks of whoever calls it: everything, unless it is listed
datasets.py   which datasets the client may read: the one place that resolves a dataset for HTTP
rates.py      how many requests there may be in a time, counted over all worker processes
turns.py      how many requests are worked on, and how many may wait
hosts.py      the names under which requests may ask
cors.py       pages of other origins
proxies.py    the address of a client behind proxies that are trusted
spelling.py   one spelling for each address
"""

from __future__ import annotations

from nlq_gateway.edges.http.access.datasets import curator, endpoint_for, may_read, readable
from nlq_gateway.edges.http.access.gate import guard
from nlq_gateway.edges.http.access.spelling import spell_strictly

__all__ = ["curator", "endpoint_for", "guard", "may_read", "readable", "spell_strictly"]
