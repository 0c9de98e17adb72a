"""A named graph for each fact: the graph holds the triple, and the graph's name carries the qualifiers.

`GRAPH g { s p o } g q v`, with qualifiers, classes and labels in the default graph. Any store can state it.
On Virtuoso 7 `GRAPH ?g` ranges over all graphs of the server where the dataset names none: facts without
qualifiers are then separated from others only by `Options.fact_class`, the class of the graphs' names.
Source: https://www.w3.org/TR/rdf11-concepts/#section-dataset.
"""

from __future__ import annotations

from dataclasses import dataclass

from compilers import algebra as a
from compilers.layouts import base
from compilers.layouts.direct import TYPE
from compilers.layouts.facts import Facts


@dataclass(frozen=True, slots=True)
class GraphPerFact(Facts):
    """The layout's operations for one query."""

    name: str = "graph_per_fact"

    @property
    def plain(self) -> bool:
        """False: the default graph does not hold the facts."""
        return False

    def fact(
        self, node: a.Variable, head: a.Term, predicate: a.Variable | a.Iri, tail: a.Term, step: int
    ) -> base.Patterns:
        """The triple in the fact's graph, and the graph's class where there is one."""
        graph = a.NamedGraph(node, (a.Triple(head, predicate, tail, (step,)),), (step,))
        if not self.options.fact_class:
            return (graph,)
        return (graph, a.Triple(node, TYPE, a.Iri(self.options.fact_class), (step,)))
