"""Examples made from others: variants of human questions, and questions by the grammar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

from training.kqapro.examples import Example
from training.kqapro.grammar import grammar_examples
from training.kqapro.pools import Pools
from training.kqapro.sources import Data
from training.kqapro.variants import variants

_SEED = 7
_VARIANTS = 8
_BY_GRAMMAR = 4000


def pools_of(data: Data, examples: Sequence[Example]) -> Pools:
    """The facts, the patterns and the examples for training; nothing from those for development."""
    pools = Pools(data.labels)
    for fact in data.facts:
        # In these facts a comma has become an `and`, so that names with one cannot be told from others.
        if " and " not in fact["s"] + fact["o"]:
            pools.add_fact(fact["s"], fact["p"], fact["o"], fact["q"])
    for _, _, patterns in data.asked:
        pools.add_patterns(patterns)
    for example in examples:
        if example.split == "train":
            pools.add_program(example.program)
    return pools


def augmented(data: Data, examples: Sequence[Example]) -> Iterator[Example]:
    """Variants of the questions with human programs, then questions by the grammar."""
    pools = pools_of(data, examples)
    random = Random(_SEED)
    make = partial(variants, pools=pools, most=_VARIANTS, random=random)
    for example in examples:
        if example.split == "train" and example.source in ("official", "shots"):
            yield from make(example)
    yield from grammar_examples(pools, _BY_GRAMMAR, random)
