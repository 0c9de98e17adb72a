"""The reading of a question, made before any program: its cues, and the names that its words mention."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import LiteralMention, SchemaItem
from nlq_gateway.core.words import STOP_WORDS
from nlq_gateway.index.text import fold, stem
from nlq_gateway.language import lexicon, tables
from nlq_gateway.language.detection import language
from nlq_gateway.question.reading.evidence import FIRM
from nlq_gateway.question.reading.phrases import is_name
from nlq_gateway.question.reading.words import QuestionWords

DEGREES = 8


@dataclass(frozen=True, slots=True)
class Superlative:
    """A superlative or comparative at one word of the question."""

    token: int
    degree: lexicon.Degree

    def wants_more(self, attribute: SchemaItem) -> bool:
        """True if the larger of an attribute's values is meant."""
        return self.degree.more_of(attribute.is_amount)


@dataclass(frozen=True, slots=True)
class Operator:
    """A comparison cue: the words it takes and the sign it means, of times and of quantities."""

    tokens: frozenset[int]
    comparison: str
    of_quantities: str = ""

    def sign(self, is_quantity: bool) -> str:
        """The sign before a quantity or before any other value."""
        return (self.of_quantities if is_quantity else "") or self.comparison


class QuestionReading(QuestionWords):
    """One question read against one index, made once: what its words ask for."""

    @cached_property
    def count_cue(self) -> frozenset[int]:
        """The words that ask for a number, or none."""
        for cue in lexicon.COUNT_CUES:
            for start in range(len(self.lowers) - len(cue) + 1):
                if self.lowers[start : start + len(cue)] == cue:
                    return frozenset(range(start, start + len(cue)))
        return frozenset()

    @cached_property
    def head(self) -> frozenset[int]:
        """The noun that is asked for: the words after `which` or `what` up to the next verb or name.

        In "what is the number of employees" it is what is counted, in "films by X" what the words begin with.
        """
        counted = max(self.count_cue, default=-1)
        for position, word in enumerate(self.lowers):
            if word in lexicon.CHOICE_WORDS or word in lexicon.COMMANDS or position == counted:
                noun = self._noun_after(position + 1)
                if not noun & self.count_cue:
                    return noun
        asks = self.is_verification or self.count_cue or self.asks(lexicon.ASKING)
        return frozenset() if asks else self._noun_after(0)

    def _noun_after(self, position: int) -> frozenset[int]:
        while position < len(self.lowers) and self.lowers[position] in _DETERMINERS:
            position += 1
        end = position
        while end < len(self.lowers) and end < position + 4 and end not in self.named:
            if self.lowers[end] in STOP_WORDS or self.lowers[end] in lexicon.VERIFY_OPENERS:
                break
            end += 1
        return frozenset(range(position, end))

    def asks(self, words: frozenset[str]) -> bool:
        """True if a question word of the list opens the question or stands in it."""
        return not words.isdisjoint(self.lowers)

    def opens_with(self, words: frozenset[str]) -> bool:
        """True if a word of the list is among the first three, as in "In which", "On what"."""
        return any(word in words for word in self.lowers[:3])

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

    @cached_property
    def superlatives(self) -> tuple[Superlative, ...]:
        """The first superlatives outside names."""
        lowers = (*self.lowers, "")
        return self._degrees(lambda at: lexicon.superlative(lowers[at], lowers[at + 1], self.language))

    @cached_property
    def comparatives(self) -> tuple[Superlative, ...]:
        """The first comparatives outside names."""
        return self._degrees(lambda at: lexicon.comparative(self.lowers[at]))

    @cached_property
    def time_orders(self) -> tuple[Superlative, ...]:
        """The first words outside names that order times."""
        return self._degrees(lambda at: lexicon.TIME_ORDERS.get(self.lowers[at]))

    def place_before(self, position: int) -> int:
        """The place in an order that stands before a superlative, "the second largest"; 0 for none."""
        return lexicon.ORDINALS.get(self.lowers[position - 1], 0) if position else 0

    def _degrees(self, meaning: Callable[[int], lexicon.Degree | None]) -> tuple[Superlative, ...]:
        """The first words outside names with a meaning, which is given for a position."""
        found = (
            Superlative(i, degree)
            for i in range(len(self.lowers))
            if i not in self.named and (degree := meaning(i)) is not None and not self._ranks_nothing(i)
        )
        return tuple(islice(found, DEGREES))

    def _ranks_nothing(self, position: int) -> bool:
        """True if a word belongs to "first name" or "first and last name", to "at least" or "plus de 5"."""
        if any(
            position + len(words) in self._values and self.lowers[position : position + len(words)] == words
            for words, _ in lexicon.OPERATORS
        ):
            return True
        if position and self.lowers[position - 1] == "at" and self.lowers[position] in ("least", "most"):
            return True
        if self.lowers[position] not in _PARTS_OF_NAMES:
            return False
        following = (word for word in self.lowers[position + 1 :] if word not in _PARTS_OF_NAMES)
        return next(following, "") in ("name", "names")

    @cached_property
    def _values(self) -> frozenset[int]:
        """The first words of the values."""
        return frozenset(min(self.covered(literal), default=-1) for literal in self.links.literals)

    def operator(self, literal: LiteralMention) -> Operator:
        """The comparison that stands before a literal, or the equality that its absence means."""
        return self._operators.get(literal.start) or self._operator(literal)

    @cached_property
    def _operators(self) -> dict[int, Operator]:
        return {literal.start: self._operator(literal) for literal in self.links.literals}

    @cached_property
    def ors(self) -> frozenset[int]:
        """The words that say "or" between two things: not in "on or after 2020", nor in "3 or more"."""
        said = frozenset(at for at, word in enumerate(self.lowers) if word in lexicon.OR)
        return said.difference(*(found.tokens for found in self._operators.values()))

    def _operator(self, literal: LiteralMention) -> Operator:
        covered = self.covered(literal)
        first, behind = min(covered, default=0), max(covered, default=0) + 1
        for words, comparison in lexicon.OPERATORS_BEHIND.items():
            if self.lowers[behind : behind + len(words)] == words:
                return Operator(frozenset(range(behind, behind + len(words))), comparison)
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
                before = self.lowers[found.token - 1] if found.token else ""
                denied = {found.token - 1} if before == "no" or lexicon.is_negation(before) else set[int]()
                more = (found.degree.more_of(of_quantity) != bool(denied) for of_quantity in (False, True))
                reached = "=" if denied else ""
                signs = (f"{'>' if one else '<'}{reached}" for one in more)
                return Operator(frozenset({found.token, *denied}), *signs)
        return Operator(frozenset(), "=")

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
    def denials(self) -> tuple[int, ...]:
        """The words that deny what follows them."""
        denying = lexicon.DENIALS | lexicon.FALSE_WORDS
        found = {i for i in self.unstated if self.lowers[i] in denying or lexicon.is_negation(self.lowers[i])}
        none = (i for i, word in enumerate(self.lowers) if word == "no" and self._is_none(i))
        return tuple(sorted(found.union(none)))

    def _is_none(self, position: int) -> bool:
        """True if "no" says that there is none: "no more than" does not, nor does a name."""
        following = self.lowers[position + 1 : position + 2]
        compares = not following or lexicon.comparative(following[0]) is not None
        return position > 0 and position not in self.named and not compares

    @cached_property
    def name_list(self) -> frozenset[int]:
        """The words of the only name, or of a list of names; none where names stand apart."""
        span = range(min(self.named), max(self.named) + 1) if self.named else ()
        between = (at for at in span if at not in self.named)
        return frozenset(span) if all(self.lowers[at] in _LISTING for at in between) else frozenset()

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

    @cached_property
    def again(self) -> dict[int, float]:
        """The words that say that something is shared: "the same director", "starred together"."""
        return {
            token: 1.0
            for token, word in enumerate(self.lowers)
            if token not in self.named and (word in lexicon.AGAIN_WORDS or word.startswith("co-"))
        }

    @cached_property
    def asks_for_others(self) -> bool:
        """True if a word says that what is named is not meant: "its other films", "who else"."""
        return any(self.lowers[token] in lexicon.OTHER_WORDS for token in self.again)

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


_DETERMINERS = tables.words("determiners")
_PARTS_OF_NAMES = tables.words("parts_of_names")
_LISTING = lexicon.ARTICLES | {"and", "or"}
