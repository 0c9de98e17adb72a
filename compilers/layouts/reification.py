"""RDF's own reification: an `rdf:Statement` for each fact, which carries its qualifiers.

`s p o . st rdf:subject s ; rdf:predicate p ; rdf:object o ; q v`. Any store can state it.
Source: https://www.w3.org/TR/rdf-schema/#ch_reificationvocab.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from compilers import algebra as a
from compilers.layouts import base
from compilers.layouts.direct import SUBCLASS_OF, TYPE
from compilers.layouts.facts import Facts
from compilers.layouts.vocabulary import RDF

SUBJECT = a.Iri(RDF + "subject")
PREDICATE = a.Iri(RDF + "predicate")
OBJECT = a.Iri(RDF + "object")


@dataclass(frozen=True, slots=True)
class Reification(Facts):
    """The layout's operations for one query."""

    node_classes: ClassVar[tuple[a.Iri, ...]] = (a.Iri(RDF + "Statement"),)
    schema_predicates: ClassVar[tuple[a.Iri, ...]] = (TYPE, SUBCLASS_OF, SUBJECT, PREDICATE, OBJECT)

    name: str = "reification"

    @property
    def plain(self) -> bool:
        """True if the graph states plain triples too, by the options."""
        return self.options.plain_triples

    def fact(
        self, node: a.Variable, head: a.Term, predicate: a.Variable | a.Iri, tail: a.Term, step: int
    ) -> base.Patterns:
        """The statement's three parts."""
        parts = ((SUBJECT, head), (PREDICATE, predicate), (OBJECT, tail))
        return tuple(a.Triple(node, part, term, (step,)) for part, term in parts)

    def between(self, head: a.Term, relation: a.Variable, tail: a.Term, step: int) -> base.Patterns:
        """Any relation; without plain triples a filter on the tail excludes attributes."""
        patterns = Facts.between(self, head, relation, tail, step)
        if self.plain:
            return patterns
        is_node = a.Call("!", (a.Call("isLiteral", (tail,)),))
        return (*patterns, a.Filter(is_node, (step,)))
