"""The words of a question, and the degrees to which they mention the names of an index's schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from compilers.kopl.functions import Kind
from nlq_gateway.core.checkpoint import checkpoint
from nlq_gateway.core.types import Links, LiteralMention, Mention, SchemaItem
from nlq_gateway.core.words import STOP_WORDS, Token, positions, tokens_of
from nlq_gateway.index import Index
from nlq_gateway.language import lexicon, tables
from nlq_gateway.language.detection import function_words
from nlq_gateway.question.reading.evidence import FIRM, Evidence, alone, degree_of, spoken
from nlq_gateway.question.reading.phrases import CoveredPhrase, is_name, phrases_of, similarity_of

PLACES = 4

Words = TypeVar("Words", bound="QuestionWords")
Found = TypeVar("Found")


@dataclass(frozen=True)
class QuestionWords:
    """One question's words against one index. All positions are of `tokens`.

    `kept` has what other modules read of it (`read_once`), by the function that reads it.
    """

    links: Links
    index: Index
    tokens: tuple[Token, ...]
    phrases: tuple[CoveredPhrase, ...]
    similarity: NDArray[np.float32]
    kept: dict[object, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, links: Links, index: Index) -> Self:
        """Read a linked question; encodes its phrases."""
        checkpoint()
        tokens = tokens_of(links.question.text)
        phrases = phrases_of(links, tokens)
        return cls(links, index, tokens, phrases, similarity_of(phrases, index, links.question.language))

    @cached_property
    def lowers(self) -> tuple[str, ...]:
        """The words in lower case."""
        return tuple(token.lower for token in self.tokens)

    @property
    def language(self) -> str:
        """The tag of the question's language."""
        return self.links.question.language

    @cached_property
    def function_words(self) -> frozenset[str]:
        """The function words of its language, besides `STOP_WORDS`."""
        return function_words(self.language)

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """The weight with which each word must be explained: the largest for names, 0 for stop words."""
        return tuple(self._weight(position) for position in range(len(self.tokens)))

    def _weight(self, position: int) -> float:
        token = self.tokens[position]
        if token.lower in STOP_WORDS or token.lower in self.function_words:
            return 0.0
        if token.lower in lexicon.COMMANDS and self.commands(position):
            return 0.0
        return 1.5 if (token.capitalised and position > 0) or token.text[:1].isdigit() else 1.0

    def commands(self, position: int) -> bool:
        """True if a command begins a sentence or a clause: elsewhere "name" and "list" are nouns."""
        before = self.tokens[position - 1] if position else None
        if before is None or before.lower in _BEFORE_COMMANDS:
            return True
        return any(
            mark in self.links.question.text[before.end : self.tokens[position].start] for mark in ".;:?"
        )

    def mark_before(self, position: int) -> str:
        """The punctuation mark that parts a word from the one before it; "" for none."""
        between = self.links.question.text[self.tokens[position - 1].end : self.tokens[position].start]
        return next((mark for mark in between if mark in ",;.?!:"), "") if position else ""

    def covered(self, span: Mention | LiteralMention) -> frozenset[int]:
        """The positions of the words of a mention or literal."""
        return frozenset(positions(self.tokens, span.start, span.end))

    def words_of(self, text: str) -> frozenset[int]:
        """The positions of a name: of the first mention with this text, else of its first words."""
        named = next((mention for mention in self.links.mentions if mention.text == text), None)
        begin = self.links.question.text.find(text) if text else -1
        if named is not None:
            return self.covered(named)
        return frozenset(positions(self.tokens, begin, begin + len(text))) if begin >= 0 else frozenset()

    @cached_property
    def literals_of_a_word(self) -> Mapping[int, LiteralMention]:
        """The values that are told by a single word, by its position."""
        covered = ((self.covered(literal), literal) for literal in reversed(self.links.literals))
        return {position: literal for words, literal in covered if len(words) == 1 for position in words}

    @cached_property
    def named(self) -> frozenset[int]:
        """The words inside mentions of entities and inside literals."""
        names = [m for m in self.links.mentions if m.kind == Kind.ENTITY and is_name(m)]
        covered = [*map(self.covered, names), *map(self.covered, self.links.literals)]
        return frozenset[int]().union(*covered)

    @cached_property
    def written_names(self) -> frozenset[int]:
        """The words written with a capital inside the question, as English writes names and nothing else.

        Abbreviations are left out: they name anything.
        """
        if self.links.question.language != "en":
            return frozenset()
        inner = range(1, len(self.tokens))
        return frozenset(
            i for i in inner if self.tokens[i].capitalised and self.tokens[i].text[1:2].islower()
        )

    @cached_property
    def cased(self) -> bool:
        """True if the question writes names with capitals, so that a word without one is rather no name."""
        return any(token.capitalised for token in self.tokens[1:])

    def evidence(self, item: SchemaItem) -> dict[int, float]:
        """Return the degree to which each word of the question mentions a schema item: position -> (0, 1]."""
        return self._evidence.get((item.kind, item.iri), {})

    def spans(self, first: int, last: int) -> bool:
        """True if one name of the schema is firmly said by two words together."""
        return any(found.get(first, 0.0) > FIRM and found.get(last, 0.0) > FIRM for found in self._attributes)

    def names_attribute(self, position: int, degree: float = FIRM) -> bool:
        """True if an attribute's name of several words begins at a word, said at least so surely."""
        both = ((found.get(position, 0.0), found.get(position + 1, 0.0)) for found in self._attributes)
        return any(min(degrees) > degree for degrees in both)

    @cached_property
    def _attributes(self) -> tuple[dict[int, float], ...]:
        return tuple(found for (kind, _), found in self._evidence.items() if kind == Kind.ATTRIBUTE)

    def names_kind(self, position: int, degree: float) -> bool:
        """True if a word speaks of a concept or an attribute, at least so surely."""
        return self._names(position, degree, (Kind.CONCEPT, Kind.ATTRIBUTE))

    def names_concept(self, position: int, degree: float) -> bool:
        """True if a word speaks of a concept, at least so surely."""
        return self._names(position, degree, (Kind.CONCEPT,))

    def _names(self, position: int, degree: float, kinds: tuple[Kind, ...]) -> bool:
        return any(
            found.get(position, 0.0) > degree for (kind, _), found in self._evidence.items() if kind in kinds
        )

    def within(self, item: SchemaItem, words: frozenset[int]) -> float:
        """Return the degree to which these words alone mention an item, averaged over those with a weight."""
        content = [token for token in words if self.weights[token] > 0]
        columns = self._columns.get((item.kind, item.iri), [])
        best = dict.fromkeys(content, 0.0)
        for row, phrase in enumerate(self.phrases):
            if phrase.spoken and phrase.tokens <= words and columns:
                degree = degree_of(float(self.similarity[row, columns].max()))
                for token in phrase.tokens:
                    best[token] = max(best.get(token, 0.0), degree)
        return sum(best.values()) / len(best) if best else 0.0

    def name_said(self, item: SchemaItem) -> tuple[str, frozenset[int]]:
        """Return the name of an item that the question mentions best, and its words; "" if none."""
        return self._names_said.get((item.kind, item.iri), ("", frozenset()))

    @cached_property
    def _names_said(self) -> dict[tuple[Kind, str], tuple[str, frozenset[int]]]:
        rows = [row for row, phrase in enumerate(self.phrases) if phrase.spoken]
        if not rows:
            return {}
        best = self.similarity[rows].argmax(axis=0)
        said = self.similarity[rows].max(axis=0)
        named = {key: max(columns, key=lambda at: said[at]) for key, columns in self._columns.items()}
        return {
            key: (self.index.schema_texts[at][1], self.phrases[rows[best[at]]].tokens)
            for key, at in named.items()
        }

    @cached_property
    def _columns(self) -> dict[tuple[Kind, str], list[int]]:
        """The names of each schema item among those compared."""
        found: dict[tuple[Kind, str], list[int]] = {}
        for column, (position, _) in enumerate(self.index.schema_texts):
            item = self.index.schema[position]
            found.setdefault((item.kind, item.iri), []).append(column)
        return found

    def alone(self, item: SchemaItem) -> Mapping[int, float]:
        """Return the degree to which each word alone, without its neighbours, mentions a schema item."""
        return self._alone.get((item.kind, item.iri), {})

    def clusters(self, item: SchemaItem) -> tuple[Mapping[int, float], ...]:
        """The evidence for an item, apart for each place where the question speaks of it.

        Neighbouring words that each speak of it alone are given together and one by one: "starred by
        actors in X" goes that way twice.
        """
        return self._clusters.get((item.kind, item.iri), ())

    @cached_property
    def _clusters(self) -> dict[tuple[Kind, str], tuple[Mapping[int, float], ...]]:
        return {key: self._cluster(key, found) for key, found in self._evidence.items()}

    def _cluster(self, key: tuple[Kind, str], found: Mapping[int, float]) -> tuple[Mapping[int, float], ...]:
        clusters: list[dict[int, float]] = []
        alone = self._alone.get(key, {})
        previous: int | None = None
        for token in sorted(found):
            if previous is None or self._begins(range(previous + 1, token), token, clusters[-1], alone):
                clusters.append({})
            clusters[-1][token] = found[token]
            previous = token
        several = [token for cluster in clusters if len(cluster) > 1 for token in cluster if token in alone]
        apart = [{token: alone[token]} for token in several if len(several) > 1]
        return (*clusters[:PLACES], *apart[:PLACES])

    def _begins(
        self, between: range, token: int, cluster: Mapping[int, float], alone: Mapping[int, float]
    ) -> bool:
        """True if another place begins at a word, as at the second in "directed by the director of"."""
        joined = any(self.lowers[word] in lexicon.JOINING for word in between)
        repeated = token in alone and not cluster.keys().isdisjoint(alone)
        return any(map(self._parts, between)) or (joined and repeated)

    def _parts(self, token: int) -> bool:
        return token in self.named or self.weights[token] > 0

    @cached_property
    def _evidence(self) -> Evidence:
        return spoken(self.phrases, self.similarity, self.index)

    @cached_property
    def _alone(self) -> Evidence:
        """Item -> word -> degree, from phrases of one word."""
        return alone(self.phrases, self.similarity, self.index)


_BEFORE_COMMANDS = tables.words("before_commands")


def read_once(read: Callable[[Words], Found]) -> Callable[[Words], Found]:
    """A function of a question's words that reads each question once."""

    @wraps(read)
    def kept(words: Words) -> Found:
        if read not in words.kept:
            words.kept[read] = read(words)
        found: Found = words.kept[read]
        return found

    return kept
