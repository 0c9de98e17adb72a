"""The verb that alone says what is asked for: "who sold X", "what did X eat", "did X earn more than Y".

"Which school did X attend" says it by its noun, "when did X end" by its first word.
"""

from __future__ import annotations

from nlq_gateway.core.words import STOP_WORDS
from nlq_gateway.language import lexicon, tables
from nlq_gateway.question.reading.reading import QuestionReading

_ASKED = (("what",), ("who",), ("whom",))
# They say next to nothing by themselves, or are no verbs: "appear in", "fall under", "take over".
_LIGHT, _TURNS = tables.words("light_verbs"), tables.words("turns")


def deed_asked(reading: QuestionReading) -> int | None:
    """The position of the verb; None where something else says it, or the verb says little by itself."""
    lowers = reading.lowers
    acts = lowers[1:2] if lowers[:1] in _ASKED else lowers[:1]
    is_first = 1 if lowers[:1] == ("who",) else None
    after = _after_subject(reading) if acts and acts[0] in lexicon.DO else is_first
    if after is None or after >= len(lowers):
        return None
    word = lowers[after]
    is_plain = word.isalpha() and not word.endswith("ly") and word not in lexicon.PREPOSITIONS
    return after if is_plain and word not in _LIGHT and word not in STOP_WORDS else None


def tells_when(word: str) -> bool:
    """True if a word says what happened at the time that is asked for: "held" does not, "ended" does."""
    return word not in _LIGHT or word in _TURNS


def _after_subject(reading: QuestionReading) -> int | None:
    """The place behind the first name, which is who did it."""
    named = (reading.covered(mention) for mention in reading.links.mentions)
    return min((max(words) + 1 for words in named if words), default=None)
