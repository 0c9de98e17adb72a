"""A question's phrases, and how similar they are to the names in a schema.

A phrase is a set of the question's words with a text: a run of words as written, or the hint that a cue
word gives ("longest" hints at "length").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Links, LiteralMention, Mention, Question
from nlq_gateway.core.words import STOP_WORDS, Token, positions
from nlq_gateway.index import Index
from nlq_gateway.index.text import fold, stem
from nlq_gateway.language import lexicon, tables
from nlq_gateway.language.detection import function_words

LONGEST_PHRASE = 4
# The letters of all phrases of a question, each with FRAME for the tokens around it: twice as many as any of
# the benchmarks has (1,752). Each costs the encoder; what stands behind is explained by names and values.
MOST_LETTERS = 3_500
FRAME = 8


@dataclass(frozen=True, slots=True)
class CoveredPhrase:
    """`tokens` are the positions of the words it would explain; a hint is not `spoken`."""

    tokens: frozenset[int]
    text: str
    spoken: bool = True


def is_name(mention: Mention) -> bool:
    """True if the words are written as a name: with a capital or a digit, or several of them."""
    return mention.text[:1].isupper() or " " in mention.text or mention.text[:1].isdigit()


def phrases_of(links: Links, tokens: tuple[Token, ...]) -> tuple[CoveredPhrase, ...]:
    """Runs of up to LONGEST_PHRASE words outside names, and hints of cue words, of up to MOST_LETTERS."""
    names = [m for m in links.mentions if m.kind == Kind.ENTITY and is_name(m)]
    told: tuple[Mention | LiteralMention, ...] = (*names, *links.literals)
    spans = (positions(tokens, one.start, one.end) for one in told)
    taken = frozenset(position for span in spans for position in span)
    runs = tuple(_runs(links.question, tokens, taken))
    first = tuple(_first(runs))
    is_cut = len(first) < len(runs)
    read = min(runs[len(first)].tokens) if is_cut else len(tokens)
    return (*first, *_hints(tokens[:read], taken, links.question.language))


def _first(phrases: Iterable[CoveredPhrase]) -> Iterator[CoveredPhrase]:
    """The first phrases that have no more than MOST_LETTERS together."""
    letters = 0
    for phrase in phrases:
        letters += len(phrase.text) + FRAME
        if letters > MOST_LETTERS:
            return
        yield phrase


def _runs(question: Question, tokens: tuple[Token, ...], taken: frozenset[int]) -> Iterator[CoveredPhrase]:
    plain = STOP_WORDS | function_words(question.language)
    for first, token in enumerate(tokens):
        for last in range(first, min(first + LONGEST_PHRASE, len(tokens))):
            inside = range(first, last + 1)
            content = frozenset(i for i in inside if tokens[i].lower not in plain)
            if not taken.isdisjoint(inside) or not content or tokens[last].start - token.end > 40:
                continue
            if not _BREAKS.isdisjoint(token.lower for token in tokens[first + 1 : last]):
                continue
            if tokens[first].lower in _EDGE_WORDS or (last > first and tokens[last].lower in _TAIL_WORDS):
                continue
            yield CoveredPhrase(content, question.text[token.start : tokens[last].end].lower())


_EDGE_WORDS, _TAIL_WORDS, _BREAKS = map(tables.words, ("phrase_openers", "phrase_ends", "phrase_breaks"))
_PLACING = tables.words("placing")
_UNPLACED = 0.75


def _hints(tokens: tuple[Token, ...], taken: frozenset[int], language: str) -> tuple[CoveredPhrase, ...]:
    hints: list[CoveredPhrase] = []
    for position, token in enumerate(tokens):
        if position in taken:
            continue
        degree = lexicon.superlative(token.lower, tag=language) or lexicon.comparative(token.lower)
        if degree is not None:
            hints.extend(CoveredPhrase(frozenset({position}), hint, spoken=False) for hint in degree.hints)
        texts = lexicon.NOUN_HINTS.get(token.lower) or lexicon.NOUN_HINTS.get(
            token.lower.removesuffix("s"), ()
        )
        if position and tokens[position - 1].lower in lexicon.DEGREES:
            texts = lexicon.how_hints(language).get(token.lower, ())
        hints.extend(CoveredPhrase(frozenset({position}), text, spoken=False) for text in texts)
    return tuple(hints)


def similarity_of(phrases: tuple[CoveredPhrase, ...], index: Index, language: str) -> NDArray[np.float32]:
    """Cosine or shared word stems, whichever is more: (number of phrases, number of schema texts)."""
    if not phrases or not index.schema_texts:
        return np.zeros((len(phrases), len(index.schema_texts)), dtype=np.float32)
    texts = list(dict.fromkeys(phrase.text for phrase in phrases))
    row_of = {text: row for row, text in enumerate(texts)}
    rows = [row_of[phrase.text] for phrase in phrases]
    names = tuple((text, index.schema[item].kind) for item, text in index.schema_texts)
    scores = _shared_words(texts, names, language)
    if index.compares(language):
        scores = np.maximum(scores, index.encode(texts) @ index.schema_vectors.T)
    return scores[rows]


def _shared_words(
    phrases: list[str], names: tuple[tuple[str, Kind], ...], language: str
) -> NDArray[np.float32]:
    """The share of words in common; a deed names a relation by its doer, but no class: directed, director."""
    scores = np.zeros((len(phrases), len(names)), dtype=np.float32)
    for stems_of, of_kind in zip((_stems, _roots), _stemmed(names, language), strict=True):
        _add_dice(scores, phrases, of_kind, partial(stems_of, language=language))
    return scores


@dataclass(frozen=True, slots=True)
class _StemmedNames:
    """Names of a schema as sets of stems, by their columns; `columns` are those of a stem."""

    stems: Mapping[int, frozenset[str]]
    places: Mapping[int, frozenset[str]]
    columns: Mapping[str, Sequence[int]]


@lru_cache(maxsize=16)
def _stemmed(names: tuple[tuple[str, Kind], ...], language: str) -> tuple[_StemmedNames, _StemmedNames]:
    """Those of the classes by stems, and the others by roots."""
    found = []
    for is_concept, stems_of in ((True, _stems), (False, _roots)):
        own = {at: name for at, (name, kind) in enumerate(names) if (kind == Kind.CONCEPT) == is_concept}
        stems = {at: stems_of(name, language) for at, name in own.items()}
        columns: dict[str, list[int]] = {}
        for at, inside in stems.items():
            for one in inside:
                columns.setdefault(one, []).append(at)
        found.append(_StemmedNames(stems, {at: _places(name) for at, name in own.items()}, columns))
    return found[0], found[1]


def _add_dice(
    scores: NDArray[np.float32],
    phrases: list[str],
    names: _StemmedNames,
    stems_of: Callable[[str], frozenset[str]],
) -> None:
    """Write the Dice coefficients of the sets of content-word stems."""
    for row, phrase in enumerate(phrases):
        stems = frozenset(_compound_end(one, names.columns) for one in stems_of(phrase))
        for column in {c for one in stems for c in names.columns.get(one, ())}:
            shared = len(stems & names.stems[column])
            share = 2 * shared / (len(stems) + len(names.stems[column]))
            is_placed = names.places[column] <= set(phrase.split())
            scores[row, column] = share * (1.0 if is_placed else _UNPLACED)


@lru_cache(maxsize=50_000)
def _places(name: str) -> frozenset[str]:
    """The prepositions without which a name says something else: made in, and made."""
    return _PLACING.intersection(name.split())


@lru_cache(maxsize=50_000)
def _stems(text: str, language: str) -> frozenset[str]:
    words, plain = fold(text).split(), STOP_WORDS | function_words(language)
    content = [word for word in words if word not in plain] or words
    return frozenset(stem(" ".join(content), language).split())


@lru_cache(maxsize=50_000)
def _roots(text: str, language: str) -> frozenset[str]:
    return frozenset(map(_root, _stems(text, language)))


def _compound_end(stem: str, known: Mapping[str, object]) -> str:
    """The known stem that a compound ends in, as in screenwriter; the stem itself otherwise."""
    if stem in known:
        return stem
    ends = (stem[cut:] for cut in range(3, len(stem) - 3))
    return next((end for end in ends if end in known), stem)


def _root(stem: str) -> str:
    """The stem without the ending of a doer or a deed: director and direction as direct."""
    if stem == "ids":
        return "id"
    for ending in ("ion", "or", "er"):
        if stem.endswith(ending) and len(stem) - len(ending) >= 3:
            return stem[: -len(ending)]
    return stem
