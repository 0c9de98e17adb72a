"""Words that steer a question's meaning, of all languages together, from the folders of `tables`.

Names of attributes that a word hints at are compared with the graph's own names by embedding, so that none of
them needs to occur in a graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from compilers.kopl.lexicon import NUMBERS as _NUMBERS
from nlq_gateway.language.tables import listed, phrases, phrases_by, rows, tables, values, words


@dataclass(frozen=True, slots=True)
class Degree:
    """The meaning of a superlative or comparative: `more` picks the larger value of a hinted attribute.

    `aged` words speak of dates, in which older means a smaller value; in an age it means a larger one.
    """

    more: bool
    hints: tuple[str, ...] = ()
    aged: bool = False

    def more_of(self, is_quantity: bool) -> bool:
        """True if the larger value is meant, of a quantity or of a time."""
        return self.more != (self.aged and is_quantity)

    @property
    def is_of_times(self) -> bool:
        """True if it orders times: what is newest has the latest date, the longest may have the earliest."""
        return any("date" in hint for hint in self.hints)


def _degrees(key: str) -> dict[str, Degree]:
    return {
        word: Degree(side == "more", tuple(hints), key == "aged")
        for found in values(key)
        for side, hinted in found.items()
        for word, hints in hinted.items()
    }


def _hints(key: str) -> dict[str, tuple[str, ...]]:
    return {word: tuple(hints) for word, hints in rows(key).items()}


def _longest_first(key: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    found = (*phrases_by("comparisons"), *phrases_by(key))
    return tuple(sorted(found, key=lambda row: -len(row[0])))


_ADJECTIVES = _degrees("adjectives") | _degrees("aged")
_SUPERLATIVES, _COMPARATIVES = _degrees("superlatives"), _degrees("comparatives")
_SUPERLATIVE_ENDINGS, _COMPARATIVE_ENDINGS = listed("superlative_endings"), listed("comparative_endings")
_OPEN_ENDINGS, _LEAST_SUPERLATIVE = listed("open_superlative_endings"), 6
TIME_ORDERS = _degrees("time_orders")
NOUN_HINTS, PREPOSITIONS = map(_hints, ("noun_hints", "preposition_hints"))
DEGREES = words("degree_words")
# Number words up to twelve: those of counts and places.
NUMBERS = {word: number for word, number in _NUMBERS.items() if number <= 12}
# All of them, and a dozen.
NUMBER_WORDS = {
    **_NUMBERS,
    **{word: int(number) for found in values("scales") for word, number in found.items()},
}
ORDINALS = {word: number for number, word in enumerate(listed("ordinals"), 1) if number > 1}

# The words of each comparison, longer ones first, and its operator before a value.
OPERATORS = _longest_first("value_comparisons")
# The same behind a value or a number of things.
OPERATORS_BEHIND = dict(phrases_by("comparisons_behind"))
# The same before a count.
COUNT_OPERATORS = _longest_first("count_comparisons")

BE, HAVE, DO = words("be"), words("have"), words("do")
_IS, _ADJECTIVE_ENDINGS = BE | words("verify_openers"), listed("adjective_endings")
VERIFY_OPENERS = HAVE | DO | _IS
AUXILIARIES = HAVE | DO | words("denied_auxiliaries")
COMMANDS = words("commands")
PERSON_WORDS, TIME_WORDS, PLACE_WORDS = words("person_words"), words("time_words"), words("place_words")
HOW_WORDS, CHOICE_WORDS = words("how_words"), words("choice_words")
ASKING = PERSON_WORDS | TIME_WORDS | PLACE_WORDS | HOW_WORDS
AGE_WORDS = words("age_words")
OFFERING = words("offering")
RELATIVE = words("relative")
ARTICLES = words("articles")
JOINING = words("joining")
OR, BY, PER, EACH, THAN = map(words, ("or", "by", "per", "each", "than"))
AGAIN_WORDS, OTHER_WORDS = words("again_words"), words("other_words")
RELATION_WORDS = words("relation_words")
# The parts of dates by which rows are told apart, by the words for them.
PERIODS: Mapping[str, str] = {word: period for (word,), period in phrases_by("periods")}
COUNT_CUES, COUNTING = phrases("count_cues"), words("counting")
KEYS = words("keys")

NEGATIONS, DENIALS, FALSE_WORDS = words("negations"), words("exceptions"), words("false_words")
_NEGATION_ENDINGS = listed("negation_endings")
UNSTATED = words("averages") | DENIALS

PERSON_HINT = "person"
PLACE_HINT = "place"


@cache
def how_hints(tag: str) -> Mapping[str, tuple[str, ...]]:
    """Return the attributes that words after "how" measure, in all languages; `tag` takes precedence."""
    own = tables().get(tag, {}).get("how_hints", {})
    return _hints("how_hints") | {word: tuple(hints) for word, hints in own.items()}


@cache
def verify_openers(tag: str) -> frozenset[str]:
    """The words that open a question of yes or no in a language; of all languages if it lists none.

    A question that is said to be English may be in any language, as that is what clients leave unsaid.
    """
    own = tables().get(tag, {}) if tag != "en" else {}
    return frozenset(own["verify_openers"].split()) if "verify_openers" in own else VERIFY_OPENERS


def is_negation(word: str) -> bool:
    """True if a lower-case word denies something: not, doesn't, kein."""
    return word in NEGATIONS or word.endswith(_NEGATION_ENDINGS)


