"""The recorder to which stages report while one question is being answered."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from connectors.observing import watched
from nlq_gateway.core.checkpoint import checkpoint
from nlq_gateway.trace.events import Event, Listener
from nlq_gateway.trace.values import Attempt, Look, Retrieved, SubQuestion, Warning


@dataclass(slots=True)
class Recorder:
    """Collects what the stages report while one question is being answered, and passes events on.

    `carried_out` is how many programs were, so far.
    """

    timings_ms: dict[str, float] = field(default_factory=dict)
    warnings: list[Warning] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    demonstrations: tuple[Retrieved, ...] = ()
    facts: tuple[str, ...] = ()
    sub_questions: tuple[SubQuestion, ...] = ()
    looks: list[Look] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)
    listeners: tuple[Listener, ...] = ()
    carried_out: int = 0

    def tell(self, event: Event) -> None:
        """Pass an event to all listeners, before anything else happens."""
        for listener in self.listeners:
            listener(event)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage, which begins with a checkpoint; repeated stages add up."""
        checkpoint()
        begun = time.perf_counter()
        try:
            with watched(name):
                yield
        finally:
            spent = (time.perf_counter() - begun) * 1000
            self.timings_ms[name] = self.timings_ms.get(name, 0.0) + spent

    def warn(self, code: str, message: str) -> None:
        """Keep a warning once."""
        warning = Warning(code, message)
        if warning not in self.warnings:
            self.warnings.append(warning)

    def total_ms(self) -> float:
        """Milliseconds since the recorder was made."""
        return (time.perf_counter() - self.started) * 1000
