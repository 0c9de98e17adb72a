"""Orders what all strategies propose: the one place that compares drafts of different sources."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from nlq_gateway.types import Draft

AGREED = 0.3  # two sources that propose the same program, in words of the question


def ranked(drafts: Iterable[Draft]) -> tuple[Draft, ...]:
    """The different drafts, best first; one that several sources propose is worth more than each says."""
    best: dict[object, Draft] = {}
    for draft in drafts:
        key = (draft.program.steps, tuple(sorted(draft.choices.items())))
        known = best.get(key)
        if known is None or known.source == draft.source:
            best[key] = draft if known is None or draft.score > known.score else known
        else:
            better = max((known, draft), key=lambda one: one.score)
            best[key] = replace(better, score=better.score + AGREED)
    return tuple(sorted(best.values(), key=lambda draft: (-draft.score, len(draft.program))))