def begins_clause(words: Sequence[str]) -> bool:
    """True if lower-case words after a noun say more of it: "where", "that", "in which"."""
    after = words[1:] if words[:1] and words[0] in PREPOSITIONS else words
    return bool(after) and after[0] in RELATIVE


def said_of(label: str) -> tuple[str, str]:
    """The verb that an attribute's name begins with, be or have, and the words behind it: "has parking".

    A name without a verb is as it is; the verb is `be` where it looks like an adjective or a participle, else
    empty.
    """
    first, _, rest = label.lower().partition(" ")
    if rest and first in HAVE:
        return "have", rest
    if rest and first in _IS:
        return "be", rest
    return "be" if first.endswith(_ADJECTIVE_ENDINGS) else "", label


def is_exception(word: str) -> bool:
    """True if a lower-case word leaves out what follows it: without, except."""
    return word in DENIALS


def superlative(word: str, following: str = "", tag: str = "") -> Degree | None:
    """Return the meaning of a lower-case superlative, or None for any other word.

    Some are superlatives only in their own language: French "plus", with which English adds. The word
    `following` can reverse them: "le plus petit", "le plus ancien".
    """
    own = tables().get(tag, {})
    side = next((side for side, found in own.get("own_superlatives", {}).items() if word in found), "")
    if side:
        kinds = own["own_adjectives"].items()
        kind = next((kind for kind, adjectives in kinds if following in adjectives.split()), "")
        return Degree((side == "more") != (kind in ("less", "older")), aged=kind in ("older", "younger"))
    if word in _SUPERLATIVES:
        return _SUPERLATIVES[word]
    return _graded(word, _SUPERLATIVE_ENDINGS)


def is_superlative(word: str) -> bool:
    """True if a lower-case word has the form of a superlative, with or without a known adjective."""
    is_long = len(word) >= _LEAST_SUPERLATIVE
    return superlative(word) is not None or (is_long and word.endswith(_OPEN_ENDINGS))


def superlative_pattern() -> str:
    """A regular expression for words in the form of a superlative that may follow a number."""
    return "|".join((*(rf"\w+{ending}" for ending in _OPEN_ENDINGS), *sorted(words("number_degrees"))))


def comparative(word: str) -> Degree | None:
    """Return the meaning of a lower-case comparative, or None for any other word."""
    if word in _COMPARATIVES:
        return _COMPARATIVES[word]
    return _graded(word, _COMPARATIVE_ENDINGS)


def _graded(word: str, endings: tuple[str, ...]) -> Degree | None:
    for ending in endings:
        if word.endswith(ending) and (found := _ADJECTIVES.get(_root(word.removesuffix(ending)))):
            return found
    return None


def _root(stem: str) -> str:
    return stem.removesuffix("e") if stem.removesuffix("e") in _ADJECTIVES else stem
