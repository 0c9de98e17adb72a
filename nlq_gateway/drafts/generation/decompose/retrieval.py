"""The candidate chains of a sub-question: those of its nearest templates that have an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from compilers.kopl.program import Program
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.generation.decompose.chains import Chain, Continuation
from nlq_gateway.drafts.generation.decompose.reading import MaskedSubQuestion
from nlq_gateway.drafts.generation.decompose.sketch import Choices
from nlq_gateway.drafts.generation.decompose.templates import Templates

_AT_ONCE = 4
_ROUNDS = 3
_LEAST_LIKE = 0.4

Members = Callable[[Sequence[tuple[Program, Choices]]], Sequence[bool | None]]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Finds up to `nearest` chains (K in Keqing, section 3.2).

    `members` tells if sets at the end of programs have members, None if the store does not answer.
    """

    templates: Templates
    members: Members
    nearest: int

    def chains(
        self,
        continuation: Continuation,
        readings: Sequence[MaskedSubQuestion],
        about: Sequence[SchemaItem] = (),
    ) -> tuple[Chain, ...]:
        """The chains, the most similar first; each with one variant, the first with an answer.

        `about` are items near to the question.
        """
        found: dict[str, Chain] = {}
        limit = _ROUNDS * _AT_ONCE * self.nearest
        for reading in readings:
            also = (*continuation.qualifiers(reading), *about)
            for template, score in self.templates.near(reading, limit, also):
                chain = continuation.chain(template, score, reading) if score >= _LEAST_LIKE else None
                if chain is not None:
                    known = found.setdefault(chain.first.text, chain)
                    found[chain.first.text] = max(known, chain, key=lambda one: one.similarity)
        nearest = sorted(found.values(), key=lambda chain: -chain.similarity)[:limit]
        return self._first_leading(nearest)

    def _first_leading(self, chains: Sequence[Chain]) -> tuple[Chain, ...]:
        """The first chains with an answer; the store is asked about a part of them at a time."""
        led: list[Chain] = []
        size = _AT_ONCE * self.nearest
        for start in range(0, len(chains), size):
            led += self._leading(chains[start : start + size])
            if len(led) >= self.nearest:
                break
        return tuple(led[: self.nearest])

    def _leading(self, chains: Sequence[Chain]) -> list[Chain]:
        """The chains without variants that have no answer, by one request to the store."""
        tests = [one.test for chain in chains for one in chain.variants if one.test is not None]
        told = iter(self.members([sketch.until(step) for sketch, step in tests]) if tests else ())
        led = []
        for chain in chains:
            leading = [one for one in chain.variants if one.test is None or next(told) is not False]
            if leading:
                led.append(replace(chain, variants=(leading[0],)))
        return led
