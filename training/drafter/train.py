"""Trains the drafter: `python -m training.drafter.train --examples FOLDER --out FOLDER`, resumable.

On a GPU when torch has one; else on the CPU in bfloat16, where a pass over 30,000 examples takes minutes.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

from nlq_gateway.index.embedding import MiniLM
from nlq_gateway.neural import open_tokenizer
from training.drafter.batches import Table, batches, near_items
from training.drafter.examples import Corpus, Example, read_corpus
from training.drafter.mixes import FIRST, ONWARD, sampled
from training.drafter.network import Batch, Drafter, begin_as_packed

RATE, ENCODER_SHARE, WARMUP = 7e-4, 0.35, 200
# Of the weights after so many passes, the last ones, the mean is taken.
AVERAGED = 3


def main() -> None:
    """Train, print what each pass brought, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=90.0, help="the learning rate ends at zero by then")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rate", type=float, default=RATE, help=f"highest learning rate ({RATE})")
    parser.add_argument("--onward", action="store_true", help="with the model file's drafter and its mix")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    options.out.mkdir(parents=True, exist_ok=True)
    Training(options).run()


class Training:
    """The state of a training: network, optimiser, examples, and the time used."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.embedder = MiniLM()
        self.tokenizer = open_tokenizer(256)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.network = Drafter()
        self.network.load_encoder(options.encoder / "model.safetensors")
        if options.onward:
            begin_as_packed(self.network)
        self.network.to(self.device)
        self.optimizer = torch.optim.AdamW(self._groups(), betas=(0.9, 0.98), weight_decay=0.01)
        self.rates = [group["lr"] for group in self.optimizer.param_groups]
        self.used, self.steps, self.passes = 0.0, 0, 0
        self.remembered = options.out / "examples.pickle"
        self.checkpoint = options.out / "checkpoint.pt"
        if self.checkpoint.exists():
            self._resume()

    def run(self) -> None:
        """Passes over the examples until the time is used."""
        limit = self.options.minutes * 60
        near: dict[str, NDArray[np.int64]] = {}
        stamp, corpus, table = None, None, None
        while self.used < limit:
            if stamp != (stamp := self._stamp()) or corpus is None or table is None:
                corpus = read_corpus(
                    self.options.examples, self.tokenizer, self.options.out / "examples.pickle"
                )
                table = Table.of(corpus, self.embedder, self.tokenizer)
                self._offer(corpus, table, near := {})
                print(f"{len(corpus.examples)} examples, {len(corpus.held_out)} held out", flush=True)
            self._pass(corpus, table, near, limit)
            self.passes += 1
            self._save()
            self.report(corpus, table, near)
        self._write_mean()
        if corpus is not None and table is not None:
            self.report(corpus, table, near)

    def _pass(self, corpus: Corpus, table: Table, near: dict[str, NDArray[np.int64]], limit: float) -> None:
        chance = random.Random(self.options.seed + self.passes)
        examples = sampled(corpus.examples, ONWARD if self.options.onward else FIRST, chance)
        vectors = torch.from_numpy(table.vectors).to(self.device)
        self.network.train()
        started, total, count = time.monotonic(), 0.0, 0
        begun = self.used
        for batch in batches(examples, [near[_key(e)] for e in examples], table, chance):
            loss, decisions = self._step(batch, vectors, limit)
            total, count = total + loss * decisions, count + decisions
            self.used = begun + time.monotonic() - started
            if self.used > limit:
                break
            if self.steps % 40 == 0:
                rate = self.optimizer.param_groups[0]["lr"]
                print(f"{self.used:6.0f}s step {self.steps} loss {total / count:.4f} {rate:.1e}", flush=True)
                total, count = 0.0, 0

    def _step(self, batch: Batch, vectors: torch.Tensor, limit: float) -> tuple[float, int]:
        share = min(1.0, self.used / limit)
        factor = min(1.0, (self.steps + 1) / WARMUP) * max(0.02, 0.5 * (1 + math.cos(math.pi * share)))
        for group, rate in zip(self.optimizer.param_groups, self.rates, strict=True):
            group["lr"] = rate * factor
        batch = batch.to(self.device)
        with torch.autocast(self.device.type, torch.bfloat16):
            logs = self.network(batch, vectors)
        decisions = int(batch.written.sum())
        loss = -(logs * batch.written).sum() / decisions
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1
        return float(loss.detach()), decisions

    def report(self, corpus: Corpus, table: Table, near: dict[str, NDArray[np.int64]]) -> None:
        """Print the share of held-out examples whose every decision would be the likeliest one."""
        self.network.eval()
        vectors = torch.from_numpy(table.vectors).to(self.device)
        groups: dict[str, list[Example]] = defaultdict(list)
        for example in corpus.held_out:
            groups[example.source.split("/")[0]].append(example)
        for source, examples in groups.items():
            logs = 0.0
            right = count = 0
            for batch in batches(examples, [near[_key(e)] for e in examples], table, None):
                batch = batch.to(self.device)
                with torch.no_grad(), torch.autocast(self.device.type, torch.bfloat16):
                    found = self.network(batch, vectors)
                logs += float((found * batch.written).sum())
                # Above one half nothing else is likelier.
                right += int(((found > math.log(0.5)) | ~batch.written).all(1).sum())
                count += int(batch.written.sum())
            share = f"{right / len(examples):.3f} of {len(examples)}"
            told = f"{self.used:.0f}s {source}: {share}, log-probability {logs / count:.4f}"
            print(f"pass {self.passes} {told}", flush=True)

    def _offer(self, corpus: Corpus, table: Table, near: dict[str, NDArray[np.int64]]) -> None:
        examples = (*corpus.examples, *corpus.held_out)
        file = self.options.out / "questions.npz"
        known = dict(np.load(file)) if file.exists() else {}
        new = [e.question for e in examples if e.question not in known]
        if new:
            known.update(zip(dict.fromkeys(new), self._vectors(list(dict.fromkeys(new))), strict=True))
            np.savez(file, **known)
        found = near_items(examples, table, np.stack([known[e.question] for e in examples]))
        near.update({_key(e): rows for e, rows in zip(examples, found, strict=True)})

    def _vectors(self, questions: list[str]) -> NDArray[np.float32]:
        """The vectors of the embedding model, computed in torch, which is faster for many."""
        model = Drafter()
        model.load_encoder(self.options.encoder / "model.safetensors")
        model.eval().to(self.device)
        tokens = [self.tokenizer.encode(question).ids for question in questions]
        order = sorted(range(len(tokens)), key=lambda at: len(tokens[at]))
        vectors = np.empty((len(tokens), 384), np.float32)
        for start in range(0, len(order), 128):
            rows = order[start : start + 128]
            width = max(len(tokens[at]) for at in rows)
            ids = torch.tensor([tokens[at] + [0] * (width - len(tokens[at])) for at in rows])
            present = torch.tensor([[at < len(tokens[row]) for at in range(width)] for row in rows])
            ids, present = ids.to(self.device), present.to(self.device)
            with torch.no_grad(), torch.autocast(self.device.type, torch.bfloat16):
                states = model.encode(ids, present).float() * present[..., None]
            vectors[rows] = torch.nn.functional.normalize(states.sum(1), dim=1).cpu().numpy()
        return vectors

    def _groups(self) -> list[dict[str, object]]:
        encoder = [p for p in self.network.encoder.parameters() if p.requires_grad]
        known = {id(p) for p in encoder}
        others = [p for p in self.network.parameters() if p.requires_grad and id(p) not in known]
        rate = self.options.rate
        return [
            {"params": others, "lr": rate},
            {"params": encoder, "lr": rate * ENCODER_SHARE},
        ]

    def _stamp(self) -> list[tuple[str, int]]:
        return [(f.name, f.stat().st_mtime_ns) for f in sorted(self.options.examples.glob("*.jsonl"))]

    def _save(self) -> None:
        state = {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "used": self.used,
            "steps": self.steps,
            "passes": self.passes,
        }
        torch.save(state, self.checkpoint.with_suffix(".new"))
        self.checkpoint.with_suffix(".new").replace(self.checkpoint)
        own = {name for name, parameter in self.network.named_parameters() if parameter.requires_grad}
        save_file(
            {name: t.cpu().contiguous() for name, t in self.network.state_dict().items() if name in own},
            str(self._weights(self.passes)),
        )

    def _weights(self, after: int) -> Path:
        """The file of the weights after so many passes."""
        return self.options.out / f"pass-{after}.safetensors"

    def _write_mean(self) -> None:
        """Take and write the mean of the last passes' weights: on unseen graphs it errs less than the last.

        Izmailov et al., "Averaging Weights Leads to Wider Optima and Better Generalization", 2018.
        """
        files = [self._weights(after) for after in range(1, self.passes + 1)][-AVERAGED:]
        some = [load_file(str(file)) for file in files]
        mean = {name: torch.stack([one[name] for one in some]).mean(0) for name in some[0]}
        save_file(mean, str(self.options.out / "drafter.safetensors"))
        self.network.load_state_dict(mean, strict=False)

    def _resume(self) -> None:
        state = torch.load(self.checkpoint, map_location=self.device, weights_only=False)
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.used, self.steps, self.passes = state["used"], state["steps"], state["passes"]


def _key(example: Example) -> str:
    return f"{example.graph}\n{example.question}"


if __name__ == "__main__":
    main()
