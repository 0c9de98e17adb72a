"""Trains the judge: `python -m training.judging.train --candidates FOLDER --out FOLDER`.

The network learns from the graphs of training alone. A question's candidates compete with one another, where
one is right (a softmax over them), and each is right or wrong by itself. With `--results` it is the deeper
one, which reads what candidates found; it begins with the drafter's layers (`--start`). With `--onward`
either begins with what the package has, and `training.pack --share` takes a share of what it learned.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch.nn import functional

from nlq_gateway.judging.reader import LONGEST, PROGRAMS, RESULTS
from nlq_gateway.judging.text import found_text
from nlq_gateway.neural import open_tokenizer
from training.examples import is_train
from training.judging.edited import edited
from training.judging.learner import Learner, begin, parser_of
from training.judging.network import Judge

Json = dict[str, Any]
MOST, TOKENS = 10, 12_000
RATE = 2e-4
# What the odds of the likeliest candidate count beside the mean of all.
_LIKELIEST = 0.5
HELD = 700  # questions that are looked at between passes


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its candidates: their tokens and whether each is right."""

    graph: str
    kind: str
    texts: tuple[tuple[int, ...], ...]
    right: tuple[bool, ...]
    record: Json


def read(folder: Path, *, training: bool, executed: bool = False) -> list[Asked]:
    """The questions of the graphs of training, or of the others.

    For training, questions whose candidates ran appear twice: with the texts before and after the run.
    """
    tokenizer = open_tokenizer(LONGEST)
    found = []
    for file in sorted(folder.glob("*.jsonl")):
        if is_train(file.stem) != training:
            continue
        for record in _records(file, training=training):
            candidates = record["candidates"]
            if not candidates:
                continue
            for told in (False, True) if training and "answer" in candidates[0] else (executed,):
                found.append(_asked(file.stem, record, candidates, tokenizer, executed=told))
    return found


def read_results(folder: Path, *, training: bool) -> list[Asked]:
    """The questions of the graphs of training, or of the others, with the candidates that found something."""
    tokenizer = open_tokenizer(LONGEST)
    found = []
    for file in sorted(folder.glob("*.jsonl")):
        if is_train(file.stem) != training:
            continue
        for record in _records(file, training=training):
            candidates = [one for one in record["candidates"] if one.get("tells")]
            if candidates:
                found.append(_asked(file.stem, record, candidates, tokenizer, executed=True))
    return found


def read_edited(folder: Path) -> list[Asked]:
    """The questions made of those of other graphs than training's, with the programs right for the first.

    So the area that `report` prints is that of telling one kind of question from the other.
    """
    tokenizer = open_tokenizer(LONGEST)
    found = []
    for file in sorted(one for one in folder.glob("*.jsonl") if not is_train(one.stem)):
        for record in _records(file, training=False):
            right = [one for one in record["candidates"] if one["right"]]
            for made in edited(file.stem, {**record, "candidates": right}):
                found.append(_asked(file.stem, made, made["candidates"], tokenizer, executed=True))
    return found


def _records(file: Path, *, training: bool) -> Iterator[Json]:
    """What was collected over a graph; for training with what is made of it."""
    for record in map(json.loads, file.read_text("utf-8").splitlines()):
        yield record
        if training:
            yield from edited(file.stem, record)


def _asked(
    graph: str, record: Json, candidates: Sequence[Json], tokenizer: Tokenizer, *, executed: bool
) -> Asked:
    pairs = [(record["question"], text_of(one, executed=executed)) for one in candidates]
    ids = tuple(tuple(one.ids) for one in tokenizer.encode_batch(pairs))
    return Asked(graph, record["kind"], ids, tuple(one["right"] for one in candidates), record)


def _examples(folder: Path, *, results: bool) -> tuple[list[Asked], list[tuple[str, list[Asked]]]]:
    """What the network learns from, and some questions that are looked at between passes, by name."""
    if results:
        helds = {"executed": read_results(folder, training=False)}
        train = read_results(folder, training=True)
    else:
        helds = {
            name: read(folder, training=False, executed=executed)
            for name, executed in (("not executed", False), ("executed", True))
        }
        train = read(folder, training=True)
    helds["edited"] = read_edited(folder)
    return train, [(name, random.Random(1).sample(one, min(HELD, len(one)))) for name, one in helds.items()]


def text_of(candidate: Json, *, executed: bool) -> str:
    """The network's text of a candidate, before or after it ran."""
    steps: str = candidate["steps"]
    return found_text(steps, candidate["answer"], candidate["count"]) if executed else steps


