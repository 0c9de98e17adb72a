"""Rewrites of a SELECT: one pass per file, each a function from tree to tree, applied in this order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from compilers.algebra import Select
from compilers.dialects import Dialect
from compilers.layouts import Layout, Options
from compilers.rewrites.bind_values import bind_values
from compilers.rewrites.drop_domains import drop_domains
from compilers.rewrites.drop_duplicates import drop_duplicates
from compilers.rewrites.exclude_by_name import exclude_by_name
from compilers.rewrites.guard_arguments import guard_arguments
from compilers.rewrites.inline_values import inline_values
from compilers.rewrites.isolate_members import isolate_members
from compilers.rewrites.join_values import join_values
from compilers.rewrites.optional_negation import optional_negation
from compilers.rewrites.ordered_ties import ordered_ties
from compilers.rewrites.own_labels import own_labels
from compilers.rewrites.plain_heads import plain_heads
from compilers.rewrites.selective_first import selective_first
from compilers.rewrites.spell_domains import spell_domains

Rule = Callable[[Select], Select]

RULES: tuple[Rule, ...] = (
    drop_domains,
    join_values,
    inline_values,
    drop_duplicates,
    exclude_by_name,
    bind_values,
)


def rewrite(select: Select) -> Select:
    """Apply every rule once."""
    for rule in RULES:
        select = rule(select)
    return select


def arrange(select: Select, layout: Layout, options: Options, sizes: Mapping[str, int]) -> Select:
    """The SELECT as printed: rewritten, domains spelled out, in the order that stores evaluate best.

    `sizes` maps known entities to their number of facts, and concepts to their number of members.
    """
    rewritten = own_labels(rewrite(select), options)
    arranged = selective_first(spell_domains(rewritten, layout), layout, sizes)
    for rule in _rules_for(layout, options.dialect):
        arranged = rule(arranged)
    return arranged


def _rules_for(layout: Layout, dialect: Dialect) -> Iterator[Rule]:
    """The further rules that a store needs, in order."""
    if not dialect.calculated_heads:
        yield plain_heads
    if not dialect.subqueries_in_negation:
        yield optional_negation
    if dialect.early_functions and layout.mixes_objects:
        yield guard_arguments
    if dialect.subqueries_per_row:
        yield isolate_members
    if not dialect.keeps_ties:
        yield ordered_ties
