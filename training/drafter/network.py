"""The drafter's network in torch: what `nlq_gateway/drafts/drafter/network.py` computes in numpy.

The encoder is MiniLM's, its embeddings and first layers shared with the embedding model and not trained. The
decoder looks at the question's tokens and at the schema items offered first; a decision is a word of the
drafter's own, an end of a stretch of the question, or an item.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from nlq_gateway.drafts.drafter.vocabulary import KIND_ID, WORDS, Mode
from nlq_gateway.neural import shared_weights

WIDTH, ENCODER_HEADS, HEADS, INNER = 384, 12, 6, 1024
SHARED, LAYERS, DECODER_LAYERS, LONGEST = 2, 6, 3, 128
EPSILON = 1e-12


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors of B examples, T tokens, S of labels, L decisions, C candidate items, M of them in memory."""

    ids: Tensor  # B T + S, the question's and those of the labels of items in memory
    present: Tensor  # B T + S
    owners: Tensor  # B S, the item that a token belongs to
    modes: Tensor  # B L
    values: Tensor  # B L
    written: Tensor  # B L
    items: Tensor  # B C rows of the vectors
    kinds: Tensor  # B C
    ends: Tensor  # B C 2 WIDTH, the mean vectors of the classes at both ends of each item
    wanted_kinds: Tensor  # B L
    offered: int

    def to(self, device: torch.device) -> Batch:
        """The same on a device."""
        tensors = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "offered"}
        return Batch(**{name: tensor.to(device) for name, tensor in tensors.items()}, offered=self.offered)


