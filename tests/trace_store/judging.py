"""Feedback that tests give."""

from __future__ import annotations

from compilers.kopl.notations import read_program
from nlq_gateway.core.types import Demonstration
from nlq_gateway.edges.trace_store import Feedback


def said(number: int, **more: object) -> Feedback:
    question = f"question {number}"
    program = read_program("Find(Pulp Fiction)->Relate(directed by, forward)->What()")
    right = Demonstration(question, program, "confirmed")
    values = {"correct": True, "right": right, **more}
    return Feedback(f"t{number}", "films", question, **values)  # type: ignore[arg-type]
