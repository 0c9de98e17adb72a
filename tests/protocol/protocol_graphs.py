"""The named graphs of the tests' library, which are also the documents in them."""

from __future__ import annotations

GRAPH = "http://kasei.us/2009/09/sparql/data/data{}.rdf"
