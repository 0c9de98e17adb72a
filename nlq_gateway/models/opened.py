"""The configured model: opened when it is first needed, and tried again while it is down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Literal

from nlq_gateway.models.base import GREEDY, Capabilities, Deadline, Model, Prompt, Reply, Sampling, Scores
from nlq_gateway.models.errors import ModelBusy, ModelError, ModelMissing
from nlq_gateway.settings import ModelSettings

Status = Literal["ready", "loading", "down"]
# A model that could not be opened is not tried again by questions before so many seconds.
PAUSE_SECONDS = 15.0


class OpenedModel:
    """A model that another one is opened for. Safe to share between threads."""

    def __init__(self, open_: Callable[[], Model], called: str) -> None:
        """`open_` opens the model or raises ModelError; until then it is `called` so."""
        self._open = open_
        self._called = called
        self._model: Model | None = None
        self._failure: ModelError | None = None
        self._failed_at = 0.0
        self._lock = threading.Lock()

    @property
    def status(self) -> Status:
        """`ready`, `down` after a failed attempt, `loading` before one has ended."""
        if self._model is not None:
            return "ready"
        return "down" if self._failure is not None else "loading"

    @property
    def detail(self) -> str:
        """Why it is not ready, "" when it is."""
        if self._model is not None:
            return ""
        return self._failure.message if self._failure is not None else "the model is being opened"

    def describe(self) -> dict[str, str]:
        """Its name and status, with the reason where it is not ready."""
        return {"name": self.name, "status": self.status, **({"detail": self.detail} if self.detail else {})}

    def prepare(self) -> None:
        """Open the model; does nothing when it is open. Raises ModelError."""
        with self._lock:
            if self._model is not None:
                return
            try:
                self._model = self._open()
                self._failure = None
            except ModelError as error:
                self._failure, self._failed_at = error, time.monotonic()
                raise

    def _ready(self) -> Model:
        if self._model is None:
            if self._failure is not None and time.monotonic() - self._failed_at < PAUSE_SECONDS:
                raise self._failure
            if self._lock.locked():
                raise ModelBusy("the model is being opened", hint="ask again when it is ready")
            self.prepare()
        assert self._model is not None
        return self._model

    @property
    def name(self) -> str:
        """The model's, or how it is configured."""
        return self._model.name if self._model is not None else self._called

    @property
    def capabilities(self) -> Capabilities:
        """The model's; raises ModelError where it cannot be opened."""
        return self._ready().capabilities

    def generate(
        self,
        prompt: Prompt,
        deadline: Deadline,
        *,
        sampling: Sampling = GREEDY,
        samples: int = 1,
        grammar: str | None = None,
    ) -> Reply:
        """As the model does."""
        return self._ready().generate(prompt, deadline, sampling=sampling, samples=samples, grammar=grammar)

    def score(self, prompt: Prompt, continuations: Sequence[str], deadline: Deadline) -> Scores:
        """As the model does."""
        return self._ready().score(prompt, continuations, deadline)

    def count_tokens(self, text: str) -> int:
        """As the model does."""
        return self._ready().count_tokens(text)

    def close(self) -> None:
        """Give back what is open."""
        with self._lock:
            if self._model is not None:
                self._model.close()
                self._model = None


def configured_model(settings: ModelSettings) -> OpenedModel | None:
    """The model of these settings, which is not opened yet; None where there is none."""
    if settings.backend == "none":
        return None
    called = settings.name or settings.url or settings.backend
    return OpenedModel(lambda: _opened(settings), called)


def _opened(settings: ModelSettings) -> Model:
    """Open a back end; imported here, since what it needs takes seconds and memory to import."""
    if settings.backend == "openai":
        from nlq_gateway.models.server import ServerModel

        assert settings.url is not None
        key = settings.key.get_secret_value() if settings.key else ""
        try:
            return ServerModel(settings.url, settings.name, key)
        except ValueError as error:
            raise ModelMissing(f"the model's server cannot be asked: {error}", hint="see `model`") from None
    from nlq_gateway.models.local import LocalModel

    assert settings.name is not None
    return LocalModel.open(settings.name, settings.device)
