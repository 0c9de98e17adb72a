"""Words that change a question's meaning: questions that differ in them never share a program."""

from __future__ import annotations

from nlq_gateway.drafts.demonstrations.mask import Masked
from nlq_gateway.language import lexicon
from nlq_gateway.language.tables import words

CUES = lexicon.NEGATIONS | lexicon.DENIALS | words("decisive")
# Cues only right before a name or value: "under 90 minutes", but "fall under".
BEFORE_VALUES = words("decisive_before_values")


def cues_of(masked: Masked) -> frozenset[str]:
    """The cues of a question: closed-class words that compare, negate, count or rank, and superlatives."""
    following = (*masked.words, None)[1:]
    return frozenset(
        "not" if word.text not in CUES and lexicon.is_negation(word.text) else word.text
        for word, after in zip(masked.words, following, strict=True)
        if word.stem and (_is_cue(word.text) or (word.text in BEFORE_VALUES and after and not after.stem))
    )


def _is_cue(word: str) -> bool:
    return word in CUES or lexicon.is_negation(word) or lexicon.is_superlative(word)
