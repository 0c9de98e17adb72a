"""Networks as onnxruntime runs them: several times faster than numpy, on one thread, in int8."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from nlq_gateway.neural.weights import Array

_ERRORS_ONLY = 3

_log = logging.getLogger(__name__)


@cache
def runtime() -> Any:
    """The module onnxruntime, or None if it is not installed or does not load."""
    try:
        import onnxruntime
    except ImportError as error:
        _log.info("networks run in numpy, which is slower: %s", error)
        return None
    onnxruntime.set_default_logger_severity(_ERRORS_ONLY)
    return onnxruntime


class Session:
    """A graph that is ready to run. Safe to share between threads, and with processes that are forked."""

    def __init__(self, build: Callable[[], bytes]) -> None:
        """Take the call that makes the graph; each process opens a session of its own at its first run."""
        self._build = build
        self._opened: tuple[int, Any] = (0, None)

    def __call__(self, outputs: Sequence[str], inputs: Mapping[str, Array]) -> list[Array]:
        """The outputs with these names."""
        process, session = self._opened
        if process != os.getpid():
            # Two threads may both get here, and one session is dropped: a lock could be held at a fork.
            session = _open(self._build())
            self._opened = os.getpid(), session
        found: list[Array] = session.run(outputs, inputs)
        return found


def _open(model: bytes) -> Any:
    options = runtime().SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return runtime().InferenceSession(model, options, providers=["CPUExecutionProvider"])
