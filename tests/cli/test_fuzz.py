"""A short run of `python -m benchmarks fuzz` against a real server."""

from __future__ import annotations

from serving import running

from benchmarks.fuzz import SERVER, fuzzed

# Without the port, which the test chooses.
SERVED = SERVER[: SERVER.index("--port")]


def test_nothing_breaks_and_nothing_is_undocumented(environment: dict[str, str]) -> None:
    with running(environment, *SERVED) as (_, address):
        found = fuzzed(address, seed=7, each=3, phases=("examples", "fuzzing"))
    assert not found.failures, found.output
    assert found.cases >= 3 * found.operations > 0
