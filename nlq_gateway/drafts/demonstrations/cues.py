"""Words that change a question's meaning: questions that differ in them never share a program."""

from __future__ import annotations

from nlq_gateway.drafts.demonstrations.mask import Masked

CUES = frozenset(
    """
    not never neither nor no without except excluding than more less fewer before after
    since until between least most fewest many much average mean median sum total first last latest earliest
    second third or only number count per each every nicht kein keine
    """.split()
)
# Cues only right before a name or value: "under 90 minutes", but "fall under".
BEFORE_VALUES = frozenset("over under above below".split())
_NEGATED = ("n't", "n’t")
_MOST = "est"
_SHORTEST = 5


def cues_of(masked: Masked) -> frozenset[str]:
    """The cues of a question: closed-class words that compare, negate, count or rank, and superlatives."""
    following = (*masked.words, None)[1:]
    return frozenset(
        "not" if word.text.endswith(_NEGATED) else word.text
        for word, after in zip(masked.words, following, strict=True)
        if word.stem and (_is_cue(word.text) or (word.text in BEFORE_VALUES and after and not after.stem))
    )


def _is_cue(word: str) -> bool:
    return word in CUES or word.endswith(_NEGATED) or (word.endswith(_MOST) and len(word) > _SHORTEST)
