"""The reading of a question, made before any program: its cues, and the names that its words mention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compilers.kopl.functions import Kind
from nlq_gateway.core.checkpoint import checkpoint
from nlq_gateway.core.types import Links, LiteralMention, Mention, SchemaItem
from nlq_gateway.core.words import STOP_WORDS, Token, positions, tokens_of
from nlq_gateway.index import Index
from nlq_gateway.index.text import fold, stem
from nlq_gateway.language import lexicon, tables
from nlq_gateway.language.detection import function_words, language
from nlq_gateway.question.reading.evidence import FIRM, Evidence, alone, degree_of, spoken
from nlq_gateway.question.reading.phrases import CoveredPhrase, is_name, phrases_of, similarity_of

PLACES = 4
DEGREES = 8


@dataclass(frozen=True, slots=True)
class Superlative:
    """A superlative or comparative at one word of the question."""

    token: int
    degree: lexicon.Degree


@dataclass(frozen=True, slots=True)
class Operator:
    """A comparison cue: the words it takes and the sign it means, of times and of quantities."""

    tokens: frozenset[int]
    comparison: str
    of_quantities: str = ""

    def sign(self, is_quantity: bool) -> str:
        """The sign before a quantity or before any other value."""
        return (self.of_quantities if is_quantity else "") or self.comparison


@dataclass(frozen=True)
class QuestionReading:
    """One question read against one index, made once. All positions are of `tokens`.

    `kept` has what other modules read of it, by the function that reads it.
    """

    links: Links
    index: Index
    tokens: tuple[Token, ...]
    phrases: tuple[CoveredPhrase, ...]
    similarity: NDArray[np.float32]
    kept: dict[object, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, links: Links, index: Index) -> QuestionReading:
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

    def spans(self, first: int, last: int) -> bool:
        """True if one name of the schema is firmly said by two words together."""
        return any(found.get(first, 0.0) > FIRM and found.get(last, 0.0) > FIRM for found in self._attributes)

    def names_attribute(self, position: int, degree: float = FIRM) -> bool:
        """True if an attribute's name of several words begins at a word, said at least so surely."""
        both = ((found.get(position, 0.0), found.get(position + 1, 0.0)) for found in self._attributes)
        return any(min(degrees) > degree for degrees in both)

    def names_kind(self, position: int, degree: float) -> bool:
        """True if a word speaks of a concept or an attribute, at least so surely."""
        kinds = (Kind.CONCEPT, Kind.ATTRIBUTE)
        return any(
            found.get(position, 0.0) > degree for (k, _), found in self._evidence.items() if k in kinds
        )

    def mark_before(self, position: int) -> str:
        """The punctuation mark that parts a word from the one before it; "" for none."""
        between = self.links.question.text[self.tokens[position - 1].end : self.tokens[position].start]
        return next((mark for mark in between if mark in ",;.?!:"), "") if position else ""

    @cached_property
    def _attributes(self) -> tuple[dict[int, float], ...]:
        return tuple(found for (kind, _), found in self._evidence.items() if kind == Kind.ATTRIBUTE)

    def commands(self, position: int) -> bool:
        """True if a command begins a sentence or a clause: elsewhere "name" and "list" are nouns."""
        before = self.tokens[position - 1] if position else None
        if before is None or before.lower in _BEFORE_COMMANDS:
            return True
        return any(
            mark in self.links.question.text[before.end : self.tokens[position].start] for mark in ".;:?"
        )

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
    def superlatives(self) -> tuple[Superlative, ...]:
        """The first superlatives outside names."""
        lowers = (*self.lowers, "")
        return self._degrees(lambda at: lexicon.superlative(lowers[at], lowers[at + 1], self.language))

    @cached_property
    def comparatives(self) -> tuple[Superlative, ...]:
        """The first comparatives outside names."""
        return self._degrees(lambda at: lexicon.comparative(self.lowers[at]))

    def place_before(self, position: int) -> int:
        """The place in an order that stands before a superlative, "the second largest"; 0 for none."""
        return lexicon.ORDINALS.get(self.lowers[position - 1], 0) if position else 0

    @cached_property
    def time_orders(self) -> tuple[Superlative, ...]:
        """The first words outside names that order times."""
        return self._degrees(lambda at: lexicon.TIME_ORDERS.get(self.lowers[at]))

    def _degrees(self, meaning: Callable[[int], lexicon.Degree | None]) -> tuple[Superlative, ...]:
        """The first words outside names with a meaning, which is given for a position."""
        found = (
            Superlative(i, degree)
            for i in range(len(self.lowers))
            if i not in self.named and (degree := meaning(i)) is not None and not self._ranks_nothing(i)
        )
        return tuple(islice(found, DEGREES))

    @cached_property
    def _values(self) -> frozenset[int]:
        """The first words of the values."""
        return frozenset(min(self.covered(literal), default=-1) for literal in self.links.literals)

    def _ranks_nothing(self, position: int) -> bool:
        """True if a word belongs to "first name" or "last name", or to "at least" or "plus de 5"."""
        if any(
            position + len(words) in self._values and self.lowers[position : position + len(words)] == words
            for words, _ in lexicon.OPERATORS
        ):
            return True
        if position and self.lowers[position - 1] == "at" and self.lowers[position] in ("least", "most"):
            return True
        following = self.lowers[position + 1 : position + 2]
        return self.lowers[position] in ("first", "last") and following in (("name",), ("names",))

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
    def unstated(self) -> frozenset[int]:
        """The words that ask for what programs cannot state, and that name nothing in the schema."""
        naming = self.named | {i for i, word in enumerate(self.lowers) if self._is_in_schema(word)}
        compared = frozenset[int]().union(*(found.tokens for found in self._compared))
        return frozenset(
            i
            for i, word in enumerate(self.lowers)
            if (word in lexicon.UNSTATED and i not in naming)
            or (lexicon.is_negation(word) and i not in naming | compared and i > 0)
            or (word in lexicon.FALSE_WORDS and i not in naming and self.is_verification)
        )

    @cached_property
    def _compared(self) -> tuple[Operator, ...]:
        """The comparisons before values; the number of a name, as in "not on Floor 1", is none."""
        names = [self.covered(m) for m in self.links.mentions if m.kind == Kind.ENTITY and is_name(m)]
        inside = frozenset[int]().union(*names)
        return tuple(
            self._operators[literal.start]
            for literal in self.links.literals
            if not self.covered(literal) <= inside
        )

    def _is_in_schema(self, word: str) -> bool:
        return stem(fold(word), self.language) in self.index.schema_words(self.language)

    def operator(self, literal: LiteralMention) -> Operator:
        """The comparison that stands before a literal, or the equality that its absence means."""
        found = self._operators.get(literal.start)
        return found if found is not None else self._operator(literal)

    @cached_property
    def _operators(self) -> dict[int, Operator]:
        return {literal.start: self._operator(literal) for literal in self.links.literals}

    def _operator(self, literal: LiteralMention) -> Operator:
        first = min(self.covered(literal), default=0)
        for words, comparison in lexicon.OPERATORS:
            for start in range(first - len(words), first - len(words) - 3, -1):
                inside = frozenset(range(start, start + len(words)))
                if (
                    start >= 0
                    and self.lowers[start : start + len(words)] == words
                    and lexicon.THAN.isdisjoint(self.lowers[start + len(words) : first])
                    and not inside & self.named
                ):
                    return Operator(inside, comparison)
        for found in self.comparatives:
            if found.token < first <= found.token + 3 and not lexicon.THAN.isdisjoint(
                self.lowers[found.token : first]
            ):
                denied = {i for i in (found.token - 1,) if i >= 0 and lexicon.is_negation(self.lowers[i])}
                more = (found.degree.more_of(of_quantity) != bool(denied) for of_quantity in (False, True))
                return Operator(frozenset({found.token, *denied}), *(">" if m else "<" for m in more))
        return Operator(frozenset(), "=")

    @cached_property
    def count_cue(self) -> frozenset[int]:
        """The words that ask for a number, or none."""
        for cue in lexicon.COUNT_CUES:
            for start in range(len(self.lowers) - len(cue) + 1):
                if self.lowers[start : start + len(cue)] == cue:
                    return frozenset(range(start, start + len(cue)))
        return frozenset()

    @cached_property
    def is_verification(self) -> bool:
        """True if the question is one of yes or no; German "was" opens none."""
        openers = lexicon.verify_openers(self.language)
        return bool(self.lowers) and (self.lowers[0] in openers or self._opens_with_verb)

    @property
    def _opens_with_verb(self) -> bool:
        """True if the first word speaks of a verb: a relation in lower case, where nouns have capitals."""
        spoken = language(self.language)
        if spoken is None or not spoken.nouns:
            return False
        firm = (key for key, found in self._evidence.items() if found.get(0, 0.0) > FIRM)
        items = (self.index.item(*key) for key in firm if key[0] == Kind.RELATION)
        return any(item is not None and item.label[:1].islower() for item in items)

    @cached_property
    def asks_verdict(self) -> bool:
        """True if nothing but yes or no answers it: "can you tell me who", "is A or B" want more."""
        asking = lexicon.ASKING | lexicon.CHOICE_WORDS | lexicon.OFFERING
        return self.is_verification and asking.isdisjoint(self.lowers)

    @cached_property
    def is_existential(self) -> bool:
        """True if the question is one of yes or no about there being any such thing."""
        any_such = self.lowers[1:2] == ("there",) or "any" in self.lowers
        return self.is_verification and any_such

    def asks(self, words: frozenset[str]) -> bool:
        """True if a question word of the list opens the question or stands in it."""
        return not words.isdisjoint(self._said)

    @cached_property
    def _said(self) -> frozenset[str]:
        return frozenset(self.lowers)

    def opens_with(self, words: frozenset[str]) -> bool:
        """True if a word of the list is among the first three, as in "In which", "On what"."""
        return any(word in words for word in self.lowers[:3])

    @cached_property
    def head(self) -> frozenset[int]:
        """The noun that is asked for: the words after `which` or `what` up to the next verb or name.

        In "what is the number of employees" it is what is counted, in "films by X" what the words begin with.
        """
        for position, word in enumerate(self.lowers):
            if word in lexicon.CHOICE_WORDS or word in lexicon.COMMANDS or self._ends_count(position):
                noun = self._noun_after(position + 1)
                if not noun & self.count_cue:
                    return noun
        asks = self.is_verification or self.count_cue or self.asks(lexicon.ASKING)
        return frozenset() if asks else self._noun_after(0)

    def _ends_count(self, position: int) -> bool:
        return bool(self.count_cue) and position == max(self.count_cue)

    def _noun_after(self, position: int) -> frozenset[int]:
        while position < len(self.lowers) and self.lowers[position] in _DETERMINERS:
            position += 1
        end = position
        while end < len(self.lowers) and end < position + 4 and end not in self.named:
            if self.lowers[end] in STOP_WORDS or self.lowers[end] in lexicon.VERIFY_OPENERS:
                break
            end += 1
        return frozenset(range(position, end))

    def evidence(self, item: SchemaItem) -> dict[int, float]:
        """Return the degree to which each word of the question mentions a schema item: position -> (0, 1]."""
        return self._evidence.get((item.kind, item.iri), {})

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

    @cached_property
    def _alone(self) -> Evidence:
        """Item -> word -> degree, from phrases of one word."""
        return alone(self.phrases, self.similarity, self.index)

    def _parts(self, token: int) -> bool:
        return token in self.named or self.weights[token] > 0

    @cached_property
    def again(self) -> dict[int, float]:
        """The words that say that something is shared: "the same director", "starred together"."""
        return {
            token: 1.0
            for token, word in enumerate(self.lowers)
            if token not in self.named and (word in lexicon.AGAIN_WORDS or word.startswith("co-"))
        }

    @cached_property
    def prepositions(self) -> tuple[str, ...]:
        """The relations that the prepositions before names can stand for.

        An adjective made from a place's name means "in" or "from" by its form.
        """
        before = {min(self.covered(m), default=0) - 1 for m in self.links.mentions if m.kind == Kind.ENTITY}
        spoken = [self.lowers[position] for position in before if position >= 0]
        if any(hit.how == "derived" for mention in self.links.mentions for hit in mention.hits):
            spoken += ["in", "from"]
        return tuple(dict.fromkeys(text for word in spoken for text in lexicon.PREPOSITIONS.get(word, ())))

    @cached_property
    def cased(self) -> bool:
        """True if the question writes names with capitals, so that a word without one is rather no name."""
        return any(token.capitalised for token in self.tokens[1:])

    @cached_property
    def _evidence(self) -> Evidence:
        return spoken(self.phrases, self.similarity, self.index)


_BEFORE_COMMANDS, _DETERMINERS = tables.words("before_commands"), tables.words("determiners")
