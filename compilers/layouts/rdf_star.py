"""RDF-star as the community group has it: qualifiers hang on the quoted triple itself.

`s p o . << s p o >> q v`. A triple is one fact, however often it is stated. Jena 4 and 5 and GraphDB read it
so; Oxigraph 0.5 and Jena 6 read the same text by SPARQL 1.2, as a reifier of the triple; Virtuoso 7 takes it
for a syntax error. Source: https://www.w3.org/2021/12/rdf-star.html.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compilers import algebra as a
from compilers.layouts import base
from compilers.layouts.facts import Facts


@dataclass(frozen=True, slots=True)
class RdfStar(Facts):
    """The layout's operations for one query; `quoted` are the facts stated so far, by their variables.

    A quoted triple is written at every mention of its fact, because stores join it by their indexes but not
    through a BIND.
    """

    name: str = "rdf_star"
    quoted: dict[a.Variable, a.QuotedTriple] = field(default_factory=dict)

    def fact(
        self,
        node: a.Variable,
        head: a.Term,
        predicate: a.Variable | a.Iri,
        tail: a.Term,
        step: int,  # noqa: ARG002
    ) -> base.Patterns:
        """The triple alone, remembered for its qualifiers."""
        self.quoted[node] = a.QuotedTriple(head, predicate, tail)
        return ()

    def node(self, fact: a.Variable) -> a.Node:
        """The quoted triple; its relation or attribute must have been stated before."""
        return self.quoted[fact]
