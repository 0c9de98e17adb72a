"""The configured model: opened when it is first needed, and tried again while it is down."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from nlq_gateway.models.base import Capabilities, Deadline, Model, ModelRequest, Prompt, Reply, Scores
from nlq_gateway.models.errors import Cancelled, ModelBusy, ModelError, ModelMissing, ModelUnreachable
from nlq_gateway.settings import ModelSettings

if TYPE_CHECKING:
    from nlq_gateway.models.server import ServerOptions

Status = Literal["ready", "loading", "down"]
# A model that could not be opened is not tried again by questions before so many seconds.
PAUSE_SECONDS = 15.0
# A question waits so long for a model that is being opened for others.
_MOMENT_SECONDS = 1.0
# Failures of the model, not of the request.
_DOWN = (ModelMissing, ModelUnreachable)
_LOOK_SECONDS = 0.05
_NO_DEADLINE = Deadline()

_log = logging.getLogger(__name__)


class _Opening:
    """One attempt to open a model, in its own thread, so that callers can stop waiting."""

    def __init__(self, open_: Callable[[], Model]) -> None:
        self._model: Future[Model] = Future()
        self._begun = time.monotonic()
        threading.Thread(target=self._go, args=(open_,), name="open-model", daemon=True).start()

    @property
    def is_open(self) -> bool:
        """True if it has succeeded."""
        return self._model.done() and self._model.exception() is None

    def has_failed(self, seconds: float) -> bool:
        """True if it has failed, and began at least this many seconds ago."""
        ended = self._model.done() and not self.is_open
        return ended and time.monotonic() - self._begun >= seconds

    def model(self, deadline: Deadline = _NO_DEADLINE, seconds: float = math.inf) -> Model:
        """Wait for the model until the deadline, at most this many seconds; then raise ModelBusy."""
        end = time.monotonic() + seconds
        while True:
            try:
                return self._model.result(timeout=_LOOK_SECONDS)
            except TimeoutError:
                deadline.check()
            if time.monotonic() > end:
                raise ModelBusy("the model is being opened", hint="ask again when it is ready")

    def _go(self, open_: Callable[[], Model]) -> None:
        try:
            self._model.set_result(open_())
        except ModelError as error:
            self._model.set_exception(error)
        except Exception as error:
            _log.exception("the model could not be opened")
            self._model.set_exception(ModelMissing(f"the model could not be opened: {error}"))


class OpenedModel:
    """A model that another one is opened for. Safe to share between threads."""

    def __init__(self, open_: Callable[[], Model], called: str) -> None:
        """`open_` opens the model or raises ModelError; until it is ready it is `called` so."""
        self._open = open_
        self._called = called
        self._opening: _Opening | None = None
        self._prepared = False
        self._failure: ModelError | None = None
        self._lock = threading.Lock()

    @property
    def status(self) -> Status:
        """`down` after a failure, until something succeeds; `loading` before anything has."""
        if self._failure is not None:
            return "down"
        return "ready" if self._prepared else "loading"

    @property
    def detail(self) -> str:
        """The reason why the model is not ready; "" if it is."""
        failure = self._failure
        if failure is not None:
            return failure.message
        return "" if self._prepared else "the model is being opened"

    def describe(self) -> dict[str, str]:
        """Its name and status, with the reason where it is not ready; waits for nothing."""
        return {"name": self.name, "status": self.status, **({"detail": self.detail} if self.detail else {})}

    def prepare(self, deadline: Deadline = _NO_DEADLINE) -> None:
        """Open the model, and detect its abilities; does nothing once both are done. Raises ModelError."""
        with self._watched(deadline, ModelError):
            self._opened(deadline).prepare(deadline)
        self._prepared = True

    def _opened(self, deadline: Deadline = _NO_DEADLINE) -> Model:
        """Return the model; callers with a deadline wait briefly for a running attempt, and retry it late."""
        patient = deadline.at == math.inf
        with self._lock:
            begins = self._opening is None or self._opening.has_failed(0 if patient else PAUSE_SECONDS)
            if self._opening is None or begins:
                self._opening = _Opening(self._open)
            opening = self._opening
        return opening.model(deadline, math.inf if begins or patient else _MOMENT_SECONDS)

    @contextmanager
    def _watched(self, deadline: Deadline, *failures: type[ModelError]) -> Iterator[None]:
        """Around a use of the model: these failures say that it is down, success that it is not.

        That it is busy does not, nor that a deadline is over.
        """
        try:
            yield
        except (Cancelled, ModelBusy):
            raise
        except failures as error:
            if deadline.left:
                self._failure = error
            raise
        self._failure = None

    @property
    def name(self) -> str:
        """The model's once it has been ready, else how it is configured."""
        return self._opened().name if self._prepared else self._called

    @property
    def capabilities(self) -> Capabilities:
        """The model's; raises ModelError where it cannot be opened."""
        return self._opened().capabilities

    def generate(self, request: ModelRequest, deadline: Deadline) -> Reply:
        """Delegate to the opened model."""
        with self._watched(deadline, *_DOWN):
            return self._opened(deadline).generate(request, deadline)

    def score(self, prompt: Prompt, continuations: Sequence[str], deadline: Deadline) -> Scores:
        """Delegate to the opened model."""
        with self._watched(deadline, *_DOWN):
            return self._opened(deadline).score(prompt, continuations, deadline)

    def count_tokens(self, text: str) -> int:
        """Delegate to the opened model."""
        return self._opened().count_tokens(text)

    def close(self) -> None:
        """Close the model, once it is open."""
        with self._lock:
            opening, self._opening = self._opening, None
            self._prepared = False
        if opening is not None:
            try:
                opening.model().close()
            except ModelError:
                return


def configured_model(settings: ModelSettings) -> OpenedModel | None:
    """Return the model of these settings, unopened; None if none is configured."""
    if settings.backend == "none":
        return None
    called = settings.name or settings.url or settings.backend
    return OpenedModel(lambda: _opened(settings), called)


def _opened(settings: ModelSettings) -> Model:
    """Open a back end; imported here, because its packages take seconds and memory to import."""
    if settings.backend == "openai":
        from nlq_gateway.models.server import ServerModel

        assert settings.url is not None
        key = settings.key.get_secret_value() if settings.key else ""
        try:
            return ServerModel(settings.url, settings.name, key, options=_options(settings))
        except ValueError as error:
            raise ModelMissing(f"the model's server cannot be asked: {error}", hint="see `model`") from None
    from nlq_gateway.models.local import LocalModel

    assert settings.name is not None
    return LocalModel.open(settings.name, settings.device)


def _options(settings: ModelSettings) -> ServerOptions:
    from nlq_gateway.models.server import ServerOptions

    return ServerOptions(
        settings.api,
        settings.max_tokens,
        settings.reasoning,
        {name: value.get_secret_value() for name, value in settings.headers.items()},
        settings.query,
        settings.extra_body,
        settings.timeout.total_seconds() or math.inf,
    )
