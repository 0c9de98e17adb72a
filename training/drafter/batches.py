"""Examples in batches of tensors, with the schema items that each question is offered."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from nlq_gateway.drafts.drafter.ends import end_vectors
from nlq_gateway.drafts.drafter.offers import OFFERED, Offers, label_tokens
from nlq_gateway.index.embedding import Embedder, Vectors
from training.drafter.examples import Corpus, Example, Name
from training.drafter.network import Batch

NEAR, OTHERS = 40, 16
DROPPED = 0.25
# So often all items that are meant are among those offered.
SHOWN = 0.7
# As many items as this are offered, the same in a batch.
SIZES = (16, 24, 32, OFFERED)
TOKENS = 2400


@dataclass(slots=True)
class Table:
    """All labels of all graphs with their vectors."""

    labels: dict[str, int]
    vectors: Vectors
    tokens: tuple[tuple[int, ...], ...]
    schemas: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]] = field(default_factory=dict)
    names: dict[str, tuple[Name, ...]] = field(default_factory=dict)
    ends: dict[str, dict[tuple[int, int], Vectors]] = field(default_factory=dict)

    @classmethod
    def of(cls, corpus: Corpus, embedder: Embedder, tokenizer: Tokenizer) -> Table:
        """The embeddings and tokens of every label."""
        found = {label for schema in corpus.schemas.values() for _, label in schema}
        for example in (*corpus.examples, *corpus.held_out):
            found.update(d.item[1] for d in example.decisions if d.item)
        texts = sorted(found)
        tokens = tuple(label_tokens(texts, tokenizer))
        table = cls({text: at for at, text in enumerate(texts)}, embedder.encode(texts), tokens)
        vectors = dict(zip(texts, table.vectors, strict=True))
        for graph, schema in corpus.schemas.items():
            rows = np.array([table.labels[label] for _, label in schema], np.int64)
            table.schemas[graph] = rows, np.array([kind for kind, _ in schema], np.int64)
            table.names[graph] = tuple(schema)
            ends = end_vectors(schema.values(), vectors).astype(np.float16)
            table.ends[graph] = {
                (kind, table.labels[label]): end for (kind, label), end in zip(schema, ends, strict=True)
            }
        return table


def near_items(examples: Sequence[Example], table: Table, vectors: Vectors) -> list[NDArray[np.int64]]:
    """Return for each example the items of its graph that are offered first, as places in the schema."""
    offers = {
        graph: Offers([label for _, label in names], table.vectors[table.schemas[graph][0]])
        for graph, names in table.names.items()
    }
    return [
        offers[example.graph].best(example.question, vector, 2 * NEAR)
        for example, vector in zip(examples, vectors, strict=True)
    ]


def batches(
    examples: Sequence[Example], near: Sequence[NDArray[np.int64]], table: Table, chance: random.Random | None
) -> Iterator[Batch]:
    """Batches of similar lengths, in random order; without `chance` nothing is dropped or shuffled."""
    order = sorted(range(len(examples)), key=lambda at: _length(examples[at], chance))
    groups, group, widest = [], [], 0
    for at in order:
        widest = max(widest, len(examples[at].ids) + len(examples[at].decisions))
        if group and widest * (len(group) + 1) > TOKENS:
            groups.append(group)
            group, widest = [], len(examples[at].ids) + len(examples[at].decisions)
        group.append(at)
    groups.append(group)
    if chance:
        chance.shuffle(groups)
    for group in groups:
        yield _batch([examples[at] for at in group], [near[at] for at in group], table, chance)


def _length(example: Example, chance: random.Random | None) -> float:
    size = len(example.ids) + len(example.decisions)
    return size + chance.uniform(-3, 3) if chance else size


def _batch(
    examples: Sequence[Example],
    near: Sequence[NDArray[np.int64]],
    table: Table,
    chance: random.Random | None,
) -> Batch:
    size, tokens = len(examples), max(len(e.ids) for e in examples)
    length = max(len(e.decisions) for e in examples)
    # Few items are read quickly, and of a large schema some that are meant are not among those offered.
    offered = chance.choice(SIZES) if chance else OFFERED
    items = [_items(e, n, table, chance, offered) for e, n in zip(examples, near, strict=True)]
    width = max(len(rows) for rows, _ in items)
    offered = min(offered, width)
    told = [[table.tokens[row] for row in rows[:offered]] for rows, _ in items]
    longest = max(sum(map(len, labels)) for labels in told)
    ids, present = np.zeros((size, tokens + longest), np.int64), np.zeros((size, tokens + longest), bool)
    owners = np.full((size, longest), -1, np.int64)
    modes, values = np.full((size, length), -1, np.int64), np.zeros((size, length), np.int64)
    wanted, written = np.full((size, length), -2, np.int64), np.zeros((size, length), bool)
    rows, kinds = np.zeros((size, width), np.int64), np.full((size, width), -1, np.int64)
    ends = np.zeros((size, width, 2 * table.vectors.shape[1]), np.float32)
    for at, (example, (own, own_kinds)) in enumerate(zip(examples, items, strict=True)):
        ids[at, : len(example.ids)] = example.ids
        present[at, : len(example.ids)] = True
        said = [token for label in told[at] for token in label]
        ids[at, tokens : tokens + len(said)] = said
        present[at, tokens : tokens + len(said)] = True
        owners[at, : len(said)] = [number for number, label in enumerate(told[at]) for _ in label]
        rows[at, : len(own)], kinds[at, : len(own)] = own, own_kinds
        known = table.ends[example.graph]
        for place, item in enumerate(zip(own_kinds, own, strict=True)):
            if item in known:
                ends[at, place] = known[item]
        places = {(kind, row): i for i, (kind, row) in enumerate(zip(own_kinds, own, strict=True))}
        for step, decision in enumerate(example.decisions):
            modes[at, step], written[at, step] = decision.mode, True
            values[at, step] = decision.value
            if decision.item:
                wanted[at, step] = decision.item[0]
                values[at, step] = places[decision.item[0], table.labels[decision.item[1]]]
    arrays = (ids, present, owners, modes, values, written, rows, kinds, ends, wanted)
    return Batch(*(torch.from_numpy(array) for array in arrays), offered=offered)


def _items(
    example: Example, near: NDArray[np.int64], table: Table, chance: random.Random | None, offered: int
) -> tuple[list[int], list[int]]:
    """Rows and kinds of the candidates: those offered first, then what the program has, and some others."""
    rows, kinds = table.schemas[example.graph]
    if chance is None:
        chosen = [int(at) for at in near]
    else:
        dropped = chance.choice((0.0, DROPPED, 2 * DROPPED))
        chosen = [int(at) for at in near if chance.random() >= dropped][:NEAR]
        chosen += [chance.randrange(len(rows)) for _ in range(OTHERS)] if len(rows) else []
    found = [(int(kinds[at]), int(rows[at])) for at in chosen]
    gold = sorted({(d.item[0], table.labels[d.item[1]]) for d in example.decisions if d.item})
    if chance is not None and chance.random() < SHOWN:
        # In a small graph nearly all items are offered, in a large one few of those that are meant.
        for item in gold:
            if item not in found[:offered]:
                found.insert(chance.randrange(offered), item)
    pairs = dict.fromkeys((*found, *gold))
    return [row for _, row in pairs], [kind for kind, _ in pairs]
