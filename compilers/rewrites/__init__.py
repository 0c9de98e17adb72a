"""Rewrites of a SELECT: one pass per file, each a function from tree to tree, applied in this order."""

from __future__ import annotations

from collections.abc import Callable

from compilers.algebra import Select
from compilers.rewrites.bind_values import bind_values
from compilers.rewrites.drop_domains import drop_domains
from compilers.rewrites.drop_duplicates import drop_duplicates
from compilers.rewrites.inline_values import inline_values
from compilers.rewrites.join_values import join_values

RULES: tuple[Callable[[Select], Select], ...] = (
    drop_domains,
    join_values,
    inline_values,
    drop_duplicates,
    bind_values,
)


def rewrite(select: Select) -> Select:
    """Apply every rule once."""
    for rule in RULES:
        select = rule(select)
    return select
