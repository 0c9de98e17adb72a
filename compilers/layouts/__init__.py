"""How a graph states facts: one file per layout, all with the same operations."""

from __future__ import annotations

from collections.abc import Callable

from compilers.layouts.base import Layout, Names, Options
from compilers.layouts.direct import Direct
from compilers.layouts.graph_per_fact import GraphPerFact
from compilers.layouts.kqapro import KqaPro
from compilers.layouts.rdf12 import Rdf12
from compilers.layouts.rdf_star import RdfStar
from compilers.layouts.reification import Reification
from compilers.layouts.singleton import Singleton
from compilers.layouts.wikidata import Wikidata

__all__ = ["LAYOUTS", "Layout", "Names", "Options"]

LAYOUTS: dict[str, Callable[[Options, Names], Layout]] = {
    "direct": Direct,
    "kqapro": KqaPro,
    "reification": Reification,
    "rdf12": Rdf12,
    "rdf_star": RdfStar,
    "singleton": Singleton,
    "graph_per_fact": GraphPerFact,
    "wikidata": Wikidata,
}
