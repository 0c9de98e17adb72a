"""How many entities each step of a program has, and a few of them: the trace's per-step counts."""

from __future__ import annotations

import time
from typing import Protocol

from compilers.compile import Probe, compile_probe
from compilers.grounded import GroundedProgram
from compilers.layouts import Options
from connectors.errors import EndpointError
from connectors.results import Result
from nlq_gateway.trace import Recorder, StepTrace

TIMEOUT_MS = 2_000


class Select(Protocol):
    """Sends one compiled query to the store."""

    def __call__(self, text: str, *, timeout_ms: int | None = None) -> Result:
        """The rows; raises EndpointError."""


def probe_steps(
    grounded: GroundedProgram, select: Select, layout: str, options: Options, recorder: Recorder
) -> tuple[StepTrace, ...]:
    """One entry per step; a step whose probe fails has no count, and a warning says so."""
    traced = []
    for index, step in enumerate(grounded.program.steps):
        begun = time.perf_counter()
        count: int | None = None
        examples: tuple[str, ...] = ()
        probe = compile_probe(grounded, index, layout, options)
        if probe is not None:
            try:
                count, examples = _ask(probe, select)
            except EndpointError as error:
                recorder.warn("step-not-counted", f"step {index + 1} was not counted: {error.message}")
        spent = (time.perf_counter() - begun) * 1000
        traced.append(StepTrace(index, step.function, count, examples, spent))
    return tuple(traced)


def _ask(probe: Probe, select: Select) -> tuple[int, tuple[str, ...]]:
    counted = next(select(probe.count, timeout_ms=TIMEOUT_MS).column("count"))
    count = int(float(counted.value))
    if count == 0:
        return 0, ()
    result = select(probe.examples, timeout_ms=TIMEOUT_MS)
    entity, label = (next(c.name for c in probe.columns if c.role == role) for role in ("entity", "label"))
    rows = (dict(zip(result.columns, row, strict=True)) for row in result.rows)
    names = {row[entity]: row[label] or row[entity] for row in rows}
    return count, tuple(name.value for name in names.values() if name is not None)
