"""Keys and values of a batch, in buffers that are filled in place.

All rows end at the same column and shorter ones begin later: left padding, with which the masks of
`transformers` are right for full and for sliding attention alike. A new row is put beside the others with its
last token at their last column, so requests join and leave between two steps without moving those that stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from transformers.cache_utils import Cache, CacheLayerMixin

# Columns that are free on either side of new buffers, so that they are not renewed at each step.
_SPARE = 256
_LEAD = 64

Layer = tuple[Any, Any]
# Keys and values of one text in each layer, of the shape (1, heads, tokens, size); None in a layer without.
State = tuple[Layer | None, ...]


@dataclass(frozen=True, slots=True)
class RowPrefix:
    """The start of a new row: the first `tokens` of a state."""

    state: State
    tokens: int


@dataclass(frozen=True, slots=True)
class Window:
    """The range of a forward pass: it writes the columns from `read` to `end`, and attends from `start`."""

    rows: slice
    start: int
    read: int
    end: int


class BlockLayer(CacheLayerMixin):  # type: ignore[misc]
    """One layer of a block for the model's attention; `window` is set for each forward pass."""

    is_sliding = False

    def __init__(self) -> None:
        super().__init__()
        self.window = Window(slice(0, 0), 0, 0, 0)
        self.shape = (0, 0)

    def lazy_initialization(self, key_states: Any, value_states: Any) -> None:
        """Buffers for heads of such states. Zeros, because masked values are still multiplied by 0."""
        rows, columns = self.shape
        self.keys, self.values = (
            like.new_zeros((rows, like.shape[1], columns, like.shape[3]))
            for like in (key_states, value_states)
        )
        self.is_initialized = True

    def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> Layer:
        """Keep the new states, and return those of the window."""
        rows, start, read, end = self.window.rows, self.window.start, self.window.read, self.window.end
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        self.keys[rows, :, read:end] = key_states
        self.values[rows, :, read:end] = value_states
        return self.keys[rows, :, start:end], self.values[rows, :, start:end]

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:  # noqa: ARG002
        """The columns of the window, from its first on."""
        return self.window.end - self.window.start, 0

    def get_seq_length(self) -> int:
        """The columns of the window before those that are written."""
        return self.window.read - self.window.start

    def get_max_length(self) -> int:
        """Return -1, no maximum: buffers grow."""
        return -1

    def put(self, row: int, end: int, past: RowPrefix, layer: Layer) -> None:
        """Write the first tokens of a state into a row, up to the column."""
        if not self.is_initialized:
            self.lazy_initialization(*layer)
        for buffer, states in zip((self.keys, self.values), layer, strict=True):
            buffer[row, :, end - past.tokens : end] = states[0, :, : past.tokens]

    def renew(self, shape: tuple[int, int], kept: slice, old: slice, new: slice) -> None:
        """New buffers, with the rows `kept` moved from the columns `old` to `new`."""
        self.shape = shape
        if not self.is_initialized:
            return
        before = (self.keys, self.values)
        self.lazy_initialization(*before)
        for buffer, was in zip((self.keys, self.values), before, strict=True):
            buffer[kept, :, new] = was[kept, :, old]


class Block:
    """The rows of a batch; `lengths` says how many tokens each has, all of them up to the column `end`."""

    def __init__(self, layers: int) -> None:
        self.layers = [BlockLayer() for _ in range(layers)]
        self.cache = Cache(layers=self.layers)
        self.lengths: list[int] = []
        self.end = 0
        self._shape = (0, 0)

    def grow(self, pasts: Sequence[RowPrefix | None], lengths: Sequence[int], queries: int) -> Window:
        """New rows of such lengths below the others; the last `queries` tokens of each are to be read."""
        first, longest = len(self.lengths), max(lengths)
        self._reserve(first + len(lengths), max(longest, queries), 0)
        for row, past in enumerate(pasts, first):
            if past is not None and past.tokens:
                self._put(row, self.end - queries, past)
        self.lengths += lengths
        start = self.end - max(longest, queries)
        return self._look(Window(slice(first, len(self.lengths)), start, self.end - queries, self.end))

    def advance(self) -> Window:
        """Add one column to all rows, and return the window to read it."""
        self._reserve(len(self.lengths), 0, 1)
        self.end += 1
        self.lengths = [length + 1 for length in self.lengths]
        start = self.end - max(self.lengths)
        return self._look(Window(slice(0, len(self.lengths)), start, self.end - 1, self.end))

    def repeat(self, row: int) -> None:
        """The same row once more, below the others."""
        self._reserve(len(self.lengths) + 1, 0, 0)
        self._copy(row, len(self.lengths))
        self.lengths.append(self.lengths[row])

    def remove(self, row: int) -> None:
        """Take a row out; the last one takes its place."""
        last = len(self.lengths) - 1
        if row != last:
            self._copy(last, row)
            self.lengths[row] = self.lengths[last]
        self.lengths.pop()

    def state(self) -> State:
        """A copy of the keys and values of the first row."""
        columns = slice(self.end - self.lengths[0], self.end)
        return tuple(
            (
                layer.keys[:1, :, columns].clone(),
                layer.values[:1, :, columns].clone(),
            )
            if layer.is_initialized
            else None
            for layer in self.layers
        )

    def _look(self, window: Window) -> Window:
        for layer in self.layers:
            layer.window = window
        return window

    def _put(self, row: int, end: int, past: RowPrefix) -> None:
        for layer, states in zip(self.layers, past.state, strict=True):
            if states is not None:
                layer.put(row, end, past, states)

    def _copy(self, source: int, target: int) -> None:
        columns = slice(self.end - self.lengths[source], self.end)
        for layer in self.layers:
            if layer.is_initialized:
                layer.keys[target, :, columns] = layer.keys[source, :, columns]
                layer.values[target, :, columns] = layer.values[source, :, columns]

    def _reserve(self, rows: int, before: int, after: int) -> None:
        """Buffers for so many rows, with so many columns up to `end` and behind it."""
        if not self.lengths:
            self.end = before
        fits = rows <= self._shape[0] and before <= self.end and self.end + after <= self._shape[1]
        if not fits:
            self._renew(rows, before)

    def _renew(self, rows: int, before: int) -> None:
        """Replace the buffers one layer at a time, so that hardly more than one layer exists twice."""
        longest = max(self.lengths, default=0)
        end = max(before, longest) + _LEAD
        self._shape = (_power_of_two(rows), end + _SPARE)
        kept = slice(0, len(self.lengths))
        old, new = slice(self.end - longest, self.end), slice(end - longest, end)
        for layer in self.layers:
            layer.renew(self._shape, kept, old, new)
        self.end = end


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()
