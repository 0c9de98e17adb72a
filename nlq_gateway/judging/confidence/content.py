"""The words of a question that name something, and how much each of them tells.

Words that only frame a question ("how many", "sorted by") ask for no thing. `word_shares.tsv` has, for stems
of words, in how many questions over many graphs they stood, and in how many of these the right query has them
in the name of an item: in most for "age", in few for "taken". `python -m training.word_shares` counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources

from nlq_gateway.core.words import JOINED, Token
from nlq_gateway.index.text import fold, stem_word
from nlq_gateway.language import lexicon
from nlq_gateway.language.detection import ENGLISH, usual_language
from nlq_gateway.question.reading.formulas import Formula
from nlq_gateway.question.reading.measures import is_any, measure_asked
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.request import QuestionRequest, request_of
from nlq_gateway.question.reading.words import read_once

_NAME = 1.5
FILE = "word_shares.tsv"
_MEAN = 0.4
_AS_SEEN = 2
# Words that frame questions have all been seen; an unseen word names something, a rare one most surely.
_UNSEEN, _UNSEEN_RARE = 0.7, 1.0


@dataclass(frozen=True)
class ContentWords:
    """One question's words, read for all of its candidates. All positions are of its tokens."""

    reading: QuestionReading

    @cached_property
    def request(self) -> QuestionRequest:
        """The frame of the question."""
        return request_of(self.reading)

    @cached_property
    def framing(self) -> frozenset[int]:
        """The words that say what to do with things, and name none."""
        reading, request = self.reading, self.request
        parts = (*request.asked, *request.groups, *((request.order,) if request.order else ()))
        found = [part.cue | part.different for part in parts]
        found += [words for part in parts for _, words in part.says]
        found += [frozenset({degree.token}) for degree in (*reading.superlatives, *reading.comparatives)]
        found += [reading.operator(literal).tokens for literal in reading.links.literals]
        found += [request.ranking.cue] if request.ranking else []
        found += [request.different, reading.count_cue, frozenset(reading.again), self._how_much]
        found += [self._named_by(formula) for formula in request.formulas]
        denials = {at for at, word in enumerate(reading.lowers) if lexicon.is_negation(word)}
        return frozenset(denials).union(*found) - reading.named

    @property
    def _how_much(self) -> frozenset[int]:
        """The word "much" of "how much"."""
        measure = measure_asked(self.reading.lowers)
        if measure is None or not is_any(self.reading.lowers[measure]):
            return frozenset()
        return frozenset({measure})

    def _named_by(self, formula: Formula) -> frozenset[int]:
        """The words for a formula's name and calculation, wherever they are, without its operands."""
        things = frozenset[int]().union(*(operand.words for operand in formula.operands))
        parts = (part.words for part in self.request.asked)
        called = (words for words in parts if formula.names(self.reading, words))
        return formula.words.union(formula.name, *called) - things

    @cached_property
    def codes(self) -> frozenset[int]:
        """The words in capitals, in a question that is not all in capitals: what they stand for is a name."""
        tokens = self.reading.tokens
        if not any(token.text.islower() for token in tokens):
            return frozenset()
        found = (at for at, token in enumerate(tokens) if token.text.isupper() and len(token.text) > 1)
        return frozenset(found)

    @cached_property
    def weights(self) -> Mapping[int, float]:
        """The words that name something, with how much they count: names most, others as they are telling."""
        words = [at for at, weight in enumerate(self.reading.weights) if weight > 0 or at in self.codes]
        lowers = self.reading.lowers
        return {
            at: _NAME if at in self.written else naming_share(lowers[at], common=self._is_common(lowers[at]))
            for at in words
            if at not in self.framing
        }

    @property
    def is_known(self) -> bool:
        """True if a word that no name of the graph speaks of is passed over, not only in another language.

        The shipped embedding model knows English alone; words of another language are known by their stems
        in a graph of that language, or by a model that knows it.
        """
        tag, index = self.reading.language, self.reading.index
        is_known = tag == usual_language(index.manifest.languages) or index.compares(tag)
        return tag == ENGLISH or (is_known and bool(self.reading.function_words))

    def _is_common(self, word: str) -> bool:
        """True if a word is no name that was written like a word; in English all are without the model."""
        knows_names = self.reading.index.manifest.embedding and self.reading.language == ENGLISH
        return self.reading.index.is_common(word) if knows_names else self.reading.language == ENGLISH

    @cached_property
    def content(self) -> tuple[int, ...]:
        """The words that name something."""
        return tuple(sorted(self.weights))

    @cached_property
    def folded(self) -> list[str]:
        """All words of the question, in the form in which they are compared with names."""
        return [folded(token) for token in self.reading.tokens]

    @cached_property
    def written(self) -> frozenset[int]:
        """The words of names and values, and codes."""
        values = (self.reading.covered(literal) for literal in self.reading.links.literals)
        return self.reading.written_names.union(self.codes, *values)


def folded(word: Token) -> str:
    """A word in the form in which it is compared: folded, without an article that is joined to it."""
    return fold(JOINED.sub("", word.text))


@read_once
def content_of(reading: QuestionReading) -> ContentWords:
    """The words of a question that name something."""
    return ContentWords(reading)


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
