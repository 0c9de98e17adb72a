"""The content of the store: its graphs, their layout, and the predicates of names."""

from __future__ import annotations

from collections.abc import Iterator

from nlq_gateway.index import find_label_predicates, label_coverage, told_naming
from nlq_gateway.index.names import NamePredicates, find_text_index
from nlq_gateway.index.planning import PLAIN
from nlq_gateway.index.text import local_name
from nlq_gateway.offline.doctor.finding import Found
from nlq_gateway.offline.doctor.patient import Patient

_SHOWN = 5
_SOME = "ASK { ?s ?p ?o }"
_NAMED = f"SELECT DISTINCT ?graph {{ GRAPH ?graph {{ ?s ?p ?o }} }} LIMIT {_SHOWN}"
_ENOUGH = 0.9
_NO_LABELS = "name the predicates of labels in `labels.predicates`; without, names are made from IRIs"


def graphs(patient: Patient) -> Iterator[Found]:
    """The configured graphs hold triples, and the visible part of the store is not empty."""
    settings = patient.settings
    for graph in (*settings.default_graphs, *settings.named_graphs):
        alone = settings.model_copy(update={"default_graphs": (graph,), "named_graphs": ()})
        if not patient.connect(alone).query(_SOME).boolean:
            yield Found("warning", f"the graph {graph} is empty, or not there", "correct its IRI")
    if patient.connector.query(_SOME).boolean:
        yield Found("ok", "the store has triples")
        return
    named = [term.value for term in patient.connector.query(_NAMED).column("graph")]
    message = "the default graph is empty" + (", all triples are in named graphs" if named else "")
    remedy = "name them under default_graphs" if named else "load data, or check which dataset the URL is of"
    yield Found("error", message, remedy, tuple(named))


def layout(patient: Patient) -> Iterator[Found]:
    """The layout, its evidence, and the named graphs with another layout."""
    finding = patient.source.finding
    if finding is None:
        yield Found("ok", f"{patient.source.layout}, as configured")
        return
    evidence = tuple(f"{one.sign}: {one.words}" for one in finding.evidence if one.found is not False)
    others = tuple(f"<{graph}>: {name}" for graph, name in finding.by_graph.items())
    yield Found("ok", finding.layout, evidence=(*evidence, *others))
    for warning in finding.warnings:
        yield Found("warning", warning, "set `layout` to the one that questions are about")


def labels(patient: Patient) -> Iterator[Found]:
    """Most members of each of the largest classes have a label, by the configured predicates."""
    source = patient.source
    if source.layout not in PLAIN:
        yield Found("ok", f"the layout {source.layout} has a predicate of its own for labels")
        return
    named = find_label_predicates(source.connector, source.labels)
    if named.naming:
        yield Found("note", told_naming(named.naming))
    predicates = named.predicates or source.labels.predicates
    shares = label_coverage(source.connector, predicates, patient.traits.membership)
    few = {iri: share for iri, share in shares.items() if share < _ENOUGH}
    evidence = tuple(f"{local_name(iri)}: {share:.0%}" for iri, share in few.items())
    if not shares:
        yield Found("note", "no class has members, so that no share of them can have labels")
    elif few:
        yield Found("warning", f"{len(few)} of {len(shares)} classes lack labels", _NO_LABELS, evidence)
    else:
        yield Found("ok", f"the members of all {len(shares)} classes looked at have labels")


def full_text(patient: Patient) -> Iterator[Found]:
    """The store's full text can look names up, which `index.names: store` needs."""
    source = patient.source
    if not patient.is_remote:
        return
    naming = NamePredicates.of(source.layout, source.labels, patient.traits.membership)
    found = find_text_index(source.connector, naming)
    wanted = patient.settings.index.names == "store"
    if found.full_text is not None and not found.advice:
        yield Found("ok", "the store's full text finds names", evidence=(found.evidence,))
    else:
        yield Found(
            "warning" if wanted else "note",
            "the store's full text does not find names" + ("" if wanted else ", and need not"),
            found.advice,
            (found.evidence,),
        )


def index(patient: Patient) -> Iterator[Found]:
    """There is a schema index; its date, and its gaps."""
    source = patient.source
    current = source.versions.current(source.recipe)
    if current is None:
        yield Found("note", "there is no schema index yet", "`nlq index` builds it; serving does so, too")
        return
    manifest = next(one for one, folder in source.versions.all() if folder.name == current.version)
    counts = ", ".join(f"{number:,} {name}" for name, number in manifest.counts.items())
    yield Found("ok", f"built {manifest.built_at}: {counts}")
    for name, why in manifest.sampled.items():
        yield Found("note", f"incomplete {name}: {why}")
    for warning in manifest.warnings:
        yield Found("note", warning)
