"""Evidence for schema items: the similarity of the question's phrases to their names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from compilers.kopl.functions import Kind
from nlq_gateway.index import Index
from nlq_gateway.question.reading.phrases import CoveredPhrase

# The similarity at which a phrase begins to mention a name, and that at which it surely does.
NOISE, CERTAIN = 0.38, 0.92
FIRM = 0.6
_IDLE = 0.02

# (kind, IRI) of an item -> word -> degree to which the word mentions it.
Evidence = dict[tuple[Kind, str], dict[int, float]]
Similarity = NDArray[np.float32]


def degree_of(similarity: float) -> float:
    """Return (similarity − NOISE) / (CERTAIN − NOISE), at most 1: the degree of a mention."""
    return min(1.0, (similarity - NOISE) / (CERTAIN - NOISE))


def spoken(phrases: Sequence[CoveredPhrase], similarity: Similarity, index: Index) -> Evidence:
    """Return item -> word -> degree, by the best phrase whose similarity the word raises."""
    found: Evidence = {}
    shorter = _shorter_phrases(phrases)
    for row, phrase in enumerate(phrases):
        for column in np.flatnonzero(similarity[row] > NOISE):
            own = float(similarity[row, column])
            degrees = found.setdefault(_key(index, int(column)), {})
            for token in phrase.tokens:
                rest = shorter.get((row, token))
                if rest is None or similarity[rest, column] < own - _IDLE:
                    degrees[token] = max(degrees.get(token, 0.0), degree_of(own))
    return {key: degrees for key, degrees in found.items() if degrees}


def alone(phrases: Sequence[CoveredPhrase], similarity: Similarity, index: Index) -> Evidence:
    """Return item -> word -> degree, from phrases of one word whose similarity is above FIRM."""
    found: Evidence = {}
    for row, phrase in enumerate(phrases):
        if not phrase.spoken or len(phrase.tokens) > 1:
            continue
        (token,) = phrase.tokens
        for column in np.flatnonzero(similarity[row] > FIRM):
            degrees = found.setdefault(_key(index, int(column)), {})
            degrees[token] = max(degrees.get(token, 0.0), degree_of(float(similarity[row, column])))
    return found


def _key(index: Index, column: int) -> tuple[Kind, str]:
    item = index.schema[index.schema_texts[column][0]]
    return item.kind, item.iri


def _shorter_phrases(phrases: Sequence[CoveredPhrase]) -> dict[tuple[int, int], int]:
    """Return (phrase, one of its words) -> the phrase without the word.

    A word that adds nothing to a phrase gets no credit for it.
    """
    rows = {phrase.tokens: row for row, phrase in enumerate(phrases) if phrase.spoken}
    return {
        (row, token): rest
        for row, phrase in enumerate(phrases)
        if phrase.spoken and len(phrase.tokens) > 1
        for token in phrase.tokens
        if (rest := rows.get(phrase.tokens - {token})) is not None
    }
