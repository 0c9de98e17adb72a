"""Queries before a program is compiled: relations of any depth if its store follows none, shares.

What relations lead to is known in full or not at all: a bound that is reached is an error. What a share is
taken of is counted.
"""

from __future__ import annotations

from dataclasses import dataclass

from compilers.closures import compile_hop, reached, unknown_closure, with_closure
from compilers.compile import compile_program
from compilers.grounded import GroundedProgram
from compilers.layouts import Options
from compilers.shares import counting, uncounted_share, with_count
from compilers.staging import MAX_MEMBERS
from connectors.errors import EndpointTimeout, EndpointTooComplex
from nlq_gateway.answering.execution import GIVES_UP, LEAST_MS, Execution, Store
from nlq_gateway.trace import Stage

# No hierarchy that people keep is as deep.
ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Followed:
    """A program that says what its relations lead to and how many its shares are, where that was asked.

    `stages` are the queries that asked, `left_ms` is the time that they left.
    """

    grounded: GroundedProgram
    left_ms: int
    stages: tuple[Stage, ...] = ()


def follow(grounded: GroundedProgram, store: Store, timeout_ms: int) -> Followed:
    """The program as its store can be asked for it.

    Raises:
        UnsupportedProgram: the layout cannot state the relation, or what is before it.
        EndpointError: that of a query; EndpointTooComplex where the relation leads to too much, or too far.
    """
    execution = Execution.within(store, timeout_ms)
    while (step := unsettled(grounded, store.options)) is not None:
        if grounded.program.steps[step].function == "RelateTransitive":
            grounded = with_closure(grounded, step, _closure(grounded, step, execution))
        else:
            grounded = with_count(grounded, step, _count(counting(grounded, step), execution))
    left_ms = execution.left_ms() if execution.stages else timeout_ms
    return Followed(grounded, max(left_ms, LEAST_MS), tuple(execution.stages))


def unsettled(grounded: GroundedProgram, options: Options) -> int | None:
    """The first step of which something has to be asked before the query; None where there is none."""
    steps = (unknown_closure(grounded, options), uncounted_share(grounded))
    return min((step for step in steps if step is not None), default=None)


def _count(grounded: GroundedProgram, execution: Execution) -> int:
    """The number that a program ends in."""
    store = execution.store
    query = compile_program(grounded, store.layout, store.options)
    (row,) = execution.rows(grounded, query).rows
    return int(float(row[0].value)) if row[0] is not None else 0


def _closure(grounded: GroundedProgram, step: int, execution: Execution) -> tuple[tuple[str, ...], ...]:
    """The things that the relation leads to from the set before it, after the start if that is needed."""
    links = _links(grounded, step, None, execution)
    starts = tuple(dict.fromkeys(start for start, _ in links))
    onward: dict[str, dict[str, None]] = {}
    followed = set(starts)
    for _ in range(ROUNDS + 1):
        for start, end in links:
            onward.setdefault(start, {})[end] = None
        ahead = tuple(dict.fromkeys(end for _, end in links if end not in followed))
        followed.update(ahead)
        rows = () if ahead else [(start, end) for start in starts for end in sorted(reached(onward, start))]
        if max(len(links), len(followed) - len(starts), len(rows)) > MAX_MEMBERS:
            raise _too_much(step, f"to more than {MAX_MEMBERS:,} things")
        if not ahead:
            return tuple(tuple(filter(None, row)) for row in rows)
        links = _links(grounded, step, ahead, execution)
    raise _too_much(step, f"further than {ROUNDS} steps")


def _links(
    grounded: GroundedProgram, step: int, ahead: tuple[str, ...] | None, execution: Execution
) -> list[tuple[str, str]]:
    """The links from the set, or from what is ahead: starts, which are empty where not needed, and ends."""
    if execution.stages and execution.left_ms() < LEAST_MS:
        raise EndpointTimeout(f"step {step + 1}: no time is left to follow the relation further")
    store = execution.store
    try:
        found = execution.ask(compile_hop(grounded, step, ahead, store.layout, store.options))
    except GIVES_UP:
        if ahead is not None:
            raise
        return _links(grounded, step, _set_before(grounded, step, execution), execution)
    if found.truncated:
        raise _too_much(step, "to more things than are fetched")
    if any(term is None or term.kind != "iri" for row in found.rows for term in row):
        raise _too_much(step, "to something without an IRI, which cannot be asked for again")
    named = [tuple(term.value for term in row if term is not None) for row in found.rows]
    return [(row[0] if len(row) > 1 else "", row[-1]) for row in named]


def _set_before(grounded: GroundedProgram, step: int, execution: Execution) -> tuple[str, ...]:
    """The members of the set that the relation is followed from, fetched as the store is able to."""
    (source,) = grounded.program.steps[step].dependencies
    members = execution.members(grounded.prefix(source))
    if len(members) > MAX_MEMBERS:
        raise _too_much(step, f"from more than {MAX_MEMBERS:,} things")
    return members


def _too_much(step: int, where: str) -> EndpointTooComplex:
    return EndpointTooComplex(
        f"step {step + 1}: the relation leads {where}, and the store is not asked to follow it by itself",
        hint="start from fewer things, or use Relate as often as there are steps",
    )
