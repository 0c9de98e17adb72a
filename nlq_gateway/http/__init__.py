"""The HTTP interface: routes in small files, one table of errors, the page's files in `static`.

app.py           puts the routes together, and what every response carries
negotiation.py   which media type a client wants
requests.py      what bodies and query strings may hold
problems.py      every error as `application/problem+json`, and the pages that explain them
nlq.py sparql.py datasets.py traces.py health.py metrics.py page.py    the routes
preparation.py   makes endpoints ready in the background
serve.py         gunicorn around it all
listening.py     the socket that it listens at
reloading.py     workers with a new configuration take the place of the old ones
worker.py        a worker process: its threads, its health, its end
closing.py       nobody who was let in is sent away when the server stops
leaving.py       nobody works for a client that has gone
request_log.py   a line a request in the log; gunicorn_logs.py has gunicorn's own go there too
telemetry.py     spans for a collector
"""

from __future__ import annotations

from nlq_gateway.http.app import create_app

__all__ = ["create_app"]
