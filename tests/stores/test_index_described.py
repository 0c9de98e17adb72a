"""Every store gives the same index of a graph that describes itself, by the same plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest

from benchmarks.stores import Server, triples_of_files
from connectors.base import RawResponse
from connectors.errors import EndpointTimeout
from connectors.http import HttpEndpoint
from connectors.oxigraph import EmbeddedOxigraph
from connectors.results import Result
from nlq_gateway.index import (
    BuildLimits,
    BuildOptions,
    Index,
    build,
    detect_layout,
    label_coverage,
    make_plan,
)
from nlq_gateway.index.manifest import LabelPreferences
from tests.index.described import GRAPH, shown
from tests.stores.loading import holding

# Virtuoso shows the graphs of other tests as named graphs.
ALONE = BuildLimits(graphs=())


@pytest.fixture(scope="module")
def here() -> EmbeddedOxigraph:
    return EmbeddedOxigraph.in_memory([GRAPH])


@pytest.fixture(scope="module")
def there(server: Server) -> HttpEndpoint:
    return server.holding(triples_of_files([GRAPH]))


def test_the_plan_is_that_of_the_embedded_store(there: HttpEndpoint, here: EmbeddedOxigraph) -> None:
    plan, expected = (make_plan(one, "direct", ALONE) for one in (there, here))
    assert (plan.classes, plan.predicates) == (expected.classes, expected.predicates)
    assert (plan.vocabularies, plan.void, plan.labels) == (
        expected.vocabularies,
        expected.void,
        expected.labels,
    )
    assert [(one.name, one.queries, one.pages, one.sampled) for one in plan.stages] == [
        (one.name, one.queries, one.pages, one.sampled) for one in expected.stages
    ]
    assert (plan.graphs, plan.warnings) == ((), ())


def test_the_index_is_that_of_the_embedded_store(
    there: HttpEndpoint, here: EmbeddedOxigraph, tmp_path: Path
) -> None:
    indexes = []
    for name, connector in (("there", there), ("here", here)):
        build(connector, "direct", tmp_path / name, BuildOptions(limits=ALONE))
        indexes.append(Index.open(tmp_path / name, None))
    found, expected = indexes
    assert shown(found) == shown(expected)
    assert found.manifest.counts == expected.manifest.counts
    assert (found.manifest.warnings, found.manifest.sampled) == (expected.manifest.warnings, {})
    labels = LabelPreferences().predicates
    assert label_coverage(there, labels) == label_coverage(here, labels)


class Impatient:
    """A real store that gives up on whole counts, as a large one does: the samples are its own."""

    def __init__(self, store: HttpEndpoint) -> None:
        self.store, self.address, self.dialect = store, store.address, store.dialect

    def query(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        if "COUNT" in text and "LIMIT" not in text.partition(" GROUP BY ")[0]:
            raise EndpointTimeout("no answer in time", endpoint=self.address)
        return self.store.query(text, timeout_ms=timeout_ms, max_rows=max_rows)

    def raw(self, text: str, accept: str, *, timeout_ms: int | None = None) -> RawResponse:
        raise NotImplementedError

    def close(self) -> None:
        """Do nothing: it holds no resources."""


def test_samples_show_what_whole_counts_do(
    there: HttpEndpoint, here: EmbeddedOxigraph, tmp_path: Path
) -> None:
    """The graph is small, so that a sample of each predicate has all of its facts."""
    build(
        Impatient(there),
        "direct",
        tmp_path / "there",
        BuildOptions(limits=replace(ALONE, sample_facts=1_000)),
    )
    build(here, "direct", tmp_path / "here", BuildOptions(limits=ALONE))
    found, expected = (Index.open(tmp_path / name, None) for name in ("there", "here"))
    assert shown(found) == shown(expected)
    assert "1000 facts of each predicate" in found.manifest.sampled["relation counts"]


def test_the_evidence_is_that_of_the_embedded_store(there: HttpEndpoint, here: EmbeddedOxigraph) -> None:
    found, expected = detect_layout(there, ()), detect_layout(here, ())
    assert (found.layout, found.by_graph, found.warnings) == ("direct", {}, ())
    assert [one.sign for one in found.evidence] == [one.sign for one in expected.evidence]
    untold = [one.layout for one in found.evidence if one.found is None]
    assert untold == (["rdf_star"] if there.dialect == "virtuoso" else [])


def test_named_graphs_in_another_layout_are_found(server: Server) -> None:
    text = """
        @prefix : <http://m.example/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        :s a rdf:Statement ; rdf:subject :a ; rdf:predicate :knows ; rdf:object :b .
        :g1 { :a :x1 :b . :x1 rdf:singletonPropertyOf :knows } :g2 { :a :knows :b , :c }
    """
    store = ox.Store()
    store.load(text.encode(), format=ox.RdfFormat.TRIG)
    found = detect_layout(holding(server, store))
    assert found.layout == "reification"
    assert list(found.by_graph.values()) == ["singleton"]
    assert "is in the layout singleton" in found.warnings[0]
