"""A circuit breaker: a server that fails again and again is not asked for a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from connectors.circuit import Circuit, CircuitOpen
from nlq_gateway.models.errors import Cancelled, ModelBusy, ModelError, ModelTimeout, ModelUnreachable

_TROUBLE = (ModelUnreachable, ModelBusy)
# A timeout is the server's fault only if it had this long.
_PATIENCE_SECONDS = 5.0


class ServerCircuit:
    """Open after `failures` attempts in a row that failed for the server's sake, for `seconds` of `clock`."""

    def __init__(
        self, failures: int = 3, seconds: float = 10.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._breaker = Circuit(failures, seconds, clock)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Around one attempt, whose outcome it takes note of.

        Raises:
            ModelBusy: the circuit is open; the attempt is not made.
        """
        _admitted(self._breaker.admit)
        started = time.monotonic()
        try:
            yield
        except ModelError as error:
            self._note(error, time.monotonic() - started)
            raise
        except BaseException:
            self._breaker.undecided()
            raise
        else:
            self._breaker.succeeded()

    def check(self) -> None:
        """Raise ModelBusy while the circuit is open."""
        _admitted(self._breaker.check)

    def _note(self, error: ModelError, seconds: float) -> None:
        if isinstance(error, _TROUBLE) or (isinstance(error, ModelTimeout) and seconds >= _PATIENCE_SECONDS):
            self._breaker.failed(error.message)
        elif isinstance(error, Cancelled | ModelTimeout):
            self._breaker.undecided()
        else:
            self._breaker.succeeded()


def _admitted(admit: Callable[[], None]) -> None:
    try:
        admit()
    except CircuitOpen as circuit:
        raise ModelBusy(
            f"the server has failed {circuit.failures} times in a row and is not asked for"
            f" {circuit.seconds:.0f} s",
            hint=f"the last failure: {circuit.why}",
        ) from None
