"""Clients' feedback, and curators' decisions: only approved feedback is used.

Decisions are numbered, so that processes detect a new one by its number, and the last one on a question
applies. A later decision undoes an earlier one: the previous state applies again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, func, insert, select, update

from nlq_gateway.core.types import Demonstration
from nlq_gateway.drafts.demonstrations.files import demonstrations_of, record_of
from nlq_gateway.edges.trace_store.shares import Bounds, trim
from nlq_gateway.edges.trace_store.tables import feedback

State = Literal["pending", "approved", "rejected"]
# The bounds of pending feedback, with equal shares of clients.
WAITING = Bounds(10_000, 100_000_000)


@dataclass(frozen=True, slots=True)
class Feedback:
    """A client's feedback on an answer; `right` is the question with its program, if known."""

    trace: str
    dataset: str
    question: str
    correct: bool
    right: Demonstration | None = None
    comment: str = ""
    client: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """Stored feedback: its number, its time, the decision and its author."""

    number: int
    said: Feedback
    given: str
    state: State
    by: str

    @property
    def teaches(self) -> bool:
        """True if it is used as a demonstration."""
        return self.state == "approved" and self.said.right is not None


def add(connection: Connection, said: Feedback, by: str) -> int:
    """Keep feedback, approved where a curator gave it, and return its number; the table is locked."""
    program = json.dumps(record_of(said.right), ensure_ascii=False) if said.right else None
    row = {
        "trace": said.trace,
        "dataset": said.dataset,
        "question": said.question,
        "correct": int(said.correct),
        "program": program,
        "comment": said.comment,
        "client": said.client,
        "size": sum(len(text.encode()) for text in (said.question, program or "", said.comment)),
    }
    if by:
        row |= {"state": "approved", "decided_by": by, "decision": version(connection) + 1}
    connection.execute(insert(feedback).values(row))
    number = connection.execute(select(func.max(feedback.c.position))).scalar_one()
    trim(connection, feedback, WAITING, feedback.c.state == "pending")
    return int(number)


def decide(connection: Connection, number: int, state: State, by: str) -> None:
    """Approve or reject feedback, whatever was decided before; the table is locked."""
    values = {"state": state, "decided_by": by, "decision": version(connection) + 1}
    connection.execute(update(feedback).where(feedback.c.position == number).values(values))


def version(connection: Connection) -> int:
    """The number of the last decision."""
    return connection.execute(select(func.max(feedback.c.decision))).scalar() or 0


def confirmed(connection: Connection, dataset: str) -> tuple[Demonstration, ...]:
    """The questions of a dataset whose program is approved, in the order of the decisions."""
    wanted = select(feedback.c.question, feedback.c.program).where(
        feedback.c.dataset == dataset, feedback.c.state == "approved"
    )
    rows = connection.execute(wanted.order_by(feedback.c.decision)).all()
    last: dict[str, str | None] = {row.question: row.program for row in rows}
    return tuple(one for program in last.values() for one in _demonstrations(program))


def reviews(connection: Connection, state: State | None, number: int | None) -> tuple[Review, ...]:
    """The feedback in a state or with a number, oldest first."""
    wanted = select(feedback).order_by(feedback.c.position)
    if state is not None:
        wanted = wanted.where(feedback.c.state == state)
    if number is not None:
        wanted = wanted.where(feedback.c.position == number)
    return tuple(map(_review, connection.execute(wanted).all()))


def _review(row: Any) -> Review:
    right = next(iter(_demonstrations(row.program)), None)
    said = Feedback(row.trace, row.dataset, row.question, bool(row.correct), right, row.comment, row.client)
    return Review(row.position, said, str(row.given), row.state, row.decided_by)


def _demonstrations(program: str | None) -> tuple[Demonstration, ...]:
    return tuple(demonstrations_of(json.loads(program))) if program else ()