def batches(asked: Sequence[Asked], chance: random.Random) -> Iterator[list[tuple[Asked, list[int]]]]:
    """Questions with the numbers of some of their candidates, by so many tokens."""
    chosen = []
    for one in asked:
        numbers = list(range(len(one.texts)))
        right = [n for n in numbers if one.right[n]]
        wrong = [n for n in numbers if not one.right[n]]
        kept = chance.sample(right, min(3, len(right)))
        kept += chance.sample(wrong, min(MOST - len(kept), len(wrong)))
        chosen.append((one, kept))
    chance.shuffle(chosen)
    for start in range(0, len(chosen), 400):
        block = sorted(chosen[start : start + 400], key=lambda one: max(len(one[0].texts[n]) for n in one[1]))
        groups: list[list[tuple[Asked, list[int]]]] = []
        batch: list[tuple[Asked, list[int]]] = []
        width = 0
        for one, kept in block:
            longest = max(width, *(len(one.texts[n]) for n in kept))
            if batch and longest * (sum(len(k) for _, k in batch) + len(kept)) > TOKENS:
                groups.append(batch)
                batch, longest = [], max(len(one.texts[n]) for n in kept)
            batch.append((one, kept))
            width = longest
        groups.append(batch)
        chance.shuffle(groups)
        yield from groups


def padded(texts: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Token numbers and where there are some."""
    width = max(map(len, texts))
    ids = torch.zeros(len(texts), width, dtype=torch.long)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = torch.tensor(text)
    lengths = torch.tensor([len(text) for text in texts])
    return ids, torch.arange(width)[None] < lengths[:, None]


def loss_of(logits: torch.Tensor, batch: Sequence[tuple[Asked, list[int]]]) -> torch.Tensor:
    """The mean over questions of the listwise and the pointwise loss.

    The likeliest candidate counts once more: it is the one that is given out, so its odds have to hold.
    """
    total, start = logits.new_zeros(()), 0
    for one, kept in batch:
        own = logits[start : start + len(kept)]
        start += len(kept)
        right = torch.tensor([one.right[n] for n in kept])
        odd = functional.binary_cross_entropy_with_logits(own, right.float(), reduction="none")
        total = total + odd.mean() + _LIKELIEST * odd[own.detach().argmax()]
        if right.any() and not right.all():
            total = total + 0.5 * (torch.logsumexp(own, 0) - torch.logsumexp(own[right], 0))
    return total / len(batch)


def scored(network: Judge, asked: Sequence[Asked]) -> list[NDArray[np.float32]]:
    """The logits of all candidates."""
    network.eval()
    flat = [(n, m, text) for n, one in enumerate(asked) for m, text in enumerate(one.texts)]
    flat.sort(key=lambda one: len(one[2]))
    found = [np.zeros(len(one.texts), np.float32) for one in asked]
    for start in range(0, len(flat), 128):
        rows = flat[start : start + 128]
        ids, present = padded([text for _, _, text in rows])
        with torch.no_grad():
            logits = network(ids, present).float()
        for (n, m, _), logit in zip(rows, logits.tolist(), strict=True):
            found[n][m] = logit
    return found


def auc(scores: Sequence[float], right: Sequence[bool]) -> float:
    """The area under the curve of right against wrong."""
    order = np.argsort(np.argsort(scores)) + 1.0
    right_ = np.array(right, bool)
    ups, downs = right_.sum(), (~right_).sum()
    return float((order[right_].sum() - ups * (ups + 1) / 2) / max(1, ups * downs))


def report(name: str, asked: Sequence[Asked], logits: Sequence[NDArray[np.float32]]) -> None:
    """Print how often the best candidate is right, and the area under the curve of its logit."""
    taken = [(one, int(own.argmax()), float(own.max())) for one, own in zip(asked, logits, strict=True)]
    right = [one.right[at] for one, at, _ in taken]
    there = sum(any(one.right) for one in asked)
    area = auc([logit for _, _, logit in taken], right)
    print(f"{name}: {len(asked)} questions, right {sum(right)} of {there}, AUC {area:.3f}", flush=True)


def main() -> None:
    """Train, print what each pass brought, and write the weights."""
    parser = parser_of(__doc__, 30)
    parser.add_argument("--candidates", type=Path, required=True)
    parser.add_argument("--results", action="store_true", help="the network that reads results")
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument(
        "--rate", type=float, default=RATE, help=f"highest learning rate ({RATE}); onward 4e-5"
    )
    options = parser.parse_args()
    network = begin(options, *(RESULTS if options.results else PROGRAMS))
    train, helds = _examples(options.candidates, results=options.results)
    print(len(train), "questions to learn from,", sum(len(held) for _, held in helds), "held out", flush=True)
    learner = Learner.of(network, options.rate)
    for name, held in helds if options.start or options.onward else ():
        report(f"at first, {name}", held, scored(network, held))
    begun, steps = time.monotonic(), 0
    for number in range(options.passes):
        network.train()
        chance = random.Random(number)
        total = count = 0.0
        for batch in batches(train, chance):
            share = min(1.0, (time.monotonic() - begun) / (options.minutes * 60))
            if share >= 1:
                break
            ids, present = padded([one.texts[n] for one, kept in batch for n in kept])
            total += learner.step(loss_of(network(ids, present).float(), batch), steps, share)
            steps, count = steps + 1, count + 1
            if steps % 20 == 0:
                print(f"{time.monotonic() - begun:6.0f}s step {steps} loss {total / count:.4f}", flush=True)
                total = count = 0.0
        for name, held in helds:
            report(f"pass {number + 1}, {name}", held, scored(network, held))
        learner.save(options.out / "judge.safetensors")
        if time.monotonic() - begun >= options.minutes * 60:
            break


if __name__ == "__main__":
    main()
