"""A candidate's evidence as numbers: before it runs, and for the chosen one after others ran, too."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from nlq_gateway.core.types import Draft
from nlq_gateway.judging.candidates import Candidate

BEFORE: Mapping[str, str] = {
    "reading": "log odds that the program answers the question, of the network that reads both",
    "own": "the source's own score less its best, a demonstration's less the most, in words; from -4 to 0",
    "log-probability": "log-probability of the program under the drafter, from -10; 0 where it has none",
    "unwritten": "1 where the drafter does not write it",
    "explained": "the share of the question that its source says it explains; 0 where it does not say",
    "cost": "what its source says against it, in words of the question; from -2 to 2",
    "accounted": "the share of the question's words, by how telling they are, that the program accounts for",
    "passed": "the weight of the most telling word, names apart, that it does not account for",
    "worth": "what demonstrations say of the program, in words of the question",
    "agreed": "the number of sources that propose it, less 1",
    "length": "the number of steps / 5",
}
AFTER: Mapping[str, str] = {
    "score": "the weighted sum of what is known of the program, with the reading of its results",
    "read": "log odds of the network that reads question, program and what it found",
    "ahead": "the score of its answer less that of the best other: programs with one answer add up",
    "share": "of what the candidates that found something, and one unknown, are likely: its answer's share",
    "first": "less where a likelier program found nothing: questions seldom ask for what there is not",
}
# Among the parts of a program that the drafter writes: its log-probability.
DRAFTED = "log_probability"
# What a source says against its program that scores it in words of the question.
_COST = "cost"
_OWN, _UNLIKELY, _FAR, _ALONE = 4.0, 10.0, 6.0, 2.0
_LENGTH = 5
# In log odds, a program that no source proposes: alone among unlikely ones, none is the likely one.
_UNPROPOSED = -1.0
# In log odds, that what is asked for is there at all: one question in twenty asks for what there is not.
_SELDOM = 3.0
_COSTS = 2.0


@dataclass(frozen=True, slots=True)
class WordsSaid:
    """The `accounted` and `passed` of `BEFORE`, and whether a name is left out.

    Nothing is passed over where the words are not known.
    """

    accounted: float = 1.0
    passed: float = 0.0
    leaves_name: bool = False


def before(
    candidate: Candidate, reading: float, best: float, said: WordsSaid, *, drafted: bool = True
) -> dict[str, float]:
    """The value of each of `BEFORE`.

    `best` is the highest score among candidates that have one in words; `drafted` says whether the drafter
    knows the question's language.
    """
    draft = candidate.draft
    written = draft.parts.get(DRAFTED) if drafted else None
    return {
        "reading": reading,
        "own": max(-_OWN, _own(candidate, best, drafted)),
        "log-probability": 0.0 if written is None else max(-_UNLIKELY, written),
        "unwritten": float(written is None),
        "explained": draft.parts.get("explained", 0.0),
        "cost": max(-_COSTS, min(_COSTS, draft.parts.get(_COST, 0.0))),
        "accounted": said.accounted,
        "passed": said.passed,
        "worth": candidate.worth,
        "agreed": len(candidate.sources) - 1.0,
        "length": len(draft.program) / _LENGTH,
    }


def _own(candidate: Candidate, best: float, drafted: bool) -> float:
    draft = candidate.draft
    if has_own(candidate):
        return draft.score - best
    return draft.parts.get("short", 0.0) if drafted else -_OWN


def has_own(candidate: Candidate) -> bool:
    """True if the source's own score is in words of the question."""
    return _COST in candidate.draft.parts


def is_unaided(draft: Draft) -> bool:
    """True if its source reads the question by itself: no demonstration, no language model."""
    return DRAFTED in draft.parts or _COST in draft.parts


@dataclass(frozen=True, slots=True)
class Ran:
    """A candidate that was run: its score, its answer by value, and what the network reads of both.

    The answer is None where it found nothing; `read` is None where the network did not read all of it.
    """

    score: float
    answer: Hashable | None = None
    read: float | None = None


def scores_of_answers(ran: Iterable[Ran]) -> dict[Hashable, float]:
    """The score of each answer: how likely, in log odds, the programs are together that came to it.

    Several programs that agree are more likely right than the best of them (Keqing, section 3.3).
    """
    found: dict[Hashable, float] = {}
    for one in ran:
        if one.answer is not None:
            found[one.answer] = _together(found.get(one.answer, -math.inf), one.score)
    return found


def _together(one: float, other: float) -> float:
    """The logarithm of the sum of what these are the logarithms of."""
    high, low = max(one, other), min(one, other)
    return high + math.log1p(math.exp(low - high))


def after(taken: Ran, ran: Sequence[Ran], others: Iterable[float] = ()) -> dict[str, float]:
    """The value of each of `AFTER` for the one of `ran` that is taken; what is not known is left out.

    `others` are the scores of the candidates that were not run. `score`, `read` and `ahead` go from -6 to 6,
    and are told as shares of that; more of one never makes an answer less sure.
    """
    of_answers = scores_of_answers(ran)
    own = of_answers.pop(taken.answer, taken.score)
    rival = max(of_answers.values(), default=min(one.score for one in ran) - _ALONE)
    found = {"score": taken.score, "ahead": own - rival}
    if taken.read is not None:
        found["read"] = taken.read
    shares = {name: (max(-_FAR, min(_FAR, value)) + _FAR) / (2 * _FAR) for name, value in found.items()}
    # What found nothing is left to `first`.
    told = (one.score for one in ran if one == taken or one.answer is not None)
    in_all = reduce(_together, (_UNPROPOSED, *told, *others))
    behind = max(one.score for one in ran) - taken.score
    return {**shares, "share": math.exp(own - in_all), "first": probability(_SELDOM - behind)}


def probability(odds: float) -> float:
    """The probability with these log odds."""
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, odds))))
