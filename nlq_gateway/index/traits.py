"""Properties of a graph beyond its layout's name: looked up once, in a few small queries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from compilers.layouts.vocabulary import PRED, RDF, RDFS, WIKIBASE, WIKIDATA
from compilers.layouts.wikibase import property_of
from connectors.base import Connector
from nlq_gateway.index.manifest import Layout

_SAMPLE = 1_000
_MEMBER = f"<{PRED}instance_of>"
_CONCEPTS_ARE_MEMBERS = f"ASK {{ ?entity {_MEMBER} ?concept . ?concept {_MEMBER} ?above }}"
_STATEMENT = f"?node <{RDF}subject> ?s ; <{RDF}predicate> ?p ; <{RDF}object> ?o ."
_STATEMENTS = f"ASK {{ {_STATEMENT} }}"
_PLAIN_TOO = f"ASK {{ {{ SELECT ?s ?p ?o WHERE {{ {_STATEMENT} }} LIMIT {_SAMPLE} }} ?s ?p ?o }}"

# The nodes of facts. Other named graphs may be many more, so that those without a class are skipped.
_NODES = {
    "reification": f"?node <{RDF}predicate> ?p",
    "rdf12": f"?node <{RDF}reifies> ?triple",
    "rdf_star": f"?node <{RDF}reifies> ?triple",
    "singleton": f"?node <{RDF}singletonPropertyOf> ?p",
    "graph_per_fact": f"?node <{RDF}type> ?any . GRAPH ?node {{ ?s ?p ?o }}",
}
_DESCRIBED = "?node ?q ?v . GRAPH ?node { ?s ?p ?o }"
# The usual names of a Wikibase's own properties, if they are not Wikidata's.
_INSTANCE_OF, _SUBCLASS_OF = ("P31", "instance of"), ("P279", "subclass of")


@dataclass(frozen=True, slots=True)
class Traits:
    """The compiler's options of the same names, as far as the graph itself shows them."""

    plain_triples: bool = True
    fact_class: str = ""
    membership: str = RDF + "type"
    hierarchy: str = RDFS + "subClassOf"


def find_traits(connector: Connector, layout: Layout) -> Traits:
    """The traits of a graph in this layout; raises EndpointError."""
    if layout == "kqapro":
        members = connector.query(_CONCEPTS_ARE_MEMBERS).boolean
        return Traits(hierarchy=PRED + "instance_of") if members else Traits()
    if layout == "wikidata":
        return Traits(
            membership=_wikibase(connector, *_INSTANCE_OF), hierarchy=_wikibase(connector, *_SUBCLASS_OF)
        )
    if layout not in _NODES:
        return Traits()
    return Traits(_plain_triples(connector, layout), _fact_class(connector, layout))


def _plain_triples(connector: Connector, layout: Layout) -> bool:
    """True if some of the first statements are triples too, or there are no statements."""
    if layout != "reification" or not connector.query(_STATEMENTS).boolean:
        return True
    return bool(connector.query(_PLAIN_TOO).boolean)


def _fact_class(connector: Connector, layout: Layout) -> str:
    """The commonest class of the first facts' nodes that is none of RDF's own.

    Where it separates the facts' graphs from others, every described graph must have it.
    """
    own = f"?node <{RDF}type> ?class FILTER(isIRI(?class) && !STRSTARTS(STR(?class), '{RDF}'))"
    text = f"SELECT ?class WHERE {{ {_first(_NODES[layout])} {own} }} LIMIT {_SAMPLE}"
    classes = Counter(term.value for term in connector.query(text).column("class"))
    found = min(classes, key=lambda iri: (-classes[iri], iri), default="")
    if found and layout == "graph_per_fact":
        lacks = f"FILTER NOT EXISTS {{ ?node <{RDF}type> <{found}> }}"
        return "" if connector.query(f"ASK {{ {_first(_DESCRIBED)} {lacks} }}").boolean else found
    return found


def _first(nodes: str) -> str:
    return f"{{ SELECT DISTINCT ?node WHERE {{ {nodes} }} LIMIT {_SAMPLE} }}"


def _wikibase(connector: Connector, number: str, label: str) -> str:
    """Wikidata's property if the graph uses it, else the one with this label."""
    known = f"{WIKIDATA}prop/direct/{number}"
    if connector.query(f"ASK {{ ?s <{known}> ?o }}").boolean:
        return known
    labelled = f"VALUES ?label {{ '{label}'@en '{label}' }} ?p <{RDFS}label> ?label"
    text = f"SELECT ?direct WHERE {{ {labelled} ; <{WIKIBASE}directClaim> ?direct }} LIMIT 10"
    found = sorted(term.value for term in connector.query(text).column("direct"))
    return next((iri for iri in found if property_of(iri)), known)
