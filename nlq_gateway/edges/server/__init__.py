"""The processes that the application runs in: gunicorn, one master and its workers.

serve.py           the master's settings, and what each worker makes
worker.py          a worker process: its health, its end
threads.py         its threads: enough to refuse, and no patience with clients that send slowly
reloading.py       workers with a new configuration take the place of the old ones
board.py           memory by which each tells whether the others are ready
listening.py       the socket that all of them listen at
closing.py         nobody who was let in is sent away when the server stops
gunicorn_logs.py   gunicorn's own lines go where ours go
"""

from __future__ import annotations

from nlq_gateway.edges.server.serve import serve

__all__ = ["serve"]
