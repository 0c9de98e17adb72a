"""The benchmarks' graphs: what is in them, and how fast they are indexed and searched."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path

import pytest

from compilers.kopl.functions import Kind, ValueType
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index import BuildLimits, BuildOptions, Index, MiniLM, build, detect_layout

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def mini(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("mini")
    store = EmbeddedOxigraph.in_memory([data / "kqapro/mini/kb.ttl.gz"])
    assert detect_layout(store).layout == "kqapro"
    build(store, "kqapro", folder)
    return Index.open(folder, None)


@pytest.fixture(scope="module")
def movies(data: Path, tmp_path_factory: pytest.TempPathFactory, embedder: MiniLM) -> Index:
    """The first part of the graph, which has all predicates."""
    file = tmp_path_factory.mktemp("head") / "head.nt"
    with gzip.open(data / "metaqa/kg.nt.gz", "rt", encoding="utf-8") as lines:
        file.write_text(
            "".join(line for _, line in zip(range(20_000), lines, strict=False)), encoding="utf-8"
        )
    folder = tmp_path_factory.mktemp("movies")
    store = EmbeddedOxigraph.in_memory([file])
    assert detect_layout(store).layout == "direct"
    build(store, "direct", folder, BuildOptions(embedder=embedder, limits=BuildLimits(vectors=200)))
    return Index.open(folder, embedder)


def test_every_name_in_the_programs_is_found(mini: Index, data: Path) -> None:
    """Each argument of the 959 programs names something of its kind in the index."""
    kinds = {"FilterConcept": Kind.CONCEPT, "Relate": Kind.RELATION, "QueryAttr": Kind.ATTRIBUTE}
    with gzip.open(data / "kqapro/mini/programs.jsonl.gz", "rt", encoding="utf-8") as lines:
        steps = [step for line in lines for step in json.loads(line)["program"]]
    missing = [
        (step["function"], step["inputs"][0])
        for step in steps
        if step["function"] in kinds and not mini.named(kinds[step["function"]], step["inputs"][0])
    ]
    entities = {step["inputs"][0] for step in steps if step["function"] == "Find"}
    unknown = {
        name for name in entities if not mini.entities_named(name) and not mini.named(Kind.CONCEPT, name)
    }
    assert missing == []
    assert unknown == set()


def test_the_schema_is_that_of_the_engines_format(mini: Index, data: Path) -> None:
    with gzip.open(data / "kqapro/mini/kb.json.gz", "rt", encoding="utf-8") as stream:
        kb = json.load(stream)
    things = [*kb["entities"].values(), *kb["concepts"].values()]
    attributes = {fact["key"] for thing in things for fact in thing.get("attributes", ())}
    relations = {
        fact.get("relation") or fact["predicate"] for thing in things for fact in thing.get("relations", ())
    }
    assert {item.label for item in mini.schema if item.kind == Kind.ATTRIBUTE} == attributes
    assert {item.label for item in mini.schema if item.kind == Kind.RELATION} == relations


def test_movies(movies: Index) -> None:
    relations = {item.label: item for item in movies.schema if item.kind == Kind.RELATION}
    assert {"directed by", "written by", "starred actors", "has genre", "in language"} <= set(relations)
    assert relations["directed by"].ranges[0][0] == "http://metaqa.example/c/Person"
    (year,) = movies.named(Kind.ATTRIBUTE, "release year")
    assert year.value_types == (ValueType.YEAR,)
    assert movies.look_up(["movies"])["movies"][0].how == "stem"
    assert movies.search("Geofrey Rush", (Kind.ENTITY,))[0].label == "Geoffrey Rush"
    assert movies.nearest(Kind.RELATION, ["who acted in the film"])[0][0].label == "starred actors"


@pytest.mark.benchmark
def test_speed(data: Path, tmp_path: Path, embedder: MiniLM) -> None:
    """The times that the index is meant to keep, on two cores."""
    store = EmbeddedOxigraph.in_memory([data / "metaqa/kg.nt.gz"])
    started = time.perf_counter()
    build(store, "direct", tmp_path, BuildOptions(embedder=embedder))
    assert time.perf_counter() - started < 60
    started = time.perf_counter()
    index = Index.open(tmp_path, embedder)
    assert time.perf_counter() - started < 0.1
    texts = [f"{name} {number}" for name in ("Tom Hanks", "Drama", "written by") for number in range(20)]
    index.look_up(texts)
    started = time.perf_counter()
    index.look_up(texts)
    assert time.perf_counter() - started < 0.003
