"""What the gateway asks of a language model, whatever runs it."""

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
    """A tool that a model may call with one text: `argument` is its name, `meaning` says what it is."""

    name: str
    description: str
    argument: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Turn:
    """What the model wrote in answer to a prompt, and what it was told then.

    Calls of tools are written as lines (`calls.py`), and each of them has a text of `told`.
    """

    said: str
    told: tuple[str, ...]

    @property
    def results(self) -> str:
        """All that it was told, as one text."""
        return "\n\n".join(f"Result:\n{one}" for one in self.told)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the model reads.

    `prefix` is the same for many questions, so that its keys and values can be kept; it is the system
    message where there are messages. `body` is what differs, and ends where the model shall go on, or where
    it went on with `turns`. `tools` are offered to models whose capabilities have them.
    """

    prefix: str
    body: str
    turns: tuple[Turn, ...] = ()
    tools: tuple[Tool, ...] = ()

    @property
    def text(self) -> str:
        """All of it as one text, without the tools."""
        return self.prefix + self.rest

    @property
    def rest(self) -> str:
        """What follows the prefix, as one text."""
        return self.body + "".join(f"{turn.said}\n\n{turn.results}\n\n" for turn in self.turns)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How tokens are drawn: greedily at temperature 0; `top_k` 0 is all of them.

    Generation ends before the first of `stop`, which is not part of the text, or after `max_tokens`.
    """

    temperature: float = 0.0
    top_k: int = 0
    max_tokens: int = 400
    stop: tuple[str, ...] = ()
    seed: int = 0


GREEDY = Sampling()


@dataclass(frozen=True, slots=True)
class Usage:
    """What was used: tokens read and written."""

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

    `log_probability` is the natural logarithm of its probability under the model (under the grammar,
    where there is one), None where that is not known. `finished` is False where it was cut. `thought` says
    that the model thought before it wrote; the thoughts are no part of the text.
    """

    text: str
    log_probability: float | None = None
    tokens: int = 0
    finished: bool = True
    thought: bool = False

    @property
    def cut_in_thought(self) -> bool:
        """Whether it was cut while the model was thinking."""
        return self.thought and not self.finished and not self.text.strip()


@dataclass(frozen=True, slots=True)
class Reply:
    """The generations for one prompt, and what was sent to a server for them."""

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
    """What a model can do besides writing.

    It may follow a grammar, score continuations, keep to a JSON Schema, and call tools.
    """

    grammar: bool = False
    scores: bool = False
    schema: bool = False
    tools: bool = False


@dataclass(frozen=True, slots=True)
class Deadline:
    """Until when an answer is of use: `at` is a time of `time.monotonic`; `gone` is set to cancel."""

    at: float = math.inf
    gone: threading.Event = field(default_factory=threading.Event)

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """So many seconds from now."""
        return cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds that are left, at least 0."""
        return max(0.0, self.at - time.monotonic())

    def check(self) -> None:
        """Raise ModelTimeout or Cancelled when there is no use in going on."""
        if self.gone.is_set():
            raise Cancelled("whoever asked does not wait any more")
        if not self.left:
            raise ModelTimeout("the model did not answer in time")


class Model(Protocol):
    """A language model. Safe to share between threads; every method raises ModelError."""

    @property
    def name(self) -> str:
        """What stands for the model in traces and caches: the same name gives the same texts."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do; may ask the server, once."""

    def generate(
        self,
        prompt: Prompt,
        deadline: Deadline,
        *,
        sampling: Sampling = GREEDY,
        samples: int = 1,
        grammar: str | None = None,
        schema: str | None = None,
    ) -> Reply:
        """So many texts that go on from the prompt; `grammar` (GBNF, start rule `root`) binds them.

        Where the model cannot follow a grammar, a JSON Schema (as JSON) does; where it follows neither, it
        writes without.
        """

    def score(self, prompt: Prompt, continuations: Sequence[str], deadline: Deadline) -> Scores:
        """How probable each continuation is after the prompt; only where `capabilities.scores`."""

    def count_tokens(self, text: str) -> int:
        """How many tokens a text has, or an estimate that is not too small."""

    def prepare(self, deadline: Deadline) -> None:
        """Find out what can be done; once that is known, name and capabilities are told at once."""

    def close(self) -> None:
        """Give back memory and connections."""
