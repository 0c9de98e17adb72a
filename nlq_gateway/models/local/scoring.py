"""Log-probabilities of texts after a prompt: the prompt is read once, all texts in one forward pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from nlq_gateway.models.local.jobs import RatingJob
from nlq_gateway.models.local.network import Text, TorchNetwork

# Logits of so many tokens are held at once, as 32 bits a word: 1 GB with a vocabulary of 128,000.
_TOKENS_AT_ONCE = 2048


def rate(network: TorchNetwork, job: RatingJob, rows: int) -> None:
    """Keep the promise of a job, with at most so many rows at once."""
    prompt = network.prompt(job.prefix, job.body)
    state = network.state(prompt)
    found: list[float] = []
    left = list(job.continuations)
    while left:
        longest = max(map(len, left))
        many = max(1, min(rows, _TOKENS_AT_ONCE // (longest + 1)))
        # The last token of the prompt is read again: its logits give the first token's probability.
        texts = [Text([*prompt.tokens, *tokens], state, len(prompt.tokens) - 1) for tokens in left[:many]]
        found += _rated(network, texts, [len(tokens) for tokens in left[:many]])
        left = left[many:]
        if left and job.gone():
            return
    job.rated(tuple(found))


def _rated(network: TorchNetwork, texts: Sequence[Text], counts: Sequence[int]) -> list[float]:
    """The sum of the log-probabilities of so many last tokens of each text."""
    width = max(counts) + 1
    logits = network.read(network.block(), texts, width)[:, :-1]
    if not logits.shape[1]:
        return [0.0] * len(texts)
    rows = [
        [0] * (width - 1 - count) + list(text.tokens[len(text.tokens) - count :])
        for text, count in zip(texts, counts, strict=True)
    ]
    tokens = torch.tensor(rows, device=logits.device)
    chosen = _log_probabilities(logits, tokens)
    counted = (
        torch.arange(width - 1, 0, -1, device=logits.device)
        <= torch.tensor(counts, device=logits.device)[:, None]
    )
    sums: list[float] = chosen.masked_fill(~counted, 0.0).double().sum(-1).tolist()
    return sums


def _log_probabilities(logits: Any, tokens: Any) -> Any:
    return logits.float().log_softmax(-1).gather(-1, tokens[..., None])[..., 0]
