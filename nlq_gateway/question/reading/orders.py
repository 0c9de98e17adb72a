"""The order that a question plainly says: the newest has the latest date, the cheaper the lower price."""

from __future__ import annotations

from nlq_gateway.core.types import LiteralMention, SchemaItem
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.reading import QuestionReading, Superlative

# What a superlative hints at is this much alike at least: an age to the oldest 0.5, a height 0.05.
_SPOKEN = 0.5


def takes_more(reading: QuestionReading, attribute: SchemaItem, compared: bool) -> bool | None:
    """True if the only superlative means the larger values of an attribute; None if that is open.

    With `compared` it is the only comparative before "than". Words of time decide on times, others on what
    they speak of: the longest may have begun the earliest, and the best has the first rank. The third of
    times is the third earliest.
    """
    words = reading.comparatives if compared else reading.superlatives
    if not (words or compared or attribute.is_amount or lexicon.ORDINALS.keys().isdisjoint(reading.lowers)):
        return False
    is_denied = compared and any(map(lexicon.is_negation, reading.lowers))
    if len(words) != 1 or is_denied or (compared and lexicon.THAN.isdisjoint(reading.lowers)):
        return None
    (word,) = words
    speaks = _speaks_of(reading, word, attribute) if attribute.is_amount else word.degree.is_of_times
    return word.wants_more(attribute) if word.degree.hints and speaks else None


def may_rank(reading: QuestionReading, attribute: SchemaItem) -> bool:
    """True unless the only superlative is of times, and an attribute an amount that it does not speak of.

    The oldest film is not the longest; the oldest person may be the one of the largest age.
    """
    words = reading.superlatives
    is_of_times = len(words) == 1 and words[0].degree.is_of_times
    return not (is_of_times and attribute.is_amount) or _speaks_of(reading, words[0], attribute)


def comparison_of(reading: QuestionReading, literal: LiteralMention, is_amount: bool) -> str | None:
    """The sign that words before a value mean: "no less than" >=; None if they say none, or are denied."""
    found = reading.operator(literal)
    return found.sign(is_amount) if found.tokens and not reading.denials else None


def _speaks_of(reading: QuestionReading, word: Superlative, attribute: SchemaItem) -> bool:
    return reading.evidence(attribute).get(word.token, 0.0) >= _SPOKEN
