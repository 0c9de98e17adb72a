"""The judge's network in torch: MiniLM's layers over a question and a candidate, and a score."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from training.drafter.network import ENCODER_HEADS, EPSILON, SHARED, WIDTH, begin_as_published

# Without it a second look at the same questions only makes the network surer of these.
DROPOUT = 0.1


class Layer(nn.Module):
    """One layer of BERT; while it is trained, so much of what it adds to a state is dropped."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.query, self.key, self.value, self.mixed = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.mixed_norm = nn.LayerNorm(WIDTH, EPSILON)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)

    def forward(self, x: Tensor, mask: Tensor, first: bool) -> Tensor:
        """The next states of tokens, B T WIDTH; only the first token's with `first`."""
        asking = x[:, :1] if first else x
        heads = (
            part.view(*part.shape[:2], ENCODER_HEADS, -1).transpose(1, 2)
            for part in (self.query(asking), self.key(x), self.value(x))
        )
        seen = functional.scaled_dot_product_attention(*heads, attn_mask=mask)
        mixed = self.mixed(seen.transpose(1, 2).reshape(asking.shape))
        x = self.mixed_norm(self.dropout(mixed) + asking)
        return self.norm(self.dropout(self.narrow(functional.gelu(self.wide(x)))) + x)


class Judge(nn.Module):
    """Scores pairs of texts; the first layers are the embedding model's own."""

    def __init__(self, layers: int = 4) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(30522, WIDTH), nn.Embedding(512, WIDTH)
        self.embedding_norm = nn.LayerNorm(WIDTH, EPSILON)
        self.encoder = nn.ModuleList(Layer(DROPOUT if at >= SHARED else 0.0) for at in range(layers))
        self.score = nn.Linear(WIDTH, 1)

    def load(self, encoder: Path, learned: Path) -> None:
        """Take MiniLM's weights, and those that were learned."""
        begin_as_published(self, encoder)
        self.load_state_dict(load_file(str(learned)), strict=False)

    def forward(self, ids: Tensor, present: Tensor) -> Tensor:
        """A logit for each pair: B."""
        mask = torch.zeros(present.shape, dtype=self.score.weight.dtype).masked_fill_(~present, -1e4)
        mask = mask[:, None, None, :]
        with torch.no_grad():
            places = self.places(torch.arange(ids.shape[1], device=ids.device))
            x = self.embedding_norm(self.words(ids) + places)
            for layer in self.encoder[:SHARED]:
                x = layer(x, mask, False)
        for number, layer in enumerate(self.encoder[SHARED:], SHARED + 1):
            x = layer(x, mask, number == len(self.encoder))
        return self.score(x[:, 0]).squeeze(-1)
