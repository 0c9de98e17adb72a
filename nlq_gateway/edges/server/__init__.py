"""The server's processes: gunicorn, one master and its workers.

serve.py           the master's settings, and the application of each worker
worker.py          a worker process: its health, its end
threads.py         its threads: with spare ones for refusals, and time limits for slow clients
reloading.py       replacement of workers by those with a new configuration
board.py           shared memory with the readiness of each worker
closing.py         stopping without resetting accepted connections
"""

from __future__ import annotations

from nlq_gateway.edges.server.serve import serve

__all__ = ["serve"]
