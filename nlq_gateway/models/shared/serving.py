"""The side of the process that has the model: a thread for each connection, a call at a time on each."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, Listener, answer_challenge, deliver_challenge
from pathlib import Path
from typing import Any

from nlq_gateway.models.base import Deadline, Model
from nlq_gateway.models.errors import ModelError
from nlq_gateway.models.shared.messages import MethodCall, Raised, Returned

_LOOK = 0.05
_BACKLOG = 128

_log = logging.getLogger(__name__)


def serve(model: Model, address: str, key: bytes) -> None:
    """Answer calls at a socket of this address, for ever; its file is there once calls are accepted."""
    bound = f"{address}.{os.getpid()}"
    with Listener(bound, family="AF_UNIX", backlog=_BACKLOG) as listener:
        # A socket's file is made before the system accepts connections to it.
        Path(address).symlink_to(bound)
        while True:
            connection = listener.accept()
            threading.Thread(target=_converse, args=(connection, key, model), daemon=True).start()


def _converse(connection: Connection, key: bytes, model: Model) -> None:
    """Answer the calls of one connection until it is closed."""
    with connection, suppress(EOFError, OSError, AuthenticationError):
        deliver_challenge(connection, key)
        answer_challenge(connection, key)
        while True:
            call: MethodCall = connection.recv()
            with _deadline(connection, call.seconds) as deadline:
                answer = _answer(model, call, deadline)
            connection.send(answer)


@contextmanager
def _deadline(connection: Connection, seconds: float) -> Iterator[Deadline]:
    """The deadline of a call; a closed connection cancels it, because callers send nothing meanwhile."""
    deadline, done = Deadline(time.monotonic() + seconds), threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK):
            if connection.poll():
                deadline.gone.set()
                return

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield deadline
    finally:
        done.set()
        watching.join()


def _answer(model: Model, call: MethodCall, deadline: Deadline) -> Returned | Raised:
    try:
        return Returned(_called(model, call, deadline))
    except ModelError as error:
        return Raised.of(error)
    except Exception as error:
        _log.exception("the model failed")
        return Raised.of(ModelError(f"the model failed: {type(error).__name__}"))


def _called(model: Model, call: MethodCall, deadline: Deadline) -> Any:
    if call.method == "prepare":
        model.prepare(deadline)
        return model.name, model.capabilities
    if call.method == "count_tokens":
        return model.count_tokens(**call.arguments)
    if call.method == "score":
        return model.score(deadline=deadline, **call.arguments)
    return model.generate(deadline=deadline, **call.arguments)
