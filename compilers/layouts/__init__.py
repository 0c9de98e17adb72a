"""The layouts of graphs' facts: one file per layout, all with the same operations."""

from __future__ import annotations

from collections.abc import Callable

from compilers.layouts import wikibase
from compilers.layouts.base import Layout
from compilers.layouts.direct import TYPE, Direct
from compilers.layouts.graph_per_fact import GraphPerFact
from compilers.layouts.kqapro import INSTANCE_OF, KqaPro
from compilers.layouts.options import Options
from compilers.layouts.rdf12 import Rdf12
from compilers.layouts.rdf_star import RdfStar
from compilers.layouts.reification import Reification
from compilers.layouts.singleton import Singleton
from compilers.layouts.wikidata import Wikidata
from compilers.naming import VariableNames

__all__ = ["LAYOUTS", "Layout", "Options", "class_predicate", "predicate_of"]

LAYOUTS: dict[str, Callable[[Options, VariableNames], Layout]] = {
    "direct": Direct,
    "kqapro": KqaPro,
    "reification": Reification,
    "rdf12": Rdf12,
    "rdf_star": RdfStar,
    "singleton": Singleton,
    "graph_per_fact": GraphPerFact,
    "wikidata": Wikidata,
}

_CLASS_PREDICATES = {"kqapro": INSTANCE_OF, "wikidata": wikibase.INSTANCE_OF.direct}


def class_predicate(layout: str) -> str:
    """The predicate that leads from an entity to its class in graphs of a layout."""
    return _CLASS_PREDICATES.get(layout, TYPE).value


def predicate_of(layout: str, iri: str) -> str:
    """The predicate of a relation or attribute in a triple; the IRI itself in most layouts."""
    known = wikibase.property_of(iri) if layout == "wikidata" else None
    return known.direct.value if known else iri
