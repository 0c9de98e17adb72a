"""Log-probabilities of continuations, for servers that return those of the prompt's tokens.

A continuation's is that of prompt and continuation minus that of the prompt (the chain rule). Both begin with
the same tokens, which cancel out, so only the differing ones are summed; a token that spans the end of the
prompt is counted right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from nlq_gateway.models.base import Scores, Usage
from nlq_gateway.models.errors import ModelNonsense
from nlq_gateway.models.server.bodies import Body
from nlq_gateway.models.server.messages import CompletionChoice, CompletionResponse, CompletionToken

Tokens = list[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Way:
    """Parameters that request the prompt's log-probabilities, and the number of tokens written after it."""

    extra: Body = field(default_factory=dict)
    written: int = 0


# By name, in the order in which they are tried. vLLM has the last as well, in case it is without `echo`.
WAYS: Mapping[str, Way] = {
    "echo": Way({"echo": True, "logprobs": 1, "max_tokens": 0}),
    "echo and a token": Way({"echo": True, "logprobs": 1, "max_tokens": 1}, written=1),
    "prompt_logprobs": Way({"prompt_logprobs": 0, "max_tokens": 1}),
}


def scoring(model: str, way: Way, prompt: str, continuations: Sequence[str]) -> Body:
    """A request for the log-probabilities of the prompt alone, and with each continuation."""
    texts = [prompt, *(prompt + one for one in continuations)]
    return {"model": model, "prompt": texts, **way.extra}


def scores(way: Way, answer: CompletionResponse, count: int) -> Scores:
    """The scores of so many continuations.

    Raises:
        ModelNonsense: the answer does not have them.
    """
    choices = sorted(answer.choices or (), key=lambda choice: choice.index)
    request_id = answer.id or ""
    if len(choices) != count + 1:
        raise ModelNonsense("the model server scored something else", request_id=request_id)
    prompt, *others = (_tokens(choice, way) for choice in choices)
    if not prompt:
        raise ModelNonsense("the model server gave no scores", request_id=request_id)
    found = [_difference(prompt, one) for one in others]
    read = (answer.usage and answer.usage.prompt_tokens) or len(prompt) + sum(map(len, others))
    return Scores(
        tuple(score for score, _ in found), tuple(tokens for _, tokens in found), Usage(read), request_id
    )


def _tokens(choice: CompletionChoice, way: Way) -> Tokens:
    """The tokens that were read, with their log-probabilities; the first has none, as nothing precedes it."""
    if choice.prompt_logprobs is not None:
        pairs = [_first(one) for one in choice.prompt_logprobs]
    else:
        pairs = list(choice.logprobs.pairs) if choice.logprobs else []
        pairs = pairs[: len(pairs) - way.written]
    return [(token, value or 0.0) for token, value in pairs]


def _first(position: Mapping[str, CompletionToken] | None) -> tuple[str, float | None]:
    """The token that was read, which comes before others that were likelier, and its log-probability."""
    return next(((name, one.logprob) for name, one in (position or {}).items()), ("", None))


def _difference(prompt: Tokens, whole: Tokens) -> tuple[float, int]:
    """The log-probability of what the whole has beyond the prompt, and its tokens."""
    pairs = zip(prompt, whole, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0][0] == pair[1][0], pairs))
    ends = [sum(value for _, value in one[same:]) for one in (prompt, whole)]
    return ends[1] - ends[0], len(whole) - same
