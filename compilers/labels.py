"""Labels of entities: their order by language, and the query for them in any language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compilers import algebra as a
from compilers.layouts import LAYOUTS, Options
from compilers.layouts.base import Column, one_of
from compilers.layouts.wikibase_values import EVERY_LANGUAGE
from compilers.naming import VariableNames
from compilers.render import render_select

_ENTITY, _LABEL = a.Variable("entity"), a.Variable("label")
# The role of a column's label column.
_LABELS = {"entity": "label", "relation": "label", "value": "value label", "owner": "owner label"}


def language_rank(tag: str | None, wanted: Sequence[str]) -> int:
    """The place of a label's language: the wanted ones in order, then none or all, then every other one.

    A wanted language is also found in its regions: `en` in `en-GB`.
    """
    lower = tag.lower() if tag else ""
    ranks = (at for at, one in enumerate(map(str.lower, wanted)) if f"{lower}-".startswith(f"{one}-"))
    return next(ranks, len(wanted) + (lower not in ("", EVERY_LANGUAGE)))


def is_foreign(tag: str | None, wanted: Sequence[str]) -> bool:
    """True if a label is in none of the wanted languages."""
    return language_rank(tag, wanted) > len(wanted)


def label_columns(columns: Sequence[Column]) -> tuple[tuple[str, str], ...]:
    """The names of the columns with labels, each paired with its label column's name."""
    names = {(column.cell, column.role): column.name for column in reversed(columns)}
    labels = ((column.name, names.get((column.cell, _LABELS.get(column.role, "")))) for column in columns)
    return tuple((name, label) for name, label in labels if label is not None)


def compile_labels(iris: Sequence[str], layout: str, options: Options) -> str:
    """The query for labels of entities in all languages: rows of entity and label."""
    stated = LAYOUTS[layout](replace(options, plain_labels=True), VariableNames())
    patterns = (*one_of(_ENTITY, tuple(map(a.Iri, iris)), 0), *stated.label(_ENTITY, _LABEL, 0))
    select = a.Select((a.Projection(_ENTITY), a.Projection(_LABEL)), patterns, (), limit=options.limit)
    return render_select(select, options.prefixes)
