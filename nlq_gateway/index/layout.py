"""The layout of a graph, from its contents, with the evidence for it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from compilers.layouts.vocabulary import PRED, RDF, WIKIBASE
from connectors.base import Connector
from connectors.errors import EndpointError, EndpointTimeout
from connectors.results import Result, Term
from nlq_gateway.index.introspect.pages import NOT_TOLD, WRITABLE, values_block
from nlq_gateway.index.manifest import Layout

MOST_GRAPHS = 20

_TIMEOUT_MS = 10_000
_SIZES_MS = 2_000
_SAMPLE = 1_000
_COUNTED = 10_000
_LOOKED_AT = 3


@dataclass(frozen=True, slots=True)
class _Sign:
    """A pattern that only graphs of a layout have; its first variable is the sign's node."""

    layout: Layout
    words: str
    pattern: str


# In order: the first sign in the graph decides. Some stores cannot query the quoted triples of RDF-star; one
# that answers by SPARQL 1.2 holds them as RDF 1.2 does.
_SIGNS = (
    _Sign("kqapro", "nodes of facts with pred:fact_h", f"?node <{PRED}fact_h> ?o"),
    _Sign("kqapro", "members of concepts by pred:instance_of", f"?node <{PRED}instance_of> ?o"),
    _Sign("wikidata", "properties of a Wikibase", f"?node <{WIKIBASE}statementProperty> ?leads"),
    _Sign("rdf12", "nodes that reify triple terms", f"?node <{RDF}reifies> ?triple"),
    _Sign(
        "reification",
        "RDF statements",
        f"?node <{RDF}subject> ?s ; <{RDF}predicate> ?p ; <{RDF}object> ?o",
    ),
    _Sign("singleton", "singleton properties", f"?node <{RDF}singletonPropertyOf> ?p"),
)
# Asked only if the graph shows no other sign: some stores read the whole graph to find no quoted triple.
_QUOTED = _Sign("rdf_star", "quoted triples as subjects", "<< ?s ?p ?o >> ?node ?v")
_FACT_GRAPHS = "named graphs of one triple each that something is said about"
_FIRST_GRAPHS = f"SELECT ?g WHERE {{ GRAPH ?g {{ ?s ?p ?o }} }} LIMIT {_SAMPLE}"


@dataclass(frozen=True, slots=True)
class LayoutEvidence:
    """The result of looking for one sign of a layout.

    `found` is None if the store did not answer, for the reason `why`. `sample` is the first node with the
    sign, `count` their number, at most 10,000; `ms` are milliseconds.
    """

    layout: Layout
    sign: str
    query: str
    found: bool | None
    sample: str = ""
    count: int = 0
    ms: float = 0.0
    why: str = ""

    @property
    def words(self) -> str:
        """The result in words."""
        if self.found is None:
            return f"not told: {self.why}"
        if not self.found:
            return "none"
        number = f"{self.count:,}{' or more' if self.count >= _COUNTED else ''}"
        return f"{number}, such as {self.sample}" if self.sample else number


@dataclass(frozen=True, slots=True)
class LayoutFinding:
    """The layout of a graph, and the reasons for it.

    `by_graph` has the named graphs in another layout than the whole; empty if there are none. `warnings` name
    facts that the index and the queries miss, or signs without an answer.
    """

    layout: Layout
    evidence: tuple[LayoutEvidence, ...]
    by_graph: Mapping[str, Layout] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def detect_layout(connector: Connector, graphs: Sequence[str] | None = None) -> LayoutFinding:
    """The layout whose sign the graph shows, else `direct`: about ten small queries, more for named graphs.

    A sign that the store refuses to look for, or needs too long for, gets a warning instead of counting as
    absent. `graphs` are the named graphs that belong to the endpoint; None stands for all that the store
    shows. At most 20 are checked: the largest if the store counts them at once, else the first.

    Raises:
        EndpointError: the store is down.
    """
    evidence = [_look(connector, sign) for sign in _SIGNS]
    if not any(one.found for one in evidence):
        evidence.append(_look(connector, _QUOTED))
    if not any(one.found for one in evidence):
        looked = partial(_graphs_of_facts, connector)
        evidence.append(_evidence("graph_per_fact", _FACT_GRAPHS, _FIRST_GRAPHS, looked))
    layout: Layout = next((one.layout for one in evidence if one.found), "direct")
    by_graph = {} if layout == "graph_per_fact" else _by_graph(connector, graphs, layout)
    warnings = (*_untold(evidence), *_mixed(evidence, layout), *_hidden(by_graph, layout))
    return LayoutFinding(layout, tuple(evidence), by_graph, warnings)


def _look(connector: Connector, sign: _Sign) -> LayoutEvidence:
    query = f"SELECT ?node WHERE {{ {sign.pattern} }} LIMIT 1"

    def looked() -> tuple[str, int]:
        first = connector.query(query, timeout_ms=_TIMEOUT_MS)
        return next(map(_shown, first.column("node")), ""), _count(connector, sign) if first.rows else 0

    return _evidence(sign.layout, sign.words, query, looked)


def _evidence(layout: Layout, words: str, query: str, look: Callable[[], tuple[str, int]]) -> LayoutEvidence:
    """The evidence by a look for a sign, which gives a sample of it and its number."""
    started = time.perf_counter()
    try:
        sample, count = look()
    except NOT_TOLD as error:
        return LayoutEvidence(layout, words, query, None, ms=_since(started), why=_why(error))
    return LayoutEvidence(layout, words, query, count > 0, sample, count, _since(started))