class EncoderLayer(nn.Module):
    """One layer of BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.mixed = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.mixed_norm = nn.LayerNorm(WIDTH, EPSILON)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: Tensor, present: Tensor, rows: Tensor) -> Tensor:
        """The next states of the N tokens that are present, which are these rows of all: N WIDTH."""
        query, key, value = (_spread(part(x), present, rows) for part in (self.query, self.key, self.value))
        attended = attend(query, key, value, ENCODER_HEADS, present[:, None, None, :])
        attended = attended.flatten(0, 1).index_select(0, rows)
        x = self.mixed_norm(self.dropout(self.mixed(attended)) + x)
        return self.norm(self.dropout(self.narrow(functional.gelu(self.wide(x)))) + x)


class DecoderLayer(nn.Module):
    """Self-attention, attention to the memory, and a feed-forward part; norms come first."""

    def __init__(self) -> None:
        super().__init__()
        self.norm_own, self.norm_memory, self.norm_inner = (nn.LayerNorm(WIDTH, EPSILON) for _ in range(3))
        self.query, self.key, self.value, self.mixed = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.query2, self.key2, self.value2, self.mixed2 = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: Tensor, past: Tensor, memory: Tensor, present: Tensor) -> Tensor:
        """The next states of decisions: B L WIDTH."""
        y = self.norm_own(x)
        x = x + self.dropout(self.mixed(attend(self.query(y), self.key(y), self.value(y), HEADS, past)))
        y = self.norm_memory(x)
        seen = attend(self.query2(y), self.key2(memory), self.value2(memory), HEADS, present)
        x = x + self.dropout(self.mixed2(seen))
        return x + self.dropout(self.narrow(functional.gelu(self.wide(self.norm_inner(x)))))


class Drafter(nn.Module):
    """The whole network; `vectors` are the embeddings of all items' labels."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(30522, WIDTH), nn.Embedding(512, WIDTH)
        self.embedding_norm = nn.LayerNorm(WIDTH, EPSILON)
        self.encoder = nn.ModuleList(EncoderLayer() for _ in range(LAYERS))
        self.decoder = nn.ModuleList(DecoderLayer() for _ in range(DECODER_LAYERS))
        self.token, self.position = nn.Embedding(len(WORDS), WIDTH), nn.Embedding(LONGEST, WIDTH)
        self.kind = nn.Embedding(len(KIND_ID), WIDTH)
        self.from_first, self.from_last = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.from_item, self.offer = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.joint, self.joint_key = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.ends, self.ends_key = nn.Linear(2 * WIDTH, WIDTH), nn.Linear(2 * WIDTH, WIDTH)
        self.offer_norm, self.final_norm = nn.LayerNorm(WIDTH, EPSILON), nn.LayerNorm(WIDTH, EPSILON)
        self.to_word = nn.Linear(WIDTH, len(WORDS))
        self.first_query, self.first_key = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.last_query, self.last_key = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.item_query, self.item_key = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.focus, self.meaning = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        for module in (self.token, self.position, self.kind):
            nn.init.normal_(module.weight, std=0.02)
        nn.init.eye_(self.meaning.weight)
        for module in (self.joint, self.joint_key, self.ends, self.ends_key):
            nn.init.zeros_(module.weight)
            nn.init.zeros_(module.bias)

    def load_encoder(self, file: Path) -> None:
        """Load MiniLM's weights, of which the embeddings and first layers are frozen."""
        begin_as_published(self, file)

    def encode(self, ids: Tensor, present: Tensor) -> Tensor:
        """The states of tokens: B T WIDTH.

        Labels are of very different lengths: what each token needs alone is computed without padding.
        """
        rows = present.flatten().nonzero().flatten()
        with torch.no_grad():
            places = (present.cumsum(1) - 1).clamp(0, len(self.places.weight) - 1)
            x = self.embedding_norm(self.words(ids.flatten()[rows]) + self.places(places.flatten()[rows]))
            for layer in self.encoder[:SHARED]:
                layer.eval()
                x = layer(x, present, rows)
        for layer in self.encoder[SHARED:]:
            x = layer(x, present, rows)
        return _spread(x, present, rows)

    def forward(self, batch: Batch, vectors: Tensor) -> Tensor:
        """The log-probability of each decision: B L."""
        whole = self.encode(batch.ids, batch.present)
        tokens = batch.ids.shape[1] - batch.owners.shape[1]
        states, present = whole[:, :tokens], batch.present[:, :tokens]
        own = functional.one_hot(batch.owners + 1, batch.offered + 1)[..., 1:].mT.to(whole.dtype)
        read = own @ whole[:, tokens:] / own.sum(-1, keepdim=True).clamp(min=1)  # B M WIDTH
        items = vectors[batch.items]
        kinds = self.kind(batch.kinds.clamp(min=0)) + self.ends(batch.ends)
        joint = self.joint(read)
        offered = self.offer(items[:, : batch.offered]) + kinds[:, : batch.offered] + joint
        memory = torch.cat([states, self.offer_norm(offered)], 1)
        seen = torch.cat([present, batch.kinds[:, : batch.offered] >= 0], 1)[:, None, None, :]
        rest = items.shape[1] - batch.offered
        joint = functional.pad(joint, (0, 0, 0, rest))
        x = self._inputs(batch, states, self.from_item(items) + kinds + joint)
        length = x.shape[1]
        past = torch.ones(length, length, dtype=torch.bool, device=x.device).tril()
        for layer in self.decoder:
            x = layer(x, past, memory, seen)
        keys = self.item_key(items) + self.ends_key(batch.ends)
        keys = keys + functional.pad(self.joint_key(read), (0, 0, 0, rest))
        return self._log_probabilities(self.final_norm(x), batch, states, present, items, keys)

    def _inputs(self, batch: Batch, states: Tensor, items: Tensor) -> Tensor:
        """The embedding of the decision before each one."""
        values = batch.values.clamp(min=0)
        rows = torch.arange(len(values), device=values.device)[:, None]
        mode = batch.modes[..., None]
        tokens, things = values.clamp(max=states.shape[1] - 1), values.clamp(max=items.shape[1] - 1)
        words = self.token(values.clamp(max=len(WORDS) - 1))
        pointed = states[rows, tokens]
        x = torch.where(mode == Mode.FIRST, self.from_first(pointed), words)
        x = torch.where(mode == Mode.LAST, self.from_last(pointed), x)
        x = torch.where(mode == Mode.ITEM, items[rows, things], x)
        begin = self.token.weight[1].expand(len(x), 1, WIDTH).to(x.dtype)
        x = torch.cat([begin, x[:, :-1]], 1)
        return x + self.position.weight[: x.shape[1]]

    def _log_probabilities(
        self, x: Tensor, batch: Batch, states: Tensor, present: Tensor, items: Tensor, keys: Tensor
    ) -> Tensor:
        words = self.to_word(x)
        scale = WIDTH**-0.5
        hidden = ~present[:, None, :]
        first = self.first_query(x) @ self.first_key(states).mT * scale
        last = self.last_query(x) @ self.last_key(states).mT * scale
        weights = (self.focus(x) @ states.mT * scale).float().masked_fill(hidden, -1e4).softmax(-1)
        meant = self.meaning(weights.to(states.dtype) @ states)
        item = self.item_query(x) @ keys.mT * scale + meant @ items.mT
        wrong = batch.kinds[:, None, :] != batch.wanted_kinds[:, :, None]
        logits = {
            Mode.WORD: words.float(),
            Mode.FIRST: first.float().masked_fill(hidden, -1e4),
            Mode.LAST: last.float().masked_fill(hidden, -1e4),
            Mode.ITEM: item.float().masked_fill(wrong, -1e4),
        }
        out = torch.zeros(batch.values.shape, device=x.device)
        for mode, values in logits.items():
            chosen = batch.values.clamp(0, values.shape[-1] - 1)[..., None]
            picked = values.gather(-1, chosen)[..., 0] - values.logsumexp(-1)
            out = torch.where(batch.modes == mode, picked, out)
        return out


