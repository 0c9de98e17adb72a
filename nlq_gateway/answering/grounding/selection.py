"""Chooses one of the names that the graph has: a clear winner, else the model, else the nearest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from nlq_gateway.answering.grounding.names import GroundingCandidate
from nlq_gateway.index.text import fold
from nlq_gateway.models import Deadline, Model, ModelError, Prompt, choose
from nlq_gateway.models.choice import ABOUT, NONE_OF_THESE
from nlq_gateway.models.errors import Cancelled
from nlq_gateway.models.templates import PromptTemplates, one_line

_CLEAR = 0.85
_AHEAD = 0.1
# In a shorter name one letter is much of it.
_LONG = 5
_CLOSE = 0.6
_TEMPLATES = PromptTemplates("nlq_gateway.answering.grounding")
# A label may be a page of text: with ten of them, no budget would hold the prompt.
_LONGEST_LABEL = 200
_PLURALS = {Kind.ENTITY: "entities"}


@dataclass(frozen=True, slots=True)
class Picked:
    """The choice, None for none of them, and a clause that tells who chose.

    `margin` in [0, 1] is how far it is ahead of the next; of a clear winner, how like its letters are.
    """

    candidate: GroundingCandidate | None
    margin: float
    why: str


@dataclass(slots=True)
class CandidateChooser:
    """Chooses for one question. A model that fails is not asked again."""

    question: str
    model: Model | None
    deadline: Deadline

    def pick(
        self,
        kind: Kind,
        name: str,
        candidates: Sequence[GroundingCandidate],
        *,
        least: float = _CLOSE,
        sure: bool = True,
        reason: str = "",
    ) -> Picked:
        """The candidate that a name stands for; raises Cancelled.

        Args:
            kind: of the name and the candidates.
            name: as it was written.
            candidates: best first.
            least: the score from which the nearest is taken where no model chooses.
            sure: whether one that is spelled nearly so is taken without the model.
            reason: why the name cannot stay; a clause for the model to read.
        """
        if not candidates:
            return Picked(None, 0.0, "nothing is near it")
        clear = _clear(candidates) if sure and len(fold(name)) >= _LONG else None
        if clear is not None:
            return clear
        reason = reason or f"the graph has no {kind} of that name"
        options = [*map(_option, candidates), NONE_OF_THESE]
        return self._by_model(kind, name, candidates, options, reason) or _nearest(candidates, least)

    def _by_model(
        self,
        kind: Kind,
        name: str,
        candidates: Sequence[GroundingCandidate],
        options: Sequence[str],
        reason: str,
    ) -> Picked | None:
        if self.model is None:
            return None
        try:
            prompt = _prompt(self.question, kind, name, reason)
            choice = choose(self.model, prompt, options, self.deadline)
        except Cancelled:
            raise
        except ModelError:
            self.model = None
            return None
        if choice is None:
            return None
        margin = max(0.0, choice.margin)
        chosen = candidates[choice.best] if choice.best < len(candidates) else None
        among = f"among {len(options)}" if chosen is not None else f"none of {len(candidates)}"
        why = f"the model chose {among}, with a margin of {margin:.2f}"
        return Picked(chosen, margin, why)


def _clear(candidates: Sequence[GroundingCandidate]) -> Picked | None:
    """The one whose letters are nearly those that were written, where no other's are."""
    best = max(candidates, key=lambda one: one.spelled)
    ahead = best.spelled - max((one.spelled for one in candidates if one is not best), default=0.0)
    if best.spelled < _CLEAR or ahead < _AHEAD:
        return None
    return Picked(best, best.spelled, f"it is spelled nearly so ({best.spelled:.2f})")


def _nearest(candidates: Sequence[GroundingCandidate], least: float) -> Picked:
    best = candidates[0]
    others = [one.score for one in candidates[1:]]
    if best.score < least:
        return Picked(None, 0.0, f"nothing is near it ({best.label!r} with {best.score:.2f} is nearest)")
    margin = max(0.0, best.score - max(others, default=0.0))
    return Picked(best, min(1.0, margin), f"it is the nearest ({best.score:.2f})")


def _option(candidate: GroundingCandidate) -> str:
    label = one_line(candidate.label, _LONGEST_LABEL)
    return f"{label}{ABOUT}{one_line(candidate.about, _LONGEST_LABEL)}" if candidate.about else label


def _prompt(question: str, kind: Kind, name: str, reason: str) -> Prompt:
    plural = _PLURALS.get(kind, f"{kind}s")
    body = _TEMPLATES.render(
        "choose.j2",
        "body",
        question=question,
        kind=kind,
        plural=plural,
        name=one_line(name, _LONGEST_LABEL),
        reason=reason,
    )
    return Prompt(_TEMPLATES.render("choose.j2", "prefix"), body)
