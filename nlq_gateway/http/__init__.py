"""The HTTP interface: routes in small files, one table of errors, the page's files in `static`.

app.py           puts the routes together, and what every response carries
negotiation.py   which media type a client wants
requests.py      what bodies and query strings may hold
problems.py      every error as `application/problem+json`, and the pages that explain them
answers.py       how what comes of a question is sent: whole, or by the stage
events.py        server-sent events
caching.py       what clients may keep
leaving.py       notices that a client has hung up
nlq.py sparql.py datasets.py schema.py traces.py health.py metrics.py page.py    the routes
openapi/         the interface as a document for programs
store_pages.py    where a store has a page of its own to write queries in
preparation.py   makes endpoints ready in the background
serve.py         gunicorn around it all
listening.py     the socket that it listens at
reloading.py     workers with a new configuration take the place of the old ones
"""

from __future__ import annotations

from nlq_gateway.http.app import create_app

__all__ = ["create_app"]
