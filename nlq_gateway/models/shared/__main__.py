"""The process that has the model. Its standard input says which, and ends it when it is closed."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable

from nlq_gateway.models.base import Model
from nlq_gateway.models.opened import OpenedModel, configured_model
from nlq_gateway.models.shared.serving import serve
from nlq_gateway.settings import ModelSettings
from nlq_gateway.settings.logs import write_logs
from nlq_gateway.settings.server import LogSettings


def run(opened: Callable[[str, str | None], Model]) -> None:
    """Serve the model that `opened` gives for a name and a device."""
    # Signals to all processes of the server are for its master, who ends this one after the workers.
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    told = json.loads(sys.stdin.readline())
    write_logs(LogSettings(**told["log"]))
    threading.Thread(target=_end_with_input, daemon=True).start()
    serve(opened(told["name"], told["device"]), told["address"], bytes.fromhex(told["key"]))


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)


def _configured(name: str, device: str | None) -> OpenedModel:
    model = configured_model(ModelSettings(backend="transformers", name=name, device=device))
    assert model is not None
    return model


if __name__ == "__main__":
    run(_configured)
