"""Years and months by which rows are told apart: "per month", "in each year"."""

from __future__ import annotations

from collections.abc import Mapping

from compilers.kopl.functions import Kind
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.request import request_of
from nlq_gateway.question.reading.words import read_once

# The degree to which a word is the name of an attribute: "model year".
_NAMED = 0.9


def periods_in(reading: QuestionReading, words: frozenset[int]) -> Mapping[int, str]:
    """The period that each of some words says, `year` or `month`; none where an attribute is called so."""
    said = {at: lexicon.PERIODS[word] for at in words if (word := reading.lowers[at]) in lexicon.PERIODS}
    own = (item for item in reading.index.schema if item.kind == Kind.ATTRIBUTE)
    called = any(reading.evidence(item).get(token, 0.0) >= _NAMED for item in own for token in said)
    return {} if called else said


@read_once
def periods_asked(reading: QuestionReading) -> frozenset[str]:
    """The periods for which a question asks a number one by one, or which has the most of something."""
    request = request_of(reading)
    groups = request.groups if request.numbers else ()
    ranked = request.asked if request.ranking is not None and request.ranking.counts else ()
    parts = (*groups, *ranked)
    return frozenset(period for part in parts for period in periods_in(reading, part.words).values())
