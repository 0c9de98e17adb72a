"""Keeps a table within bounds: rows of those who have most go first, so that a client pushes out its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, or_, select, true


@dataclass(frozen=True, slots=True)
class Bounds:
    """The maximum number of rows of a table, and of bytes in them."""

    rows: int
    size: int


def fair_share(uses: Sequence[int], bound: int) -> int | None:
    """The most that each may have so that all together keep to the bound; None where they do already."""
    if sum(uses) <= bound:
        return None
    left, waiting = bound, len(uses)
    for use in sorted(uses):
        share = left // waiting
        if use > share:
            return share
        left, waiting = left - use, waiting - 1
    return 0


def trim(connection: Connection, table: Table, bounds: Bounds, of: ColumnElement[bool] | None = None) -> None:
    """Delete the oldest rows of the clients that have more than their share.

    Args:
        connection: in a transaction.
        table: has `position`, `client` and `size`.
        bounds: the limits of the table.
        of: the rows that this is about; all if it is not given.
    """
    wanted = true() if of is None else of
    used = select(func.count(), func.sum(table.c.size)).where(wanted).group_by(table.c.client)
    totals = connection.execute(used).all()
    client, newest = table.c.client, table.c.position.desc()
    ranked = select(
        table.c.position,
        func.row_number().over(partition_by=client, order_by=newest).label("rows"),
        func.sum(table.c.size).over(partition_by=client, order_by=newest).label("size"),
    )
    inner = ranked.where(wanted).subquery()
    shares = {
        inner.c.rows: fair_share([int(rows) for rows, _ in totals], bounds.rows),
        inner.c.size: fair_share([int(size) for _, size in totals], bounds.size),
    }
    over = [column > share for column, share in shares.items() if share is not None]
    if over:
        gone = select(inner.c.position).where(or_(*over))
        connection.execute(delete(table).where(and_(wanted, table.c.position.in_(gone))))
