"""The least similarity of a phrase and a name on one endpoint, learned from its demonstrations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from nlq_gateway.core.types import Links
from nlq_gateway.drafts.generation.context.facts import THRESHOLD, FactFinder
from nlq_gateway.drafts.generation.context.likeness import NAMED
from nlq_gateway.drafts.generation.known import Fact
from nlq_gateway.index import Index

GRID = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
FEWEST, MOST = 10, 60
# A threshold whose recall is below this share of the lowest one's is left out.
_LEAST_SHARE = 2 / 3

# A linked question, and the program that answers it.
Solved = tuple[Links, Program]


@dataclass(frozen=True, slots=True)
class Quality:
    """Precision and recall of facts at a threshold, each in [0, 1], over all questions together."""

    threshold: float
    precision: float
    recall: float


def threshold_of(finder: FactFinder, solved: Sequence[Solved], default: float = THRESHOLD) -> float:
    """The threshold of the highest precision (CodeAlignKGQA, section 5.4); of equal ones the lowest.

    Thresholds with a much lower recall than the lowest one are left out. The default for fewer than `FEWEST`
    questions; of many, `MOST` spread evenly are used. Raises the errors of `around`.
    """
    if len(solved) < FEWEST:
        return default
    some = [solved[at * len(solved) // MOST] for at in range(MOST)] if len(solved) > MOST else solved
    found = qualities(finder, some)
    enough = _LEAST_SHARE * max(one.recall for one in found)
    telling = [one for one in found if one.recall >= enough and one.recall > 0]
    best = max(telling, key=lambda one: (round(one.precision, 2), -one.threshold), default=None)
    return best.threshold if best else default


def qualities(
    finder: FactFinder, solved: Sequence[Solved], grid: Sequence[float] = GRID
) -> tuple[Quality, ...]:
    """Precision and recall of the facts' schema items against the programs', at each threshold."""
    wanted = [frozenset(_named(program, finder.index)) for _, program in solved]
    total = sum(map(len, wanted))
    rows = []
    for threshold in grid:
        found = [frozenset(_told(finder.facts(links, threshold))) for links, _ in solved]
        right = sum(len(told & gold) for told, gold in zip(found, wanted, strict=True))
        rows.append(Quality(threshold, right / max(1, sum(map(len, found))), right / max(1, total)))
    return tuple(rows)


def _told(facts: Sequence[Fact]) -> Iterator[tuple[Kind, str]]:
    for fact in facts:
        yield fact.kind, fact.label
        if fact.qualifier:
            yield Kind.QUALIFIER, fact.qualifier


def _named(program: Program, index: Index) -> Iterator[tuple[Kind, str]]:
    """The relations, attributes and qualifiers of a program, by the graph's own labels."""
    for step in program.steps:
        for parameter, text in zip(step.signature.parameters, step.inputs, strict=True):
            if parameter.kind in NAMED:
                item = index.item(parameter.kind, text[1:-1]) if text.startswith("<") else None
                found = (item,) if item else index.named(parameter.kind, text)
                yield parameter.kind, found[0].label if found else text
