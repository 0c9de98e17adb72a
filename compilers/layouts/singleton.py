"""Singleton properties: each fact has a predicate of its own, which carries its qualifiers.

`s p1 o . p1 rdf:singletonPropertyOf p ; q v`. Any store can state it. Source: Nguyen, Bodenreider, Sheth,
"Don't like RDF reification?" (WWW 2014), https://doi.org/10.1145/2566486.2567973.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from compilers import algebra as a
from compilers.layouts import base
from compilers.layouts.facts import Facts
from compilers.layouts.vocabulary import RDF

SINGLETON_PROPERTY_OF = a.Iri(RDF + "singletonPropertyOf")


@dataclass(frozen=True, slots=True)
class Singleton(Facts):
    """The layout's operations for one query."""

    node_classes: ClassVar[tuple[a.Iri, ...]] = (a.Iri(RDF + "SingletonProperty"),)

    name: str = "singleton"

    @property
    def plain(self) -> bool:
        """False: a fact's triple has the fact's own predicate."""
        return False

    def fact(
        self, node: a.Variable, head: a.Term, predicate: a.Variable | a.Iri, tail: a.Term, step: int
    ) -> base.Patterns:
        """The triple with the fact's own predicate, and that predicate's property."""
        return (
            a.Triple(head, node, tail, (step,)),
            a.Triple(node, SINGLETON_PROPERTY_OF, predicate, (step,)),
        )
