"""IRIs of the vocabularies that graphs use."""

from __future__ import annotations

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SHACL = "http://www.w3.org/ns/shacl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SCHEMA = "http://schema.org/"
VOID = "http://rdfs.org/ns/void#"
WIKIBASE = "http://wikiba.se/ontology#"
WIKIDATA = "http://www.wikidata.org/"
PRED = "pred:"
# No store holds it: it stands for an empty set, which VALUES cannot state on Virtuoso.
NOTHING = "urn:nlq:nothing"

WELL_KNOWN_PREFIXES = {
    "rdf": RDF,
    "rdfs": RDFS,
    "owl": OWL,
    "xsd": XSD,
    "skos": SKOS,
    "schema": SCHEMA,
    "foaf": "http://xmlns.com/foaf/0.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "dbo": "http://dbpedia.org/ontology/",
    "dbr": "http://dbpedia.org/resource/",
    "wd": WIKIDATA + "entity/",
    "wdt": WIKIDATA + "prop/direct/",
    "p": WIKIDATA + "prop/",
    "ps": WIKIDATA + "prop/statement/",
    "psv": WIKIDATA + "prop/statement/value/",
    "pq": WIKIDATA + "prop/qualifier/",
    "pqv": WIKIDATA + "prop/qualifier/value/",
    "wikibase": WIKIBASE,
    "pred": PRED,
}
