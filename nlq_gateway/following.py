"""Relations of any depth, followed before a program is compiled where its store is not asked for paths.

What they lead to is known in full or not at all: a bound that is reached is an error.
"""

from __future__ import annotations

from dataclasses import dataclass

from compilers.closures import compile_hop, unknown_closure, with_closure
from compilers.grounded import GroundedProgram
from compilers.staging import MAX_MEMBERS
from connectors.errors import EndpointTimeout, EndpointTooComplex
from nlq_gateway.execution import LEAST_MS, Execution, Store
from nlq_gateway.trace import Stage

# No hierarchy that people keep is as deep.
ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Followed:
    """A program that says what its relations of any depth lead to, where that had to be asked for.

    `stages` are the queries that asked, `left_ms` is the time that they left.
    """

    grounded: GroundedProgram
    left_ms: int
    stages: tuple[Stage, ...] = ()


def follow(grounded: GroundedProgram, store: Store, timeout_ms: int) -> Followed:
    """The program as its store can be asked for it.

    Raises:
        UnsupportedProgram: the relation cannot be followed apart from the rest of the program.
        EndpointError: that of a query; EndpointTooComplex where the relation leads to too much, or too far.
    """
    execution = Execution.within(store, timeout_ms)
    while (step := unknown_closure(grounded, store.options)) is not None:
        grounded = with_closure(grounded, step, _reached(grounded, step, execution))
    left_ms = execution.left_ms() if execution.stages else timeout_ms
    return Followed(grounded, max(left_ms, LEAST_MS), tuple(execution.stages))


def _reached(grounded: GroundedProgram, step: int, execution: Execution) -> tuple[str, ...]:
    """What the relation leads to from the set before it, in the order of being found."""
    reached: dict[str, None] = {}
    ahead: tuple[str, ...] | None = None
    for _ in range(ROUNDS):
        found = _one_step(grounded, step, ahead, execution)
        ahead = tuple(iri for iri in found if iri not in reached)
        reached.update(dict.fromkeys(ahead))
        if len(reached) > MAX_MEMBERS:
            raise _too_much(step, f"to more than {MAX_MEMBERS:,} things")
        if not ahead:
            return tuple(reached)
    raise _too_much(step, f"further than {ROUNDS} steps")


def _one_step(
    grounded: GroundedProgram, step: int, ahead: tuple[str, ...] | None, execution: Execution
) -> tuple[str, ...]:
    if execution.stages and execution.left_ms() < LEAST_MS:
        raise EndpointTimeout(f"step {step + 1}: no time is left to follow the relation further")
    store = execution.store
    result = execution.ask(compile_hop(grounded, step, ahead, store.layout, store.options))
    found = tuple(dict.fromkeys(result.column("entity")))
    if any(term.kind != "iri" for term in found):
        raise _too_much(step, "to something without an IRI, which cannot be asked for again")
    return tuple(term.value for term in found)


def _too_much(step: int, where: str) -> EndpointTooComplex:
    return EndpointTooComplex(
        f"step {step + 1}: the relation leads {where}, and the store is not asked to follow it by itself",
        hint="start from fewer things, or use Relate as often as there are steps",
    )
