"""A model with scripted replies, for benchmarks and tests of the code around a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from nlq_gateway.models.base import (
    Capabilities,
    Deadline,
    Generation,
    ModelRequest,
    Prompt,
    Reply,
    Scores,
    Usage,
)
from nlq_gateway.models.choice import ABOUT
from nlq_gateway.models.errors import ModelNonsense

_LETTERS_OF_A_TOKEN = 4


@dataclass(slots=True)
class ScriptedModel:
    """Writes what `script` answers to each request, and prefers continuations by `prefer`.

    `script` gives the texts of one request; ModelNonsense where it gives none. Without `prefer` the
    model gives no scores.
    """

    script: Callable[[ModelRequest], Sequence[str]]
    prefer: Callable[[Prompt, str], float] | None = None
    grammar: bool = False
    name: str = "scripted"
    requests: list[ModelRequest] = field(default_factory=list)

    @classmethod
    def replaying(cls, *texts: str) -> ScriptedModel:
        """Reply with one text for each request, in order; the last one is repeated."""
        left = list(texts)
        return cls(lambda _: [left.pop(0) if len(left) > 1 else left[0]])

    @property
    def capabilities(self) -> Capabilities:
        """The capabilities given at construction."""
        return Capabilities(self.grammar, self.prefer is not None)

    def generate(self, request: ModelRequest, deadline: Deadline) -> Reply:
        """The script's texts, cut at the first stop."""
        deadline.check()
        self.requests.append(request)
        texts = [_until(text, request.sampling.stop) for text in self.script(request)]
        if not texts:
            raise ModelNonsense("the script has no answer to this")
        generations = tuple(Generation(text, -0.1, self.count_tokens(text)) for text in texts)
        written = sum(one.tokens for one in generations)
        return Reply(generations, Usage(self.count_tokens(request.prompt.text), written))

    def score(self, prompt: Prompt, continuations: Sequence[str], deadline: Deadline) -> Scores:
        """The values of `prefer` for each continuation."""
        deadline.check()
        assert self.prefer is not None, "asked for scores, which it does not give"
        found = tuple(self.prefer(prompt, text) for text in continuations)
        tokens = tuple(self.count_tokens(text) for text in continuations)
        return Scores(found, tokens, Usage(self.count_tokens(prompt.text), 0))

    def count_tokens(self, text: str) -> int:
        """A token for every four letters, rounded up."""
        return -(-len(text) // _LETTERS_OF_A_TOKEN)

    def prepare(self, deadline: Deadline) -> None:
        """Check the deadline."""
        deadline.check()

    def close(self) -> None:
        """Do nothing: it holds no resources."""


def of_options(prefer: Callable[[Prompt, str], float]) -> Callable[[Prompt, str], float]:
    """Turn a preference over options into one over their numbers, ignoring the options' descriptions."""

    def of_number(prompt: Prompt, number: str) -> float:
        lines = (line.partition(". ") for line in prompt.body.splitlines())
        found = [text for before, _, text in lines if before == number]
        return prefer(prompt, found[-1].split(ABOUT)[0] if found else number)

    return of_number


def _until(text: str, stops: Sequence[str]) -> str:
    ends = [at for stop in stops if (at := text.find(stop)) >= 0]
    return text[: min(ends)] if ends else text
