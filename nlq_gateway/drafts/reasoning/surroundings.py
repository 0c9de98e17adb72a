"""The questions that the reasoner asks of the graph itself, beyond the index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from compilers.kopl.program import Program

Facts = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Partial:
    """A program that ends in a set, with the IRIs that its names stand for."""

    program: Program
    choices: Mapping[tuple[int, int], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Reach:
    """The result of a set: whether it is empty, and the predicates of its members' facts.

    Each predicate comes with `forward` (a member is the subject) or `backward`. `facts` is None if the
    set has more members than were read.
    """

    empty: bool
    facts: Facts | None = None


class Surroundings(Protocol):
    """Small questions to the store, cached by the implementation."""

    def around(self, iri: str) -> Facts:
        """The predicates of an entity's facts, each with `forward` (it is the subject) or `backward`."""

    def reach(self, partials: Sequence[Partial]) -> tuple[Reach | None, ...]:
        """Return the result of each set; None if the store does not answer in time."""

    def holders(self, texts: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
        """Return triples (text, string, predicate) of texts that are strings which the index may not know."""
