"""The HTTP interface: routes in small files, one table of errors, the page's files in `static`.

app.py           puts the routes together, and what every response carries
nlq.py           questions and programs; sparql/ has the queries
datasets.py schema.py traces.py feedback.py page.py    the other routes
monitoring/      health, metrics, the log of requests, spans
adapters/        the protocols of TEXT2SPARQL and of OpenAI
openapi/         the interface as a document for programs

access/          who may ask, how often, and how much at a time
requests.py      what bodies and query strings may hold
negotiation.py   which media type a client wants
answers.py       how what comes of a question is sent: whole, or by the stage
events.py        server-sent events
keeping.py       what becomes of every trace
caching.py       what clients may keep
leaving.py       nobody works for a client that has gone
store_pages.py   where a store has a page of its own to write queries in
problems/        every error as `application/problem+json`, and the pages that explain them

The processes that it runs in are `nlq_gateway/edges/server/`.
"""

from __future__ import annotations

from nlq_gateway.edges.http.app import create_app

__all__ = ["create_app"]
