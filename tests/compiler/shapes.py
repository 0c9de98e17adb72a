"""Every way that the tests write a graph: what it can hold, how it is written, and how it is compiled for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyoxigraph as ox

from compilers.grounded import GroundedProgram
from compilers.kopl.program import Program
from compilers.layouts import Options
from tests.compiler import rdf, rdf_reified, rdf_wikidata
from tests.oracle.graph import Graph

_DEFAULT = Options()


@dataclass(frozen=True, slots=True)
class Shape:
    """A layout with the options of its store.

    `prepare` makes a graph one that the layout can state, `write` writes such a graph, `bind` binds the
    names of a program to what is in it, and `iris` tells the IRIs of its entities and concepts.
    """

    layout: str
    prepare: Callable[[Graph], Graph]
    write: Callable[[Graph], ox.Store]
    options: Options = _DEFAULT
    bind: Callable[[Program, Graph], GroundedProgram] = rdf.bound
    iris: Callable[[Graph], Callable[[str], str]] = lambda _: rdf.iri


_FOR = rdf_reified.for_reified
_FACT_CLASS = Options(fact_class=rdf_reified.FACT_CLASS)
_STATEMENTS_ALONE = Options(plain_triples=False)
SHAPES = {
    "reification": Shape("reification", _FOR, rdf_reified.as_reification),
    "statements alone": Shape("reification", _FOR, rdf_reified.as_statements_alone, _STATEMENTS_ALONE),
    "rdf12": Shape("rdf12", _FOR, rdf_reified.as_rdf12),
    "rdf_star": Shape("rdf_star", rdf_reified.for_rdf_star, rdf_reified.as_rdf_star),
    "singleton": Shape("singleton", _FOR, rdf_reified.as_singleton),
    "graph_per_fact": Shape("graph_per_fact", _FOR, rdf_reified.as_graph_per_fact),
    "graphs of a class": Shape(
        "graph_per_fact", _FOR, rdf_reified.as_graph_per_fact_among_others, _FACT_CLASS
    ),
    "kqapro": Shape("kqapro", rdf.for_kqapro, rdf.as_kqapro, Options(plain_labels=True)),
    "direct": Shape("direct", rdf.for_direct, rdf.as_direct),
    "wikidata": Shape(
        "wikidata",
        lambda graph: graph,
        rdf_wikidata.as_wikidata,
        _DEFAULT,
        rdf_wikidata.bound,
        rdf_wikidata.iri_of,
    ),
}
