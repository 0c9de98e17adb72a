"""Stores the traces of answered questions, so that an answer can be read again under its id, and rated.

An SQLite file that all worker processes write, or a PostgreSQL database that several servers share. The
newest traces are kept, up to a maximum age. Clients' feedback stays: pairs of question and program that
curators approve are demonstrations.

store.py       the store's operations: put, get, judge, decide, confirmed
reviews.py     feedback, and decisions on it
shares.py      bounds on a table, in equal shares of clients
databases.py   SQLite and PostgreSQL: connections, and their differences
tables.py      the tables, and migrations from earlier versions
write_ahead.py SQLite's log, for files that several processes open
waiting.py     time limits on waiting for PostgreSQL
"""

from __future__ import annotations

from nlq_gateway.edges.trace_store.reviews import Feedback, Review, State
from nlq_gateway.edges.trace_store.store import TraceStore

__all__ = ["Feedback", "Review", "State", "TraceStore"]
