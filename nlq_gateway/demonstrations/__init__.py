"""Questions with their programs: examples that show how questions about a graph are put."""
