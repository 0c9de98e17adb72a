"""Stores' messages when they give up on a correct query: asked in parts it may well be answered.

All are Virtuoso's, seen with 7.2; other stores answer such queries, or run out of time.
"""

from __future__ import annotations

import re

# A pattern in the first line of an answer with an error status, and the reason for it.
REFUSALS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        # The estimate overflows where unions stand beside subqueries: 0 and negative seconds are seen.
        re.compile(r"estimated execution time", re.I),
        "the store expects the query to take too long",
    ),
    (
        # Compiling some 35 patterns with OPTIONAL and UNION takes more memory than a query may have.
        re.compile(r"memory pool", re.I),
        "the store has not enough memory to plan the query",
    ),
    (
        # 500 branches of a UNION, and 40 groups within one another.
        re.compile(r"\bSQ200\b|stack overflow|nested too deep", re.I),
        "the query is too large for the store",
    ),
    (
        # YEAR is evaluated before the OPTIONAL, or the join, that its argument comes from.
        re.compile(r"\bDT001\b.*needs a datetime", re.I),
        "the store takes parts of a date before it has found one",
    ),
    (
        # YEAR, or a cast to a number, is applied to a text before the test of its type.
        re.compile(r"\b(?:SR586|SR066)\b.*Incomplete RDF box|\bSR087\b.*Non numeric", re.I),
        "the store takes a text for a date or a number",
    ),
    (
        # An IF over aggregates in the head of a SELECT, and some groupings by two known entities.
        re.compile(r"\bSQ156\b.*Internal Optimized compiler error", re.I),
        "the store's own compiler fails at the query",
    ),
    (
        # Branches of a UNION that all name the same one entity. Comes with status 400.
        re.compile(r"\bSP031\b.*Internal error", re.I),
        "the store's own compiler fails at the query",
    ),
)
