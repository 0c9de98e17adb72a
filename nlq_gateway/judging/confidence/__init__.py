"""The confidence of an answer: the probability that it is right, with its features.

content.py     the question's words that name something, and how much each tells
account.py     the share of the question's words that a program accounts for
forms.py       agreement with the forms of the question's clauses
kinds.py       agreement with the asked kind of answer
features.py    the evidence for an answer, as numbers
few_shot.py    the same for a language model's programs
model.py       from these numbers to a probability; `weights.json` comes from `python -m training.confidence`
agreement.py   the agreement of other programs' answers
unknown.py     words of the question that its answer or the graph lacks, as a sentence
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
from nlq_gateway.judging.confidence.forms import is_all_asked
from nlq_gateway.judging.confidence.model import FEW_SHOT, ConfidenceModel, bound
from nlq_gateway.judging.confidence.unknown import ignored_in, unknown_in

Caution = Literal["low", "normal", "high"]
# By caution: an answer that is less sure is none, and the gateway says that it does not know.
ENOUGH: dict[Caution, float] = {"low": 0.3, "normal": 0.45, "high": 0.7}
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
        # A demonstration states the meaning of the question, in any words.
        sure = max(sure, bound(found) * taught)
    return sure, found
