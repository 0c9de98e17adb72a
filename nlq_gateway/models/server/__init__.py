"""A language model behind an OpenAI-compatible server: vLLM, llama.cpp, TGI, `transformers serve`, a cloud.

model.py     ServerModel, the model as the gateway sees it
session.py   the server's state and its requests, in an event loop
loop.py      the event loop in a thread of its own
asking.py    texts and scores from a server whose features are known
wire.py      requests: sent, retried if that helps, until a deadline
options.py   the configured options of requests
bodies.py    bodies of requests; messages.py: responses; reading.py: texts out of a stream
probe.py     detects the server's features; findings.py holds them
scoring.py   probabilities of continuations
failures.py  the meaning of failed requests
circuit.py   a pause after repeated failures
estimate.py  the number of tokens of a text, estimated

`openai` is imported with the first request.
"""

from __future__ import annotations

from nlq_gateway.models.server.model import ServerModel
from nlq_gateway.models.server.options import ServerOptions

__all__ = ["ServerModel", "ServerOptions"]
