"""Order tied rows by further columns, for stores that lose them at a cut.

`SELECT ?film { { SELECT DISTINCT ?film ?person … } … } ORDER BY ?name LIMIT 10` becomes `ORDER BY ?name
?person`. Virtuoso 7.2 keeps one of such rows, where ORDER BY and LIMIT stand around a subquery with more
columns than are asked for.
"""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.rewrites.walk import map_selects, projected


def ordered_ties(select: a.Select) -> a.Select:
    """Add the columns of subqueries that the SELECT itself lacks to its order; at any depth."""
    patterns = map_selects(select.patterns, ordered_ties)
    cut = select.limit is not None or select.offset
    if not (select.order_by and cut) or select.distinct or select.group_by:
        return replace(select, patterns=patterns)
    subqueries = (pattern.select for pattern in patterns if isinstance(pattern, a.SubSelect))
    columns = dict.fromkeys(column.variable for subquery in subqueries for column in subquery.projections)
    for own in projected(select):
        columns.pop(own, None)
    return replace(select, patterns=patterns, order_by=(*select.order_by, *map(a.Ordering, columns)))
