"""`/openapi.json`: the interface for programs (OpenAPI 3.1).

operations.py   one row for each operation
documents/      the shapes of responses
document.py     both, with the models that requests are read with, as one document
route.py        its route
examples.json   requests with the sample graph's answers
"""

from __future__ import annotations

from nlq_gateway.edges.http.openapi.document import document
from nlq_gateway.edges.http.openapi.route import routes

__all__ = ["document", "routes"]