ENCODER_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mixed": "attention.output.dense",
    "mixed_norm": "attention.output.LayerNorm",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "norm": "output.LayerNorm",
}


def attend(query: Tensor, key: Tensor, value: Tensor, heads: int, mask: Tensor) -> Tensor:
    """Attention of several heads: B Q WIDTH."""
    q, k, v = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, key, value))
    # Much faster to go back through, on a CPU, than torch's own attention.
    scores = (q * (q.shape[-1] ** -0.5)) @ k.mT
    weights = scores.masked_fill(~mask, -1e4).softmax(-1, dtype=torch.float32).to(v.dtype)
    return (weights @ v).transpose(1, 2).flatten(2)


def _spread(x: Tensor, present: Tensor, rows: Tensor) -> Tensor:
    """The states of the tokens that are present, N WIDTH, among zeros for the others: B T WIDTH."""
    return x.new_zeros((present.numel(), WIDTH)).index_copy(0, rows, x).view(*present.shape, WIDTH)


def begin_as_published(network: nn.Module, file: Path) -> None:
    """Give a network MiniLM's embeddings and layers; the embeddings and first layers are frozen.

    It has them as `words`, `places`, `embedding_norm` and `encoder`.
    """
    weights = load_file(str(file))
    network.words.weight.data = weights["embeddings.word_embeddings.weight"]
    kinds = weights["embeddings.token_type_embeddings.weight"][0]
    network.places.weight.data = weights["embeddings.position_embeddings.weight"] + kinds
    _copy(network.embedding_norm, weights, "embeddings.LayerNorm")
    for number, layer in enumerate(network.encoder):
        for own, name in ENCODER_NAMES.items():
            _copy(getattr(layer, own), weights, f"encoder.layer.{number}.{name}")
    for module in (network.words, network.places, network.embedding_norm, *network.encoder[:SHARED]):
        module.requires_grad_(False)


def begin_as_packed(network: nn.Module, prefix: str = "drafter.") -> None:
    """Give the layers that learn the weights that the package's model file has under a prefix.

    Words of the vocabulary that the model file lacks are the last ones, and keep the rows they have.
    """
    packed = shared_weights().under(prefix)
    for name, parameter in network.named_parameters():
        if parameter.requires_grad and (name in packed or f"{name}.scale" in packed):
            weights = torch.from_numpy(packed[name].copy())
            parameter.data[: len(weights)] = weights


def _copy(module: nn.Module, weights: dict[str, Tensor], name: str) -> None:
    module.weight.data = weights[f"{name}.weight"].clone()
    module.bias.data = weights[f"{name}.bias"].clone()
