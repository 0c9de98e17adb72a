"""A language model behind an OpenAI-compatible server: vLLM, llama.cpp, TGI, `transformers serve`, a cloud.

model.py     ServerModel, the model as the gateway sees it
session.py   what is known of the server, and what is asked of it; lives in an event loop
loop.py      the event loop in a thread of its own
wire.py      requests: sent, taken again where that helps, until a deadline
options.py   how the server is to be asked, as configured
bodies.py    what is sent; messages.py: what comes back; reading.py: texts out of a stream
probe.py     what the server can do
scoring.py   how probable continuations are
failures.py  what a failed request means
circuit.py   a server that fails again and again is left alone for a while
estimate.py  how many tokens a text has, at most or about

`openai` is imported with the first request.
"""

from __future__ import annotations

from nlq_gateway.models.server.findings import Findings
from nlq_gateway.models.server.model import ServerModel
from nlq_gateway.models.server.options import ServerOptions

__all__ = ["Findings", "ServerModel", "ServerOptions"]
