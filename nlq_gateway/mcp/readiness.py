"""Makes endpoints and the language model ready in the background, and takes newer versions of indexes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial

from nlq_gateway.endpoints import Endpoint
from nlq_gateway.mcp.working import KNOWN_ERRORS
from nlq_gateway.models import ModelError
from nlq_gateway.models.opened import OpenedModel
from nlq_gateway.pipeline import Gateway

LOOK_SECONDS = 30.0

_log = logging.getLogger(__name__)


def look_after(gateway: Gateway) -> None:
    """Begin, in threads that end with the process; returns at once.

    A question to an endpoint that is not ready prepares it as well: it does not wait for the next look.
    """
    for endpoint in gateway.endpoints.values():
        _start(partial(_look_after, endpoint))
    if gateway.model is not None:
        _start(partial(_look_after_model, gateway.model))


def _start(work: Callable[[], None]) -> None:
    threading.Thread(target=work, daemon=True).start()


def _look_after(endpoint: Endpoint) -> None:
    pause = threading.Event()
    while True:
        try:
            if endpoint.status == "ready":
                endpoint.refresh()
            else:
                endpoint.prepare(any_age=True)
        except KNOWN_ERRORS as error:
            _log.warning("%s: %s", endpoint.id, error)
        except Exception:
            # The thread must outlive a fault of one attempt: nothing else would ever try again.
            _log.exception("%s could not be prepared", endpoint.id)
        pause.wait(LOOK_SECONDS)


def _look_after_model(model: OpenedModel) -> None:
    pause = threading.Event()
    while True:
        if model.status != "ready":
            try:
                model.prepare()
            except ModelError as error:
                _log.warning("the language model is not ready: %s", error.message)
            except Exception:
                _log.exception("the language model could not be made ready")
        pause.wait(LOOK_SECONDS)
