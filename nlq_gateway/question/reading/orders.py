"""The order that a question plainly says: the newest has the latest date, the cheaper the lower price."""

from __future__ import annotations

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.reading import QuestionReading


def takes_more(reading: QuestionReading, attribute: SchemaItem, compared: bool) -> bool | None:
    """True if the only superlative means the larger values of an attribute; None if that is open.

    With `compared` it is the only comparative before "than". Words of time decide on times, others on what
    they speak of: the longest may have begun the earliest, and the best has the first rank.
    """
    words = reading.comparatives if compared else reading.superlatives
    is_denied = compared and any(map(lexicon.is_negation, reading.lowers))
    if len(words) != 1 or is_denied or (compared and lexicon.THAN.isdisjoint(reading.lowers)):
        return None
    (word,) = words
    speaks = word.token in reading.evidence(attribute) if attribute.is_amount else word.degree.is_of_times
    return word.wants_more(attribute) if word.degree.hints and speaks else None
