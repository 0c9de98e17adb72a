"""The parts of transformers, in numpy (Vaswani et al., "Attention Is All You Need", 2017).

The tokens of a batch lie one after another without padding: only attention depends on the ends of texts, and
runs once per length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlq_gateway.neural.weights import Array, Weights

# A stretch of tokens that holds texts of one length, and that length.
Run = tuple[slice, int]

HEADS = 12
_EPSILON = 1e-12
_CACHE_ROWS = 16


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """An affine map; `weight` has the shape (inputs, outputs)."""

    weight: Array
    bias: Array

    @classmethod
    def of(cls, weights: Weights) -> Linear:
        """The map with the stored `weight` of shape (outputs, inputs), and `bias`."""
        # A row for each input, contiguous: over columns BLAS takes five times as long for few tokens.
        return cls(np.ascontiguousarray(weights["weight"].T), weights["bias"])

    def __call__(self, x: Array) -> Array:
        """The images of rows."""
        y = x @ self.weight
        y += self.bias
        return y


@dataclass(frozen=True, slots=True, eq=False)
class Norm:
    """Layer normalisation over the last axis."""

    weight: Array
    bias: Array

    @classmethod
    def of(cls, weights: Weights) -> Norm:
        """The normalisation with the stored `weight` and `bias`."""
        return cls(weights["weight"], weights["bias"])

    def __call__(self, x: Array) -> Array:
        """Rows of mean 0 and variance 1, scaled and moved."""
        x = x - x.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", x, x)[:, None] / np.float32(x.shape[-1])
        x /= np.sqrt(variance + np.float32(_EPSILON))
        x *= self.weight
        x += self.bias
        return x


@dataclass(frozen=True, slots=True, eq=False)
class EncoderLayer:
    """One encoder layer, which normalises after each of its halves."""

    query: Linear
    key: Linear
    value: Linear
    mixed: Linear
    mixed_norm: Norm
    wide: Linear
    narrow: Linear
    norm: Norm

    @classmethod
    def of(cls, weights: Weights) -> EncoderLayer:
        """The layer whose parts are stored under their names here."""
        return cls(
            query=Linear.of(weights.under("query.")),
            key=Linear.of(weights.under("key.")),
            value=Linear.of(weights.under("value.")),
            mixed=Linear.of(weights.under("mixed.")),
            mixed_norm=Norm.of(weights.under("mixed_norm.")),
            wide=Linear.of(weights.under("wide.")),
            narrow=Linear.of(weights.under("narrow.")),
            norm=Norm.of(weights.under("norm.")),
        )

    def __call__(self, x: Array, runs: Sequence[Run]) -> Array:
        """The next states of tokens, shape (tokens, width)."""
        attended = attend(self.query(x), self.key(x), self.value(x), runs)
        return self._after(attended, x)

    def firsts(self, x: Array, runs: Sequence[Run]) -> Array:
        """The next state of each text's first token alone, shape (texts, width)."""
        first = np.concatenate([x[run][::length] for run, length in runs])
        attended = attend(self.query(first), self.key(x), self.value(x), runs, asking=_ones(runs))
        return self._after(attended, first)

    def _after(self, attended: Array, x: Array) -> Array:
        x = self.mixed_norm(self.mixed(attended) + x)
        return self.norm(self.narrow(gelu(self.wide(x))) + x)


def _ones(runs: Sequence[Run]) -> list[Run]:
    """The runs of these texts if each had one token."""
    found, start = [], 0
    for run, length in runs:
        end = start + (run.stop - run.start) // length
        found.append((slice(start, end), 1))
        start = end
    return found


def attend(
    query: Array,
    key: Array,
    value: Array,
    runs: Sequence[Run],
    heads: int = HEADS,
    asking: Sequence[Run] | None = None,
) -> Array:
    """Attention of each text's tokens to one another; `asking` has their places in `query`, if different."""
    width = query.shape[1] // heads
    out = np.empty_like(query)
    for (asked, own), (run, length) in zip(asking or runs, runs, strict=True):
        q = query[asked].reshape(-1, own, heads, width).swapaxes(1, 2)
        k, v = (x[run].reshape(-1, length, heads, width).swapaxes(1, 2) for x in (key, value))
        scores = (q @ k.swapaxes(2, 3)) * np.float32(width**-0.5)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        out[asked] = (scores @ v).swapaxes(1, 2).reshape(-1, query.shape[1])
    return out


def gelu(x: Array) -> Array:
    """The exact Gaussian error linear unit, x * (1 + erf(x / sqrt(2))) / 2, to 4e-7, row by row.

    Rows go through in blocks that stay in the processor's cache, which makes this three times as fast.
    """
    out = np.empty_like(x)
    for start in range(0, len(x), _CACHE_ROWS):
        block = slice(start, start + _CACHE_ROWS)
        _gelu(x[block], out[block])
    return out


def _gelu(x: Array, out: Array) -> None:
    """Write the unit's values for one block.

    erf after Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 7.1.26. With the
    complementary function, x * (1 + erf) / 2 = max(x, 0) - |x| * erfc(|x| / sqrt(2)) / 2.
    """
    size = np.abs(x)
    t = 1 / (np.float32(0.3275911 * 0.5**0.5) * size + 1)
    tail = t * np.float32(1.061405429)
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += np.float32(coefficient)
        tail *= t
    np.square(size, out=t)
    t *= np.float32(-0.5)
    tail *= np.exp(t, out=t)
    size *= np.float32(0.5)
    tail *= size
    np.maximum(x, 0, out=out)
    out -= tail
