"""The Model Context Protocol: what the gateway can do, as tools of an assistant (docs/adapters.md).

serving.py    a server over standard input and output, or over HTTP
access.py     who calls them, and what these may read
tools.py      the tools, with what a model is told of them
results.py    what they give
resolving.py  what a name may stand for, and what can be asked
working.py    a tool's work in a thread of its own, and its failures as a model reads them

Needs the extra `mcp`, which brings the official SDK. Nothing is imported here, so that the command can say
what is missing.
"""

from __future__ import annotations
