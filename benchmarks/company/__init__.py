"""The graph of a software company, the same each time, written as Turtle.

Plain RDF with a vocabulary of its own: some 220 employees, departments, offices, products, projects and
customers, with dates, amounts and relations that have a direction. A few places have a label in German only.
`python -m benchmarks.company FILE` writes it.
"""

from __future__ import annotations

from benchmarks.company.graph import turtle, write

__all__ = ["turtle", "write"]
