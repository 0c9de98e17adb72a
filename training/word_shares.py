"""Counts how often the words of questions name items of a schema: `python -m training.word_shares PAIRS...`.

PAIRS are JSON Lines (`.gz` too) of questions with gold SPARQL, or with gold graph patterns in KQA Pro's form.
Written is `word_shares.tsv` of `nlq_gateway/judging/confidence/`.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from nlq_gateway.core.words import STOP_WORDS, tokens_of
from nlq_gateway.index.text import fold, stem_word
from nlq_gateway.judging.confidence.content import FILE

_LEAST = 4
_VARIABLE = re.compile(r"\?\w+")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_NAME = re.compile(r":([\w\\#-]+)")


def labels_of(gold: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The names of schema items in a gold query, and its other names and values."""
    if "patterns" in gold:
        parts = [list(map(str, pattern)) for pattern in gold["patterns"]]
        return [text for part in parts for text in part[1::2]], [text for part in parts for text in part[::2]]
    query = _VARIABLE.sub(" ", gold["sparql"])
    names = (re.sub(r"[\\#_-]+", " ", name) for name in _NAME.findall(_STRING.sub(" ", query)))
    return list(names), _STRING.findall(query)


def count(records: Iterable[Mapping[str, Any]]) -> tuple[Counter[str], Counter[str]]:
    """Return stem -> questions that have it, and those of them whose query has it in the name of an item."""
    seen: Counter[str] = Counter()
    naming: Counter[str] = Counter()
    for record in records:
        labels, others = (_stems(" ".join(texts)) for texts in labels_of(record["gold"]))
        for stem in _words(record["question"]) - others:
            seen[stem] += 1
            naming[stem] += stem in labels
    return seen, naming


def _words(question: str) -> set[str]:
    tokens = enumerate(tokens_of(question))
    plain = (t.text for at, t in tokens if t.lower not in STOP_WORDS and not (at and t.capitalised))
    return {stem for stem in map(stem_word, map(fold, plain)) if stem.isalpha()}


def _stems(text: str) -> set[str]:
    return set(map(stem_word, fold(text).split()))


def read(files: Iterable[Path]) -> Iterator[Mapping[str, Any]]:
    """The lines of the files, parsed."""
    for file in files:
        opened = gzip.open if file.suffix == ".gz" else open
        with opened(file, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


if __name__ == "__main__":
    seen, naming = count(read(map(Path, sys.argv[1:])))
    rows = (
        f"{stem}\t{number}\t{naming[stem]}\n" for stem, number in sorted(seen.items()) if number >= _LEAST
    )
    target = Path(str(resources.files("nlq_gateway.judging.confidence"))) / FILE
    target.write_text("".join(rows), encoding="utf-8")
