"""What a graph contains, read by queries: one module per layout."""