def _count(connector: Connector, sign: _Sign) -> int:
    """The number of nodes with the sign, up to a few thousand: a store counts those without a scan."""
    some = f"{{ SELECT ?node WHERE {{ {sign.pattern} }} LIMIT {_COUNTED} }}"
    try:
        result = connector.query(f"SELECT (COUNT(*) AS ?n) WHERE {{ {some} }}", timeout_ms=_TIMEOUT_MS)
    except NOT_TOLD:
        return 1
    return int(float(result.rows[0][0].value)) if result.rows and result.rows[0][0] else 1


def _graphs_of_facts(connector: Connector) -> tuple[str, int]:
    """One of the named graphs that hold one triple each and are described by others, and their number."""
    rows = _iris(connector.query(_FIRST_GRAPHS, timeout_ms=_TIMEOUT_MS))
    once = [graph for graph, times in Counter(rows).items() if times == 1]
    if not once:
        return "", 0
    described = f"{values_block('g', once)} ?g ?q ?v"
    text = f"SELECT DISTINCT ?g WHERE {{ {described} }} LIMIT {_LOOKED_AT}"
    some = _iris(connector.query(text, timeout_ms=_TIMEOUT_MS))
    is_sign = bool(some) and all(_holds_one_triple(connector, graph) for graph in some)
    return (some[0], len(some)) if is_sign else ("", 0)


def _holds_one_triple(connector: Connector, graph: str) -> bool:
    inside = f"GRAPH <{graph}> {{ ?s ?p ?o }}"
    return len(connector.query(f"SELECT ?s WHERE {{ {inside} }} LIMIT 2", timeout_ms=_TIMEOUT_MS).rows) == 1


def _by_graph(connector: Connector, graphs: Sequence[str] | None, layout: Layout) -> dict[str, Layout]:
    """The named graphs in another layout than the whole; those without a sign are plain triples."""
    try:
        looked_at = _named_graphs(connector) if graphs is None else list(graphs)[:MOST_GRAPHS]
        if not looked_at:
            return {}
        found: dict[str, Layout] = {}
        for sign in _SIGNS:
            shown = f"FILTER EXISTS {{ GRAPH ?g {{ {sign.pattern} }} }}"
            text = f"SELECT ?g WHERE {{ {values_block('g', looked_at)} {shown} }}"
            for graph in _iris(connector.query(text, timeout_ms=_TIMEOUT_MS)):
                found.setdefault(graph, sign.layout)
    except NOT_TOLD:
        return {}
    return {graph: found[graph] for graph in looked_at if graph in found and found[graph] != layout}


def _named_graphs(connector: Connector) -> list[str]:
    """The named graphs, at most 20: the largest of more if the store counts them at once."""
    first = list(dict.fromkeys(_iris(connector.query(_FIRST_GRAPHS, timeout_ms=_TIMEOUT_MS))))
    if not first:
        return []
    inside = "GRAPH ?g { ?s ?p ?o }"
    try:
        text = f"SELECT DISTINCT ?g WHERE {{ {inside} }} LIMIT {MOST_GRAPHS + 1}"
        some = _iris(connector.query(text, timeout_ms=_SIZES_MS))
        if len(some) <= MOST_GRAPHS:
            return some
        text = f"SELECT ?g (COUNT(*) AS ?n) WHERE {{ {inside} }} GROUP BY ?g ORDER BY DESC(?n)"
        return _iris(connector.query(f"{text} LIMIT {MOST_GRAPHS}", timeout_ms=_SIZES_MS))
    except NOT_TOLD:
        return first[:MOST_GRAPHS]


def _untold(evidence: Iterable[LayoutEvidence]) -> Iterator[str]:
    """Warnings for signs without an answer; stores without RDF-star reject the pattern of quoted triples."""
    for one in evidence:
        if one.found is None and not (one.layout == "rdf_star" and one.why.startswith("refused")):
            yield (
                f"the store gave no answer about {one.sign} ({one.why}): "
                f"if the graph has some, set `layout: {one.layout}`"
            )


def _mixed(evidence: Iterable[LayoutEvidence], layout: Layout) -> Iterator[str]:
    others = {one.layout: one for one in evidence if one.found and one.layout != layout}
    for one in others.values():
        yield (
            f"the graph has {one.sign} too ({one.words}): it is read as {layout}, without the facts in the "
            f"layout {one.layout}; an endpoint of its own with `layout: {one.layout}` reads those"
        )


def _hidden(by_graph: Mapping[str, Layout], layout: Layout) -> Iterator[str]:
    for graph, other in by_graph.items():
        yield (
            f"the named graph {graph} is in the layout {other}: it is read as {layout}; an endpoint of its "
            f"own with that graph among `default_graphs` and `layout: {other}` reads it"
        )


def _iris(result: Result) -> list[str]:
    found = result.column("g")
    return [term.value for term in found if term.kind == "iri" and WRITABLE.fullmatch(term.value)]


def _shown(term: Term) -> str:
    return f"<{term.value}>" if term.kind == "iri" else term.kind + " node"


def _why(error: EndpointError) -> str:
    words = "no answer in time" if isinstance(error, EndpointTimeout) else "refused"
    return f"{words}: {error.message}"


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1_000, 1)
