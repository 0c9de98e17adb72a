"""KoPL in, SPARQL out. Pure: no network, no files, no model."""
