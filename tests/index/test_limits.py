from __future__ import annotations

import re
from pathlib import Path

import pytest

from compilers.kopl.functions import Kind
from connectors.base import RawResponse
from connectors.errors import EndpointTimeout
from connectors.oxigraph import EmbeddedOxigraph
from connectors.results import Result, Term
from nlq_gateway.index import BuildLimits, BuildOptions, Index, MiniLM, build


class Weak:
    """A store that behaves like a large or an odd one: caps rows silently, is too slow, has bad IRIs."""

    address = "weak"
    dialect = "sparql11"

    def __init__(
        self, store: EmbeddedOxigraph, cap: int = 10_000, slow: str = "$^", bad_iri: bool = False
    ) -> None:
        self.store, self.cap, self.slow, self.bad_iri = store, cap, re.compile(slow), bad_iri

    def query(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        if self.slow.search(text):
            raise EndpointTimeout("too slow", endpoint=self.address)
        result = self.store.query(text, timeout_ms=timeout_ms, max_rows=max_rows)
        rows = result.rows[: self.cap]
        if self.bad_iri and rows and len(result.columns) == 3 and "OFFSET 0" in text:
            rows = (*rows, (Term("iri", "http://x.example/> ?o } #"), *rows[0][1:]))
        return Result(result.columns, rows, result.boolean)

    def raw(self, text: str, accept: str, *, timeout_ms: int | None = None) -> RawResponse:
        raise NotImplementedError

    def close(self) -> None:
        """Do nothing: it holds no resources."""


@pytest.fixture(scope="module")
def towns(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedOxigraph:
    """750 towns in a chain."""
    file = tmp_path_factory.mktemp("towns") / "towns.nt"
    place = "<http://t.example/%d>"
    file.write_text(
        "".join(
            f"{place % number} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://t.example/Town> .\n"
            f'{place % number} <http://www.w3.org/2000/01/rdf-schema#label> "town {number}" .\n'
            f"{place % number} <http://t.example/near> {place % (number // 2)} .\n"
            for number in range(750)
        )
    )
    return EmbeddedOxigraph.in_memory([file])


USUAL = BuildLimits()


def built(store: Weak | EmbeddedOxigraph, folder: Path, limits: BuildLimits = USUAL) -> Index:
    build(store, "direct", folder, BuildOptions(limits=limits))
    return Index.open(folder, None)


def test_a_silent_cap_on_rows_loses_nothing(towns: EmbeddedOxigraph, tmp_path: Path) -> None:
    whole = built(towns, tmp_path / "whole")
    capped = built(Weak(towns, cap=100), tmp_path / "capped")
    assert capped.manifest.counts == whole.manifest.counts == {"concepts": 1, "relations": 1, "entities": 750}
    assert capped.manifest.version.rpartition("-")[2] == whole.manifest.version.rpartition("-")[2]


def test_small_pages_lose_nothing(towns: EmbeddedOxigraph, tmp_path: Path) -> None:
    assert built(towns, tmp_path, BuildLimits(page_rows=50)).manifest.counts["entities"] == 750


def test_too_large_a_page_is_asked_for_in_parts(towns: EmbeddedOxigraph, tmp_path: Path) -> None:
    index = built(Weak(towns, slow=r"\?label .*LIMIT (100000|10000)"), tmp_path)
    assert index.manifest.counts["entities"] == 750
    assert index.manifest.sampled == {}


def test_facts_that_cannot_all_be_counted_are_sampled(towns: EmbeddedOxigraph, tmp_path: Path) -> None:
    slow = r"COUNT.*WHERE \{ \?s \?p \?o \. "
    index = built(Weak(towns, slow=slow), tmp_path, BuildLimits(sample_facts=500))
    (relation,) = (item for item in index.schema if item.kind == Kind.RELATION)
    assert relation.count == 500
    assert relation.domains == (("http://t.example/Town", 500),)
    assert "500 facts" in index.manifest.sampled["relation counts"]


def test_a_store_that_never_answers_is_an_error(towns: EmbeddedOxigraph, tmp_path: Path) -> None:
    with pytest.raises(EndpointTimeout):
        build(Weak(towns, slow="."), "direct", tmp_path)


def test_degrees_may_stay_unknown(towns: EmbeddedOxigraph, tmp_path: Path) -> None:
    index = built(Weak(towns, slow=r"GROUP BY \?[so]\b"), tmp_path)
    assert index.entities_named("town 7")[0].degree == 0
    assert "unknown" in index.manifest.sampled["entity degrees"]


def test_only_the_best_linked_entities_are_kept(towns: EmbeddedOxigraph, tmp_path: Path) -> None:
    index = built(towns, tmp_path, BuildLimits(entities=400))
    assert index.manifest.counts["entities"] == 400
    assert index.manifest.sampled["entities"] == "the 400 with the most facts of 750"
    assert index.entities_named("town 3")
    assert not index.entities_named("town 749")


def test_only_the_best_linked_entities_have_vectors(
    towns: EmbeddedOxigraph, tmp_path: Path, embedder: MiniLM
) -> None:
    build(towns, "direct", tmp_path, BuildOptions(embedder=embedder, limits=BuildLimits(vectors=20)))
    index = Index.open(tmp_path, embedder)
    assert index.manifest.counts["entity vectors"] == 20
    assert "20 entities" in index.manifest.sampled["entity vectors"]
    assert len(index.nearest(Kind.ENTITY, ["town"], 50)[0]) == 20


def test_the_time_for_listing_is_bounded(towns: EmbeddedOxigraph, tmp_path: Path) -> None:
    index = built(towns, tmp_path, BuildLimits(seconds=0))
    assert "limit of time" in index.manifest.sampled["entity labels"]


def test_iris_that_cannot_be_written_are_left_out(shop_store: EmbeddedOxigraph, tmp_path: Path) -> None:
    index = built(Weak(shop_store, bad_iri=True), tmp_path)
    assert "SPARQL cannot write" in index.manifest.sampled["IRIs"]
    assert not any(">" in item.iri for item in index.schema)


def test_parts_of_the_schema_can_be_left_out(shop_store: EmbeddedOxigraph, tmp_path: Path) -> None:
    limits = BuildLimits(include=("http://shop.example/",), exclude=("http://shop.example/w",))
    index = built(shop_store, tmp_path, limits)
    names = {item.iri.removeprefix("http://shop.example/") for item in index.schema}
    assert "publisher" in names
    assert not names & {"writtenBy", "weight"}


def test_progress_is_told(towns: EmbeddedOxigraph, tmp_path: Path, embedder: MiniLM) -> None:
    told: list[tuple[str, int, int]] = []
    build(
        towns, "direct", tmp_path, BuildOptions(embedder=embedder), progress=lambda *stage: told.append(stage)
    )
    assert ("entity vectors", 750, 750) in told
    assert told[-1] == ("done", 1, 1)
