"""The options of the compiler for one endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compilers.dialects import DIALECTS, Dialect
from compilers.layouts.vocabulary import RDF, RDFS


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the compiler for one endpoint.

    `languages` orders the labels wanted; `plain_labels`: the graph's labels have no language tags.
    `label_predicates` empty means the layout's own; `naming` has the one of them that alone names the
    members of a class, the subjects of a predicate, or (after `^`) its objects. `base` completes bare names
    where the layout has a naming rule. `hierarchy` is the predicate that links a concept to the one above
    it, `membership` (of a Wikibase; Wikidata's own unless it is a property) the one from an entity to its
    concept. `best_rank` wants only the statements of the best rank, where a graph ranks them.
    `unit_language` is the language in which programs and bindings name units that have labels.
    `plain_triples`: facts are triples too, beside their `rdf:Statement`. `fact_class` is the class of the
    facts' nodes, where the graph has one of its own. `number_texts` and `date_texts` are the predicates whose
    numbers and dates the graph states as texts: layouts of plain RDF cast them. `moments` are those whose
    dates have a time of day, by which these layouts order. `owners` adds the owner of a blank node, which is
    all that names it. `stepwise` states one step of a relation of any depth in place of all: the caller
    continues from there.
    """

    dialect: Dialect = DIALECTS["sparql11"]
    languages: tuple[str, ...] = ("en",)
    plain_labels: bool = False
    label_predicates: tuple[str, ...] = ()
    naming: Mapping[str, str] = field(default_factory=dict, hash=False)
    prefixes: tuple[tuple[str, str], ...] = ()
    base: str = "http://kqapro.example/"
    hierarchy: str = RDFS + "subClassOf"
    plain_triples: bool = True
    fact_class: str = ""
    number_texts: frozenset[str] = frozenset()
    date_texts: frozenset[str] = frozenset()
    moments: frozenset[str] = frozenset()
    membership: str = RDF + "type"
    best_rank: bool = False
    unit_language: str = "en"
    limit: int = 10_000
    owners: bool = False
    stepwise: bool = False
