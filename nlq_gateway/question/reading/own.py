"""What things are compared with of their own: "earn more than their manager", "cost more than its budget"."""

from __future__ import annotations

from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.reading import QuestionReading

# The words of a noun at most.
_NOUN = 3


def own_noun(reading: QuestionReading) -> frozenset[int]:
    """The words behind "than their" and "before its"; none in other questions."""
    lowers = reading.lowers
    for at in range(1, len(lowers) - 1):
        compares = lowers[at - 1] in lexicon.THAN or lowers[at - 1] in lexicon.TIME_ORDERS
        if compares and lowers[at] in lexicon.OWNERS and at not in reading.named:
            return frozenset(range(at + 1, min(at + 1 + _NOUN, len(lowers))))
    return frozenset()
