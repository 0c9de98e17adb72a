"""The Model Context Protocol: the gateway's functions as tools of an assistant (docs/adapters.md).

serving.py    a server over standard input and output, or over HTTP
access.py     the tools' clients, and the datasets they may read
tools.py      the tools, with their descriptions for models
results.py    the results of tools
selection.py  results that select from the trace
resolving.py  candidates for a name, and the schema
working.py    a tool's work in its own thread, and its failures as text for models

Needs the extra `mcp`, which brings the official SDK. Nothing is imported here, so that the command can name
missing packages.
"""

from __future__ import annotations
