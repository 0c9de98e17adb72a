"""Lets a model choose one of several options, which are numbered, by a number (SymKGQA, section 3.3).

Where it gives scores, the numbers are scored as continuations, all in one call. Elsewhere it writes one:
under a grammar where it follows one, else as it pleases, which is then read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from nlq_gateway.models.base import Deadline, Model, ModelRequest, Prompt, Sampling

# The option that refuses all others.
NONE_OF_THESE = "none of these"
# Between an option and its description.
ABOUT = " — "
# The end of a prompt that asks for a choice.
CUE = "The number of the right one: "
_NUMBER = re.compile(r"\d+")
# The share of a choice that was only written: sure enough to be taken, not sure enough to silence a margin.
_WRITTEN = 0.8


@dataclass(frozen=True, slots=True)
class Choice:
    """The position of the option that is taken, and the probability of each."""

    best: int
    probabilities: tuple[float, ...]

    @property
    def margin(self) -> float:
        """The probability of the best option minus that of the next, in [0, 1]."""
        others = [p for at, p in enumerate(self.probabilities) if at != self.best]
        return self.probabilities[self.best] - max(others, default=0.0)


def choose(model: Model, prompt: Prompt, options: Sequence[str], deadline: Deadline) -> Choice | None:
    """The option that the model finds likeliest to follow the prompt; None where it names none of them.

    There is at least one option. Raises ModelError.
    """
    if len(options) == 1:
        return Choice(0, (1.0,))
    numbers = [str(number) for number in range(1, len(options) + 1)]
    listed = "\n".join(f"{number}. {option}" for number, option in zip(numbers, options, strict=True))
    asked = Prompt(prompt.prefix, f"{prompt.body}\n{listed}\n{CUE}")
    if model.capabilities.scores:
        return _choice(_softmax(model.score(asked, numbers, deadline).per_token))
    return _written(model, asked, numbers, deadline)


def _written(model: Model, prompt: Prompt, numbers: Sequence[str], deadline: Deadline) -> Choice | None:
    grammar = "root ::= " + " | ".join(f'"{number}"' for number in numbers)
    request = ModelRequest(prompt, Sampling(max_tokens=8), grammar=grammar)
    reply = model.generate(request, deadline)
    written = _NUMBER.search(reply.generations[0].text)
    at = int(written.group()) - 1 if written and len(written.group()) < 4 else -1
    if not 0 <= at < len(numbers):
        return None
    others = (1 - _WRITTEN) / (len(numbers) - 1)
    return Choice(at, tuple(_WRITTEN if one == at else others for one in range(len(numbers))))


def _choice(probabilities: Sequence[float]) -> Choice:
    return Choice(max(range(len(probabilities)), key=lambda at: probabilities[at]), tuple(probabilities))


def _softmax(values: Sequence[float]) -> list[float]:
    highest = max(values)
    powers = [math.exp(value - highest) for value in values]
    return [power / sum(powers) for power in powers]
