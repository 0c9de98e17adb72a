"""The confidence of an answer: the probability that it is right, with its features.

account.py     how far a program accounts for the words of the question
word_shares.py how often a word names something that graphs have
operations.py  whether it counts, ranks, compares, denies where the question says so
forms.py       whether its form can state what the clauses ask
features.py    what speaks for an answer, as numbers
few_shot.py    the same of a language model's programs
model.py       from these numbers to a probability; `weights.json` comes from `python -m training.confidence`
agreement.py   what it says that other ways lead to the same answer
unknown.py     what a question speaks of and its answer or the graph does not have, in words
"""

from __future__ import annotations

from typing import Literal

from nlq_gateway.judging.confidence import few_shot
from nlq_gateway.judging.confidence.agreement import Vote, agreed
from nlq_gateway.judging.confidence.features import (
    MEANINGS,
    TAUGHT,
    AnswerEvidence,
    features,
)
from nlq_gateway.judging.confidence.forms import is_all_asked, is_of_each
from nlq_gateway.judging.confidence.model import FEW_SHOT, ConfidenceModel, bound
from nlq_gateway.judging.confidence.unknown import ignored_in, unknown_in

Caution = Literal["low", "normal", "high"]
# By caution: an answer that is less sure is none, and the gateway says that it does not know.
ENOUGH: dict[Caution, float] = {"low": 0.35, "normal": 0.45, "high": 0.7}
SURE_ENOUGH = ENOUGH["normal"]

__all__ = [
    "ENOUGH",
    "MEANINGS",
    "SURE_ENOUGH",
    "AnswerEvidence",
    "Caution",
    "ConfidenceModel",
    "Vote",
    "agreed",
    "confidence",
    "features",
    "ignored_in",
    "is_all_asked",
    "is_of_each",
    "unknown_in",
]


def confidence(evidence: AnswerEvidence) -> tuple[float, dict[str, float]]:
    """The probability that an answer is right, and the features that it comes from."""
    if evidence.few_shot and evidence.draft is not None:
        found = few_shot.features(evidence.draft, evidence.bindings, evidence.answer)
        return ConfidenceModel.shipped(FEW_SHOT).probability(found), found
    found = features(evidence)
    sure = ConfidenceModel.shipped().probability(found)
    taught = evidence.draft.parts.get("similarity", 0.0) if evidence.draft else 0.0
    if taught >= TAUGHT:
        # What the question means a demonstration says, in whatever words.
        sure = max(sure, bound(found) * taught)
    return sure, found
