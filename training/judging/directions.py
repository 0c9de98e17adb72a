"""Trains the network of directions: `python -m training.judging.directions --examples FOLDER --out FOLDER`.

A question stands beside the fact that it asks for and beside the reverse: of the labels of `training.labels`,
and of the programs among the drafter's examples whose only relation leads from a thing. The network learns
which of both is meant. One label in ten is held out, and the graphs of development are.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import torch
from torch.nn import functional

from nlq_gateway.judging.directions import Reversed
from nlq_gateway.judging.reader import DIRECTIONS, LONGEST
from nlq_gateway.neural import open_tokenizer
from training.judging.facts import of_examples, of_labels
from training.judging.learner import Learner, begin, parser_of
from training.judging.network import Judge
from training.judging.train import padded

PAIRS, RATE, MINUTES = 48, 3e-4, 12
# The share of each source in one pass, 1 of those not named.
SHARES = {
    "label counted": 0.4,
    "properties": 0.5,
    "patterns": 0.1,
    "grammar": 0.1,
    "variants": 0.2,
    "queries": 0.2,
    "explored": 0.5,
    "written": 0.5,
    "written-new": 0.5,
    "written-13": 0.65,
}
# Odds far from 0 count so much: the difference alone matters.
_SMALL = 0.001
_MOST = 600

Tokens = tuple[Sequence[int], Sequence[int]]


def tokens_of(pairs: Iterable[Reversed]) -> list[Tokens]:
    """The tokens of a question beside its fact, and beside the reverse."""
    tokenizer = open_tokenizer(LONGEST)
    encoded = [tokenizer.encode_batch(list(both)) for both in pairs]
    return [(fact.ids, reverse.ids) for fact, reverse in encoded]


def leanings(network: Judge, some: Sequence[Tokens]) -> torch.Tensor:
    """The log odds that each question asks for its fact and not for the reverse."""
    network.eval()
    with torch.no_grad():
        odds = torch.cat([_odds(network, some[at : at + 64]) for at in range(0, len(some), 64)])
    network.train()
    return odds[:, 0] - odds[:, 1]


def _odds(network: Judge, some: Sequence[Tokens]) -> torch.Tensor:
    ids, present = padded([text for both in some for text in both])
    return network(ids, present).float().view(-1, 2)


def loss_of(odds: torch.Tensor) -> torch.Tensor:
    """The loss of the order of facts and their reverses."""
    return functional.softplus(odds[:, 1] - odds[:, 0]).mean() + _SMALL * odds.square().mean()


def temperature(leaning: torch.Tensor) -> float:
    """What leanings are divided by, so that the held-out ones are as sure as they are right."""
    tried = [1 + step / 10 for step in range(60)]
    return min(tried, key=lambda one: float(functional.softplus(-leaning / one).mean()))


def _passes(every: Sequence[tuple[str, Tokens]], chance: random.Random) -> Iterator[list[Tokens]]:
    while True:
        some = [tokens for kind, tokens in every if chance.random() < SHARES.get(kind, 1.0)]
        chance.shuffle(some)
        yield from (some[at : at + PAIRS] for at in range(0, len(some), PAIRS))


def _told(network: Judge, held: Mapping[str, Sequence[Tokens]]) -> Iterator[str]:
    for kind, some in held.items():
        leaning = leanings(network, some)
        loss = float(functional.softplus(-leaning).mean())
        yield f"{kind} {float((leaning > 0).float().mean()):.3f} of {len(some)}, loss {loss:.3f}"


def main() -> None:
    """Train, print the share of held-out pairs in order, and write the weights."""
    parser = parser_of(__doc__, MINUTES)
    parser.add_argument("--examples", type=Path, required=True)
    options = parser.parse_args()
    network = begin(options, *DIRECTIONS)
    learn, kept = [], defaultdict[str, list[Reversed]](list)
    for is_held, (kind, both) in (*of_labels(), *of_examples(options.examples)):
        if is_held:
            kept[kind].append(both)
        else:
            learn.append((kind, both))
    held = {
        kind: tokens_of(random.Random(3).sample(some, min(len(some), _MOST))) for kind, some in kept.items()
    }
    every = list(zip([kind for kind, _ in learn], tokens_of(both for _, both in learn), strict=True))
    print(f"{len(every)} pairs, held out {', '.join(f'{kind} {len(some)}' for kind, some in kept.items())}")
    learner = Learner.of(network, RATE)
    losses = (loss_of(_odds(network, some)) for some in _passes(every, random.Random(1)))
    learner.learn(losses, options.minutes, lambda: "\n".join(_told(network, held)))
    warmth = temperature(torch.cat([leanings(network, some) for some in held.values()]))
    learner.scale_score(1 / warmth)
    print(f"temperature {warmth}", *_told(network, held), sep="\n", flush=True)
    learner.save(options.out / "directions.safetensors")


if __name__ == "__main__":
    main()
