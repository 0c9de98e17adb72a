"""RDF 1.2: a node reifies a triple term, and qualifiers hang on the node.

`s p o . r rdf:reifies <<( s p o )>> ; q v`. Oxigraph 0.5 and Jena 6 read it; Jena 4 and 5 and Virtuoso 7
take it for a syntax error. The triple is stated too: RDF 1.2 asserts nothing by a reifier. Joined first, it
also keeps Oxigraph 0.5.13 from failing at a triple term with a literal as its subject.
Source: https://www.w3.org/TR/rdf12-concepts/.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from compilers import algebra as a
from compilers.layouts import base
from compilers.layouts.direct import SUBCLASS_OF, TYPE
from compilers.layouts.facts import Facts
from compilers.layouts.vocabulary import RDF

REIFIES = a.Iri(RDF + "reifies")


@dataclass(frozen=True, slots=True)
class Rdf12(Facts):
    """The layout's operations for one query."""

    schema_predicates: ClassVar[tuple[a.Iri, ...]] = (TYPE, SUBCLASS_OF, REIFIES)

    name: str = "rdf12"

    def fact(
        self, node: a.Variable, head: a.Term, predicate: a.Variable | a.Iri, tail: a.Term, step: int
    ) -> base.Patterns:
        """The node reifies the triple term."""
        return (a.Triple(node, REIFIES, a.TripleTerm(head, predicate, tail), (step,)),)
