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
        known = best.get(key)
        better = draft if known is None or draft.score > known.score else known
        agreed = AGREED if known is not None and known.source != draft.source else 0.0
        best[key] = replace(better, score=better.score + agreed)
    valued = (replace(draft, score=draft.score + worth(draft)) for draft in best.values())
    return tuple(sorted(valued, key=lambda draft: (-draft.score, len(draft.program))))
