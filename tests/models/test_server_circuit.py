"""The circuit breaker by itself."""

from __future__ import annotations

import time

import pytest

from nlq_gateway.models.errors import (
    Cancelled,
    ModelBusy,
    ModelError,
    ModelNonsense,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)
from nlq_gateway.models.server.circuit import ServerCircuit


def fail(circuit: ServerCircuit, error: ModelError) -> None:
    with pytest.raises(type(error)), circuit.attempt():
        raise error


def is_open(circuit: ServerCircuit) -> bool:
    try:
        with circuit.attempt():
            raise Cancelled("only to see")
    except ModelBusy:
        return True
    except Cancelled:
        return False


@pytest.mark.parametrize(
    ("errors", "opens"),
    [
        ([ModelUnreachable("x")] * 2, True),
        ([ModelBusy("x"), ModelUnreachable("x")], True),
        ([ModelUnreachable("x")], False),
        ([ModelUnreachable("x"), ModelRefused("x"), ModelUnreachable("x")], False),
        ([ModelUnreachable("x"), ModelNonsense("x"), ModelUnreachable("x")], False),
        ([ModelUnreachable("x"), Cancelled("x"), ModelUnreachable("x")], True),
        # Too soon to blame the server.
        ([ModelTimeout("x")] * 5, False),
    ],
)
def test_it_opens_after_failures_in_a_row(errors: list[ModelError], opens: bool) -> None:
    circuit = ServerCircuit(failures=2, seconds=60)
    for error in errors:
        fail(circuit, error)
    assert is_open(circuit) is opens


def test_a_timeout_after_some_patience_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    circuit = ServerCircuit(failures=1, seconds=60)
    clock = time.monotonic

    def wait_for_nothing() -> None:
        with circuit.attempt():
            monkeypatch.setattr(time, "monotonic", lambda: clock() + 6)
            raise ModelTimeout("x")

    with pytest.raises(ModelTimeout):
        wait_for_nothing()
    assert is_open(circuit)


def test_success_forgets_failures() -> None:
    circuit = ServerCircuit(failures=2, seconds=60)
    fail(circuit, ModelUnreachable("x"))
    with circuit.attempt():
        pass
    fail(circuit, ModelUnreachable("x"))
    assert not is_open(circuit)


def test_one_trial_closes_it_or_opens_it_again() -> None:
    now = [0.0]
    circuit = ServerCircuit(failures=1, seconds=5.0, clock=lambda: now[0])
    fail(circuit, ModelUnreachable("x"))
    assert is_open(circuit)
    now[0] = 6.0
    with circuit.attempt():
        # While the trial runs, nobody else is let through.
        assert is_open(circuit)
    assert not is_open(circuit)
    fail(circuit, ModelUnreachable("x"))
    now[0] = 12.0
    fail(circuit, ModelUnreachable("again"))
    with pytest.raises(ModelBusy) as found, circuit.attempt():
        pass
    assert found.value.hint == "the last failure: again"
