"""The layouts of plain RDF as SPARQL patterns to read facts and qualifiers by.

`direct` has facts alone. In `reification`, `rdf12`, `rdf_star`, `singleton` and `graph_per_fact` a fact also
has a node, which carries its qualifiers; `compilers.layouts` defines these nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Template

from compilers.layouts.vocabulary import RDF
from nlq_gateway.index.manifest import Layout
from nlq_gateway.index.traits import Traits

_TRIPLE = "$s $p $o ."
_STATEMENT = f"?node <{RDF}subject> $s ; <{RDF}predicate> $p ; <{RDF}object> $o ."


@dataclass(frozen=True, slots=True)
class FactPatterns:
    """Patterns over $s, $p and $o.

    `fact` states a fact. `qualifier` states a qualifier $p with the value $o on the node $s of a fact whose
    predicate is ?r; empty where facts have no node. `outside` keeps the nodes of facts out of $s.
    `fact_class` is the class of these nodes, if the graph gives them one.
    """

    fact: str = _TRIPLE
    qualifier: str = ""
    outside: str = ""
    fact_class: str = ""

    def facts(self, s: str = "?s", p: str = "?p", o: str = "?o") -> str:
        """The pattern of a fact with these terms."""
        return Template(self.fact).substitute(s=s, p=p, o=o)

    def facts_of_things(self, p: str = "?p") -> str:
        """The pattern of a fact of ?s with the value ?o, without ?s that are nodes of facts."""
        return f"{self.facts(p=p)} {self.not_a_node('?s')}".rstrip()

    def qualifiers(self, p: str = "?p") -> str:
        """The pattern of a qualifier of the node ?s with the value ?o."""
        return Template(self.qualifier).substitute(s="?s", p=p, o="?o")

    def not_a_node(self, variable: str) -> str:
        """A filter on a variable that may be a fact's node."""
        return Template(self.outside).substitute(s=variable)


PLAIN = FactPatterns()


def form_of(layout: Layout, traits: Traits) -> FactPatterns:
    """The form of a layout of plain RDF; KeyError for another layout."""
    own = traits.fact_class
    typed = f" $s <{RDF}type> <{own}> ." if own else ""
    forms = {
        "direct": PLAIN,
        "reification": FactPatterns(
            _TRIPLE if traits.plain_triples else _STATEMENT,
            f"$s <{RDF}predicate> ?r . {_TRIPLE}",
            f"FILTER NOT EXISTS {{ $s <{RDF}predicate> ?stated }}",
            own,
        ),
        "rdf12": FactPatterns(
            _TRIPLE,
            f"$s <{RDF}reifies> <<( ?head ?r ?tail )>> . {_TRIPLE}",
            f"FILTER NOT EXISTS {{ $s <{RDF}reifies> ?stated }}",
            own,
        ),
        # A quoted triple is a subject itself, or SPARQL 1.2 has a node in its place.
        "rdf_star": FactPatterns(
            _TRIPLE,
            "<< ?head ?r ?tail >> $p $o .",
            f"FILTER(isIRI($s) || isBlank($s)) FILTER NOT EXISTS {{ $s <{RDF}reifies> ?stated }}",
            own,
        ),
        "singleton": FactPatterns(
            f"$s ?node $o . ?node <{RDF}singletonPropertyOf> $p .",
            f"$s <{RDF}singletonPropertyOf> ?r . {_TRIPLE}",
            f"FILTER NOT EXISTS {{ $s <{RDF}singletonPropertyOf> ?stated }}",
            own,
        ),
        "graph_per_fact": FactPatterns(
            f"GRAPH ?node {{ {_TRIPLE} }}{typed.replace('$s', '?node')}",
            f"GRAPH $s {{ ?head ?r ?tail }}{typed} {_TRIPLE}",
            "FILTER NOT EXISTS { GRAPH $s { ?head ?stated ?tail } }",
            own,
        ),
    }
    return forms[layout]
