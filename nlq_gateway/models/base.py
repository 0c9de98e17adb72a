"""The interface of a language model, independent of its back end."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from nlq_gateway.models.errors import Cancelled, ModelTimeout
from nlq_gateway.trace import Sent


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a model may call with one text: `argument` is its name, `meaning` its description."""

    name: str
    description: str
    argument: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A reply of the model, and the results that it was given in return.

    Tool calls in `said` are lines (`calls.py`); `told` has one text for each of them.
    """

    said: str
    told: tuple[str, ...]

    @property
    def results(self) -> str:
        """All results, as one text."""
        return "\n\n".join(f"Result:\n{one}" for one in self.told)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The input of the model.

    `prefix` is the same for many questions, so that its keys and values can be cached; in chat requests it is
    the system message. `body` is specific to the question, and ends where the model continues, or where it
    continued with `turns`. `tools` are offered to models whose capabilities include them.
    """

    prefix: str
    body: str
    turns: tuple[Turn, ...] = ()
    tools: tuple[Tool, ...] = ()

    @property
    def text(self) -> str:
        """The whole prompt as one text, without the tools."""
        return self.prefix + self.rest

    @property
    def rest(self) -> str:
        """The text after the prefix."""
        return self.body + "".join(f"{turn.said}\n\n{turn.results}\n\n" for turn in self.turns)


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters: greedy at temperature 0; `top_k` 0 means all tokens.

    Generation ends before the first of `stop`, which is not part of the text, or after `max_tokens`.
    """

    temperature: float = 0.0
    top_k: int = 0
    max_tokens: int = 400
    stop: tuple[str, ...] = ()
    seed: int = 0


GREEDY = Sampling()


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request for `samples` continuations of a prompt, constrained by `grammar` (GBNF, start rule `root`).

    A model that cannot follow a grammar uses the JSON Schema (as JSON); one that follows neither writes
    freely.
    """

    prompt: Prompt
    sampling: Sampling = GREEDY
    samples: int = 1
    grammar: str | None = None
    schema: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """The numbers of tokens read and written."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        """The sum of both."""
        return Usage(
            self.prompt_tokens + other.prompt_tokens, self.completion_tokens + other.completion_tokens
        )


@dataclass(frozen=True, slots=True)
class Generation:
    """One text that the model wrote.

    `log_probability` is the natural logarithm of its probability under the model (and the grammar, if any),
    None if unknown. `finished` is False for a truncated text. `thought` is True if the model reasoned before
    it wrote; the reasoning is not part of the text.
    """

    text: str
    log_probability: float | None = None
    tokens: int = 0
    finished: bool = True
    thought: bool = False

    @property
    def cut_in_thought(self) -> bool:
        """True if the text was truncated while the model was reasoning."""
        return self.thought and not self.finished and not self.text.strip()


@dataclass(frozen=True, slots=True)
class Reply:
    """The generations for one prompt, and the request to a server for them."""

    generations: tuple[Generation, ...]
    usage: Usage = Usage()
    request_id: str = ""
    sent: Sent | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """The log-probabilities of continuations of one prompt, each the sum over its `tokens`."""

    log_probabilities: tuple[float, ...]
    tokens: tuple[int, ...]
    usage: Usage = Usage()
    request_id: str = ""

    @property
    def per_token(self) -> tuple[float, ...]:
        """The mean log-probability of each continuation's tokens, which does not favour short ones."""
        pairs = zip(self.log_probabilities, self.tokens, strict=True)
        return tuple(total / max(1, tokens) for total, tokens in pairs)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Optional abilities of a model.

    They are following a grammar, scoring continuations, following a JSON Schema, and calling tools.
    """

    grammar: bool = False
    scores: bool = False
    schema: bool = False
    tools: bool = False


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time at which a call ends: `at` is a time of `time.monotonic`; setting `gone` cancels it."""

    at: float = math.inf
    gone: threading.Event = field(default_factory=threading.Event)

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """The deadline this number of seconds from now."""
        return cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds that are left, at least 0."""
        return max(0.0, self.at - time.monotonic())

    def check(self) -> None:
        """Raise ModelTimeout or Cancelled when there is no use in going on."""
        if self.gone.is_set():
            raise Cancelled("the caller cancelled the request")
        if not self.left:
            raise ModelTimeout("the model did not answer in time")


class Model(Protocol):
    """A language model. Safe to share between threads; every method raises ModelError."""

    @property
    def name(self) -> str:
        """The model's id in traces and caches: models with the same name give the same texts."""

    @property
    def capabilities(self) -> Capabilities:
        """The model's abilities; the first call may ask the server."""

    def generate(self, request: ModelRequest, deadline: Deadline) -> Reply:
        """Return the continuations that the request asks for."""

    def score(self, prompt: Prompt, continuations: Sequence[str], deadline: Deadline) -> Scores:
        """Return the log-probability of each continuation after the prompt; needs `capabilities.scores`."""

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of a text, or an upper estimate."""

    def prepare(self, deadline: Deadline) -> None:
        """Detect the model's abilities; afterwards name and capabilities return at once."""

    def close(self) -> None:
        """Give back memory and connections."""
