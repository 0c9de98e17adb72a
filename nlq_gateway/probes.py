"""How many entities each step of a program has, and a few of them: the trace's per-step counts."""

from __future__ import annotations

import time

from compilers.compile import Probe, compile_probe
from compilers.grounded import GroundedProgram
from compilers.layouts import Options
from connectors.base import Connector
from connectors.errors import EndpointError
from nlq_gateway.trace import Recorder, StepTrace

TIMEOUT_MS = 2_000


def probe_steps(
    grounded: GroundedProgram, connector: Connector, layout: str, options: Options, recorder: Recorder
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
                count, examples = _ask(probe, connector)
            except EndpointError as error:
                recorder.warn("step-not-counted", f"step {index + 1} was not counted: {error.message}")
        spent = (time.perf_counter() - begun) * 1000
        traced.append(StepTrace(index, step.function, count, examples, spent))
    return tuple(traced)


def _ask(probe: Probe, connector: Connector) -> tuple[int, tuple[str, ...]]:
    counted = next(connector.query(probe.count, timeout_ms=TIMEOUT_MS).column("count"))
    count = int(float(counted.value))
    if count == 0:
        return 0, ()
    result = connector.query(probe.examples, timeout_ms=TIMEOUT_MS)
    entity, label = (next(c.name for c in probe.columns if c.role == role) for role in ("entity", "label"))
    rows = (dict(zip(result.columns, row, strict=True)) for row in result.rows)
    names = {row[entity]: row[label] or row[entity] for row in rows}
    return count, tuple(name.value for name in names.values() if name is not None)
