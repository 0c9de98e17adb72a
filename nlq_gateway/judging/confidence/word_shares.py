"""The frequency with which a question's word names an item of a schema: high for "age", low for "taken".

`word_shares.tsv` has, for stems of words, in how many questions over many graphs they stood, and in how many
of these the right query has them in the name of a class, relation or attribute. A telling word that a program
passes over speaks against it; of the others every question has some. `python -m training.word_shares` counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

from nlq_gateway.index.text import fold, stem_word

FILE = "word_shares.tsv"
_MEAN = 0.4
_AS_SEEN = 2
# Words that frame questions have all been seen; an unseen word names something, a rare one most surely.
_UNSEEN, _UNSEEN_RARE = 0.7, 1.0


def naming_share(word: str, *, common: bool = True) -> float:
    """The share, in [0, 1]; of a word that was never seen more than the mean."""
    return _shares().get(stem_word(fold(word)), _UNSEEN if common else _UNSEEN_RARE)


@lru_cache(maxsize=1)
def _shares() -> Mapping[str, float]:
    text = resources.files("nlq_gateway.judging.confidence").joinpath(FILE).read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines())
    return {stem: share(int(seen), int(names)) for stem, seen, names in rows}


def share(seen: int, names: int) -> float:
    """The smoothed share of a word's questions in which it names something, in [0, 1]."""
    return (names + _AS_SEEN * _MEAN) / (seen + _AS_SEEN)
