"""The HTTP interface: routes in small files, one table of errors, the page's files in `static`.

app.py           the application: its page, routes, and headers of every response
nlq.py           questions and programs; sparql/ has the queries
datasets.py schema.py suggest.py describe.py traces.py
                 the other routes
monitoring/      health, metrics, the log of requests, spans
adapters/        the protocols of TEXT2SPARQL and of OpenAI
openapi/         the OpenAPI document

access/          credentials, rates, and concurrency
requests.py      models of bodies and query strings
negotiation.py   the media type that a client wants, cache headers
answers.py       responses to questions: whole, or as events
downloads/       answers as tables and RDF
events.py        server-sent events
keeping.py       counting and storing of traces
leaving.py       ends the work of disconnected clients
store_pages.py   the address of a store's own query page
problems/        every error as `application/problem+json`, and the pages that explain them

The server processes are in `nlq_gateway/edges/server/`.
"""

from __future__ import annotations

from nlq_gateway.edges.http.app import create_app

__all__ = ["create_app"]
