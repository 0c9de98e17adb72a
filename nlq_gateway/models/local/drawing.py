"""The next token of every row of a batch, greedily or by chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

_BITS = 32


@dataclass(frozen=True, slots=True)
class Draw:
    """The parameters for drawing a row's token; `chance` in [0, 1) is the row's own random number."""

    temperature: float
    top_k: int
    chance: float


def drawn(logits: Any, draws: Sequence[Draw]) -> list[tuple[int, float]]:
    """Each row's token, and the natural logarithm of its probability at temperature 1.

    A token whose logit is minus infinity is never drawn, unless all are.
    """
    certain = logits.float().log_softmax(-1)
    tokens = certain.argmax(-1)
    warm = [row for row, draw in enumerate(draws) if draw.temperature > 0]
    if warm:
        tokens[warm] = _by_chance(certain[warm], [draws[row] for row in warm])
    found = certain.gather(-1, tokens[:, None])[:, 0]
    # One transfer for both arrays; a double holds any token exactly.
    listed, logarithms = torch.stack((tokens.double(), found.double())).tolist()
    return [(int(token), logarithm) for token, logarithm in zip(listed, logarithms, strict=True)]


def masked(logits: Any, bits: Any) -> Any:
    """The logits with minus infinity wherever the bit of the token is not set, 32 tokens a number.

    xgrammar's own kernel would want a C compiler on the machine the first time that it runs on a GPU.
    """
    places = torch.arange(_BITS, dtype=bits.dtype, device=logits.device)
    allowed = (bits.to(logits.device, non_blocking=True)[..., None] >> places) & 1
    return logits.masked_fill(allowed.flatten(1)[:, : logits.shape[-1]] == 0, -torch.inf)


def _by_chance(certain: Any, draws: Sequence[Draw]) -> Any:
    """The token at which the cumulated probability goes beyond the row's chance."""
    scaled = certain / _column(certain, [draw.temperature for draw in draws])
    scaled = scaled.masked_fill(scaled < _thresholds(scaled, [draw.top_k for draw in draws]), -torch.inf)
    up_to = scaled.double().softmax(-1).cumsum(-1)
    wanted = up_to[:, -1:] * _column(up_to, [draw.chance for draw in draws])
    return torch.searchsorted(up_to, wanted, right=True)[:, 0].clamp(max=up_to.shape[-1] - 1)


def _thresholds(scaled: Any, tops: Sequence[int]) -> Any:
    """The logit of each row's k-th likeliest token; minus infinity where all tokens may be drawn."""
    words = scaled.shape[-1]
    most = min(max(tops), words)
    lowest = scaled.new_full((len(tops), 1), -torch.inf)
    if most == 0:
        return lowest
    likeliest = scaled.topk(most).values
    last = torch.tensor([[min(top, words) - 1 if top else 0] for top in tops], device=scaled.device)
    limited = torch.tensor([[top > 0] for top in tops], device=scaled.device)
    return torch.where(limited, likeliest.gather(-1, last), lowest)


def _column(like: Any, values: Sequence[float]) -> Any:
    return torch.tensor(values, dtype=like.dtype, device=like.device)[:, None]
