"""Keeps the traces of answered questions, so that an answer can be looked at again under its id, and judged.

An SQLite file that all worker processes write, or a PostgreSQL database that several servers share. The
newest traces are kept, as long as they are not too old. What clients said of answers stays: the pairs of
question and program that curators approve are demonstrations.

store.py       what is asked of it: put, get, judge, decide, confirmed
reviews.py     feedback, and decisions on it
shares.py      bounds on a table, in equal shares of clients
databases.py   SQLite and PostgreSQL: how each is reached, and what it does in its own way
tables.py      the tables, and how those of earlier versions become them
write_ahead.py SQLite's log, for files that several processes open
waiting.py     for how long PostgreSQL is waited for
"""

from __future__ import annotations

from nlq_gateway.edges.trace_store.reviews import Feedback, Review, State
from nlq_gateway.edges.trace_store.store import TraceStore

__all__ = ["Feedback", "Review", "State", "TraceStore"]
