"""The contents of a graph, read by queries: one module per layout."""
