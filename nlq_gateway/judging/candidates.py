"""The different programs that all sources propose for a question, each with what speaks for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace

from nlq_gateway.core.types import Draft


@dataclass(frozen=True, slots=True)
class Candidate:
    """A draft, the sources that propose it, and what demonstrations say of it, in words of the question."""

    draft: Draft
    sources: frozenset[str]
    worth: float = 0.0

    @property
    def key(self) -> Hashable:
        """What tells its program, with the meant bearers of names, from others."""
        return self.draft.program.steps, tuple(sorted(self.draft.choices.items()))


def together(drafts: Iterable[Draft], worth: Callable[[Draft], float]) -> tuple[Candidate, ...]:
    """Each program once, in the reading that its best source gives it."""
    best: dict[Hashable, Candidate] = {}
    for draft in drafts:
        one = Candidate(draft, frozenset([draft.source]))
        key = one.key
        best[key] = _joined(best[key], draft) if key in best else one
    return tuple(replace(one, worth=worth(one.draft)) for one in best.values())


def _joined(one: Candidate, other: Draft) -> Candidate:
    """One program from two drafts, with what both say of it."""
    better, worse = sorted((one.draft, other), key=lambda draft: -draft.score)
    remarks = tuple(dict.fromkeys((*one.draft.remarks, *other.remarks)))
    joined = replace(better, parts={**worse.parts, **better.parts}, remarks=remarks)
    return Candidate(joined, one.sources | {other.source})
