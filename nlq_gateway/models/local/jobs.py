"""Requests to the worker, with a future for the result."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from nlq_gateway.models.base import Deadline, Generation, Reply, Sampling, Scores, Usage
from nlq_gateway.models.errors import ModelError


@dataclass(slots=True, eq=False, kw_only=True)
class Job:
    """A prompt in tokens. `restarted` is set where it was begun once more because memory ran out."""

    prefix: tuple[int, ...]
    body: tuple[int, ...]
    deadline: Deadline
    future: Future[Any] = field(default_factory=Future)
    restarted: bool = False

    @property
    def rows(self) -> int:
        """The number of rows of the batch that the job occupies while it runs."""
        return 0

    @property
    def tokens(self) -> int:
        """The length of the prompt."""
        return len(self.prefix) + len(self.body)

    def gone(self) -> bool:
        """True if the job's caller has left or its time is spent; its future then fails with the reason."""
        try:
            self.deadline.check()
        except ModelError as error:
            self.fail(error)
            return True
        return self.future.done()

    def fail(self, error: Exception) -> None:
        """Break the promise, unless it is kept."""
        if not self.future.done():
            self.future.set_exception(error)


@dataclass(slots=True, eq=False, kw_only=True)
class WritingJob(Job):
    """`samples` continuations of the prompt; `grammar` is compiled. Greedy samples are written once."""

    sampling: Sampling
    samples: int = 1
    grammar: Any | None = None
    written: dict[int, Generation] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """One for each text that can differ: `samples`, or 1 if greedy."""
        return self.samples if self.sampling.temperature > 0 else 1

    def wrote(self, number: int, generation: Generation) -> None:
        """Keep one text, and the promise once all are there."""
        self.written[number] = generation
        if len(self.written) < self.rows or self.future.done():
            return
        generations = tuple(self.written[at % self.rows] for at in range(self.samples))
        completion = sum(one.tokens for one in self.written.values())
        self.future.set_result(Reply(generations, Usage(self.tokens, completion)))


@dataclass(slots=True, eq=False, kw_only=True)
class RatingJob(Job):
    """Continuations of the prompt, in tokens, whose probabilities are asked for."""

    continuations: tuple[tuple[int, ...], ...]

    def rated(self, log_probabilities: tuple[float, ...]) -> None:
        """Keep the promise."""
        if not self.future.done():
            tokens = tuple(len(tokens) for tokens in self.continuations)
            usage = Usage(self.tokens + sum(tokens), 0)
            self.future.set_result(Scores(log_probabilities, tokens, usage))
