"""A model in a process of its own, which several worker processes share.

messages.py   the messages on the socket
client.py     the model as a worker sees it
serving.py    the process's side: calls from many connections at the same time
process.py    the process as the master sees it: started, started again when it ends, stopped
__main__.py   the process

The socket lies in a folder that only the server's user may enter, and both sides prove that they know a key.
"""

from __future__ import annotations

from nlq_gateway.models.shared.process import ModelProcess

__all__ = ["ModelProcess"]
