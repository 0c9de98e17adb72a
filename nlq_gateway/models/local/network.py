"""Forward passes of a causal language model over a block, and the kept keys and values of prefixes."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from cachetools import LRUCache
from transformers import DynamicCache

from nlq_gateway.models.errors import ModelRefused
from nlq_gateway.models.local.blocks import Block, RowPrefix, State, Window

_PREFIXES = 4


@dataclass(frozen=True, slots=True)
class Text:
    """Tokens to read; the first `known` of them have a state."""

    tokens: Sequence[int]
    state: State | None = None
    known: int = 0

    @property
    def new(self) -> int:
        """The number of tokens to read."""
        return len(self.tokens) - self.known


class TorchNetwork:
    """The weights, used by one thread, in torch's inference mode.

    `keep_prefixes` says whether keys and values of prefixes are kept, those of the last few.
    """

    def __init__(self, model: Any, pad: int, *, keep_prefixes: bool = True) -> None:
        self._model = model
        self._pad = pad
        self._keep_prefixes = keep_prefixes
        self._states: LRUCache[tuple[int, ...], State] = LRUCache(_PREFIXES)
        self._layers = len(DynamicCache(config=model.config).layers)
        self._cuts_logits = "logits_to_keep" in inspect.signature(model.forward).parameters
        self.device = model.device
        if self.device.type == "cuda":
            # The shapes are others at each step, and cuDNN would plan its attention anew for each.
            torch.backends.cuda.enable_cudnn_sdp(False)
        config = model.config.get_text_config(decoder=True)
        self.longest: int | None = getattr(config, "max_position_embeddings", None)

    def block(self) -> Block:
        """A block without rows."""
        return Block(self._layers)

    def prompt(self, prefix: Sequence[int], body: Sequence[int]) -> Text:
        """Return prefix and body as one text, with the cached state of the prefix."""
        tokens = [*prefix, *body]
        if self.unread(prefix, body) == len(tokens):
            return Text(tokens)
        key = tuple(prefix)
        if key not in self._states:
            self._states[key] = self.state(Text(prefix))
        return Text(tokens, self._states[key], len(prefix))

    def unread(self, prefix: Sequence[int], body: Sequence[int]) -> int:
        """The number of tokens of a prompt to read once its prefix is cached."""
        kept = self._keep_prefixes and prefix and body
        return len(body) if kept else len(prefix) + len(body)

    def forget(self) -> None:
        """Drop the kept states, and give memory back to the device."""
        self._states.clear()
        if self.device.type == "cuda":
            torch.cuda.empty_cache()

    def close(self) -> None:
        """Drop the weights as well."""
        self._model = None
        self.forget()

    def state(self, text: Text) -> State:
        """The keys and values of all its tokens."""
        block = self.block()
        self.read(block, [text])
        return block.state()

    def read(self, block: Block, texts: Sequence[Text], kept: int = 1) -> Any:
        """Put texts into new rows of a block.

        Each row reads as many tokens as the row with the most new tokens: known tokens are read again, so
        that no padding comes between its state and its new tokens.

        Returns:
            The logits behind each of the last `kept` tokens that are read, of the shape (texts, kept, words).
        """
        lengths = [len(text.tokens) for text in texts]
        queries = max(text.new for text in texts)
        pasts = [
            RowPrefix(text.state, max(0, len(text.tokens) - queries)) if text.state else None
            for text in texts
        ]
        window = block.grow(pasts, lengths, queries)
        tokens = [_right(text.tokens, queries, self._pad) for text in texts]
        return self._forward(block, window, tokens, lengths, kept)

    def step(self, block: Block, tokens: Sequence[int]) -> Any:
        """Read one more token of every row; the logits behind it, of the shape (rows, words)."""
        window = block.advance()
        return self._forward(block, window, [[token] for token in tokens], block.lengths, 1)[:, 0]

    def check(self, tokens: int) -> None:
        """Raise ModelRefused where the model cannot read so many tokens; safe in any thread."""
        if self.longest is not None and tokens > self.longest:
            raise ModelRefused(
                f"the text has {tokens} tokens, and the model reads at most {self.longest}",
                hint="use fewer or shorter demonstrations, or a model with a longer context",
            )

    def _forward(
        self, block: Block, window: Window, tokens: list[list[int]], lengths: Sequence[int], kept: int
    ) -> Any:
        long = torch.tensor(lengths, device=self.device)[:, None]
        queries, columns = len(tokens[0]), window.end - window.start
        places = torch.arange(queries, device=self.device) + (long - queries)
        padded = min(lengths) < columns
        mask = torch.arange(columns, device=self.device) >= columns - long if padded else None
        found = self._model(
            input_ids=torch.tensor(tokens, device=self.device),
            attention_mask=mask.long() if mask is not None else None,
            position_ids=places.clamp(min=0),
            past_key_values=block.cache,
            use_cache=True,
            **({"logits_to_keep": kept} if self._cuts_logits else {}),
        )
        return found.logits[:, -kept:]


def _right(tokens: Sequence[int], width: int, pad: int) -> list[int]:
    """The last `width` tokens, with padding before them where there are fewer."""
    last = list(tokens[-width:])
    return [pad] * (width - len(last)) + last
