"""Answers natural-language questions over SPARQL stores."""

__version__ = "0.1.0"
