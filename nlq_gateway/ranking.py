"""Orders what all strategies propose: the one place that compares drafts of different sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from nlq_gateway.types import Draft

AGREED = 0.3  # two sources that propose the same program, in words of the question


def ranked(drafts: Iterable[Draft], worth: Callable[[Draft], float]) -> tuple[Draft, ...]:
    """The different drafts, best first, each with `worth` added to its score.

    One that several sources propose is worth more than each says.
    """
    best: dict[object, Draft] = {}
    for draft in drafts:
        key = (draft.program.steps, tuple(sorted(draft.choices.items())))
        best[key] = _joined(best[key], draft) if key in best else draft
    valued = (replace(draft, score=draft.score + worth(draft)) for draft in best.values())
    return tuple(sorted(valued, key=lambda draft: (-draft.score, len(draft.program))))


def _joined(one: Draft, other: Draft) -> Draft:
    """The better of two drafts of one program."""
    better = max((one, other), key=lambda draft: draft.score)
    agreed = AGREED if one.source != other.source else 0.0
    remarks = tuple(dict.fromkeys((*one.remarks, *other.remarks)))
    return replace(better, score=better.score + agreed, remarks=remarks)
