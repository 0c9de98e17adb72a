"""A network that learns in bfloat16, with its exact weights beside it."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import save_file

from benchmarks.published import published_encoder
from training.drafter.network import begin_as_packed, begin_as_published
from training.judging.network import Judge

WARMUP, LEAST = 100, 0.02
# Steps from one report to the next.
_REPORTED = 200


@dataclass(frozen=True, slots=True)
class Learner:
    """A network, its trained parameters, and their exact values, which the optimizer moves."""

    network: Judge
    learned: tuple[torch.nn.Parameter, ...]
    masters: tuple[torch.Tensor, ...]
    optimizer: torch.optim.Optimizer
    rate: float

    @classmethod
    def of(cls, network: Judge, rate: float) -> Learner:
        """The learner of a network in float32, which becomes bfloat16; `rate` is the highest rate."""
        learned = tuple(p for p in network.parameters() if p.requires_grad)
        masters = tuple(p.detach().clone() for p in learned)
        network.bfloat16()
        optimizer = torch.optim.AdamW(masters, lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
        return cls(network, learned, masters, optimizer, rate)

    def step(self, loss: torch.Tensor, number: int, share: float) -> float:
        """Learn from a loss, and return it: step `number`, after a `share` of the time."""
        factor = min(1.0, (number + 1) / WARMUP) * max(LEAST, 0.5 * (1 + math.cos(math.pi * share)))
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * factor
        self.network.zero_grad(set_to_none=True)
        loss.backward()
        for exact, own in zip(self.masters, self.learned, strict=True):
            exact.grad = None if own.grad is None else own.grad.float()
        torch.nn.utils.clip_grad_norm_(self.masters, 1.0)
        self.optimizer.step()
        with torch.no_grad():
            for exact, own in zip(self.masters, self.learned, strict=True):
                own.copy_(exact)
        return float(loss.detach())

    def save(self, file: Path) -> None:
        """Write the exact trained weights: the layers above the shared ones, and the score."""
        exact = {id(own): master for own, master in zip(self.learned, self.masters, strict=True)}
        named = self.network.named_parameters()
        save_file({name: exact[id(own)].contiguous() for name, own in named if id(own) in exact}, file)

    def scale_score(self, factor: float) -> None:
        """Multiply the network's odds by a factor."""
        for own, exact in zip(self.learned, self.masters, strict=True):
            if any(own is part for part in self.network.score.parameters()):
                exact.mul_(factor)
                own.data.copy_(exact)

    def learn(self, losses: Iterable[torch.Tensor], minutes: float, report: Callable[[], str]) -> None:
        """Learn from one loss after the other for some minutes, and print reports.

        A loss is taken once the network has learned from those before it.
        """
        begun, total = time.monotonic(), 0.0
        for step, loss in enumerate(losses, 1):
            share = (time.monotonic() - begun) / (minutes * 60)
            if share >= 1:
                break
            total += self.step(loss, step - 1, share)
            if step % _REPORTED == 0:
                print(f"{time.monotonic() - begun:6.0f}s step {step} loss {total / _REPORTED:.3f}")
                print(report(), flush=True)
                total = 0.0


def parser_of(description: str | None, minutes: float) -> argparse.ArgumentParser:
    """The arguments that all trainings have; without `--start` or `--onward` one begins with MiniLM."""
    parser = argparse.ArgumentParser(description=description)
    begun = parser.add_mutually_exclusive_group()
    begun.add_argument("--start", type=Path, help="weights to begin with")
    begun.add_argument("--onward", action="store_true", help="begin with the network of the model file")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=minutes)
    parser.add_argument("--threads", type=int, default=2)
    return parser


def begin(options: argparse.Namespace, prefix: str, layers: int) -> Judge:
    """The network to train, of so many layers, by the arguments; makes the folder for it.

    `prefix` is that of its tensors in the model file.
    """
    torch.manual_seed(7)
    torch.set_num_threads(options.threads)
    options.out.mkdir(parents=True, exist_ok=True)
    encoder = published_encoder()
    assert encoder is not None
    network = Judge(layers)
    if options.start:
        network.load(encoder / "model.safetensors", options.start)
    else:
        begin_as_published(network, encoder / "model.safetensors")
    if options.onward:
        begin_as_packed(network, prefix)
    return network
