"""Makes endpoints and the language model ready in the background, and keeps trying those that are down.

Each process prepares endpoints of its own: the objects behind them do not survive a fork. The index on disk
is built by the first and opened by the others (it has a lock).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from threading import Event, Thread
from typing import TypeVar

from nlq_gateway.answering import Pipeline, make_examples
from nlq_gateway.core.errors import KNOWN_ERRORS
from nlq_gateway.endpoints.endpoint import Endpoint, Status
from nlq_gateway.models import ModelError
from nlq_gateway.models.opened import OpenedModel

FIRST_PAUSE_SECONDS = 2.0
REFRESH_SECONDS = 10.0
LONGEST_PAUSE_SECONDS = 60.0

Looked = TypeVar("Looked")

_log = logging.getLogger(__name__)


class Readiness:
    """One thread for each endpoint, which prepares it until it is ready and looks after it from then on."""

    def __init__(
        self,
        pipeline: Pipeline,
        changed: Callable[[Endpoint], None] = lambda _: None,
        looked: Callable[[Endpoint], None] = lambda _: None,
        looked_at_model: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """Threads begin at `start`; they call the callbacks.

        Args:
            pipeline: has the endpoints and the model.
            changed: called with an endpoint whose state is another than before.
            looked: called with an endpoint whenever it was looked at.
            looked_at_model: called with whether the model is ready, whenever that was looked at.
        """
        self._pipeline = pipeline
        self._endpoints = tuple(pipeline.endpoints.values())
        self._changed = changed
        self._looked = looked
        self._looked_at_model = looked_at_model
        self._stopped = Event()
        self._threads: list[Thread] = []

    def start(self) -> None:
        """Begin; returns at once."""
        for endpoint in self._endpoints:
            self._start(f"prepare-{endpoint.id}", self._look_after, endpoint)
        if (model := self._pipeline.model) is not None:
            self._start("prepare-model", self._look_after_model, model)

    def _start(self, name: str, work: Callable[[Looked], None], of: Looked) -> None:
        thread = Thread(target=work, args=(of,), name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def wait(self, seconds: float) -> None:
        """Wait for each thread to end, for so long."""
        for thread in self._threads:
            thread.join(seconds)

    def stop(self) -> None:
        """Let the threads end after what they are doing."""
        self._stopped.set()

    def state(self) -> Status:
        """The readiness of all endpoints together."""
        found = {endpoint.status for endpoint in self._endpoints}
        return "loading" if "loading" in found else "down" if "down" in found else "ready"

    def can_answer(self) -> bool:
        """True if there is an endpoint that can be asked."""
        return any(endpoint.status == "ready" for endpoint in self._endpoints)

    def is_loading(self, endpoints: Collection[str]) -> bool:
        """True if one of these endpoints, or the model, has neither become ready nor failed."""
        model = self._pipeline.model
        found = {endpoint.status for endpoint in self._endpoints if endpoint.id in endpoints}
        return "loading" in found or (model is not None and model.status == "loading")

    def _look_after(self, endpoint: Endpoint) -> None:
        """Prepare it, then take each newer version of its index; a failure is followed by longer pauses."""
        told: tuple[str, str] | None = None
        pause = FIRST_PAUSE_SECONDS
        while not self._stopped.is_set():
            failed = not (self._refresh(endpoint) if endpoint.is_open else self._prepare(endpoint))
            self._looked(endpoint)
            if told != (endpoint.status, endpoint.detail):
                told = (endpoint.status, endpoint.detail)
                self._changed(endpoint)
                self._prepare_prompts(endpoint)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS) if failed else FIRST_PAUSE_SECONDS
            self._stopped.wait(pause if failed else REFRESH_SECONDS)

    def _prepare_prompts(self, endpoint: Endpoint) -> None:
        """Behind the news that the endpoint is ready, as it is without these; a question would make them."""
        if endpoint.status != "ready":
            return
        snapshot = endpoint.snapshot()
        self._try("example questions", endpoint, lambda: make_examples(self._pipeline, snapshot))
        self._try("a model's prompts", endpoint, lambda: self._pipeline.prepare_prompts(endpoint))

    def _try(self, what: str, endpoint: Endpoint, make: Callable[[], object]) -> None:
        """Make something; a failure is logged, except that of a store which is closed meanwhile."""
        try:
            make()
        except Exception as error:
            if not self._stopped.is_set():
                fault = None if isinstance(error, KNOWN_ERRORS) else error
                _log.warning("%s: %s could not be made: %s", endpoint.id, what, error, exc_info=fault)

    def _look_after_model(self, model: OpenedModel) -> None:
        pause = FIRST_PAUSE_SECONDS
        while not self._stopped.is_set():
            if model.status != "ready":
                self._prepare_model(model)
            ready = model.status == "ready"
            self._looked_at_model(ready)
            pause = FIRST_PAUSE_SECONDS if ready else min(2 * pause, LONGEST_PAUSE_SECONDS)
            self._stopped.wait(pause)

    def _prepare_model(self, model: OpenedModel) -> None:
        try:
            model.prepare()
        except ModelError as error:
            _log.warning("the language model is not ready: %s", error.message)
        except Exception:
            _log.exception("the language model could not be made ready")

    def _prepare(self, endpoint: Endpoint) -> bool:
        """True if it is ready; an index that is too old will do until there is another one."""
        try:
            endpoint.prepare(any_age=True)
        except KNOWN_ERRORS as error:
            _log.info("%s is not ready: %s", endpoint.id, error)
        except Exception:
            # The thread must outlive a fault of one attempt: nothing else would ever try again.
            _log.exception("%s could not be prepared", endpoint.id)
        return endpoint.status == "ready"

    def _refresh(self, endpoint: Endpoint) -> bool:
        """True if that went well; where not, the endpoint answers with the index that it has.

        A store that is down is asked again soon, for whether it is back; its index is left alone meanwhile.
        """
        try:
            endpoint.check()
            if endpoint.status == "ready" and endpoint.refresh():
                _log.info("%s: the index is now %s", endpoint.id, endpoint.index.manifest.version)
                self._prepare_prompts(endpoint)
        except KNOWN_ERRORS as error:
            _log.warning("%s keeps its index: %s", endpoint.id, error)
            return False
        except Exception:
            _log.exception("%s: the index could not be refreshed", endpoint.id)
            return False
        return True
