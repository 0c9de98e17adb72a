"""The examples of one pass: of each source and shape a share, by `mixes.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from random import Random

from training.drafter.examples import Example

FIRST, ONWARD = "first", "onward"
_FILE = Path(__file__).with_name("mixes.toml")


def sampled(examples: Iterable[Example], mix: str, chance: Random) -> list[Example]:
    """The examples of one pass: whole copies of each by its share, and a random rest."""
    shares = mixes()[mix]
    found = []
    for one in examples:
        share = shares.get(f"{one.source} {one.shape}", shares.get(one.source, 1.0))
        found += [one] * (int(share) + (chance.random() < share % 1))
    return found


@cache
def mixes() -> Mapping[str, Mapping[str, float]]:
    """The shares of each mix by the kind of examples."""
    return tomllib.loads(_FILE.read_text("utf-8"))
