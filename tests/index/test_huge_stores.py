"""A store too large to be read in full: the schema is found all the same, within the budget.

The store holds a small graph, and does as if it were a large one: it gives up on every query that would pass
over all triples or deep into a listing, after the time that it was given, and cuts answers without a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from compilers.kopl.functions import Kind
from connectors.base import RawResponse
from connectors.errors import EndpointTimeout, EndpointTooComplex
from connectors.oxigraph import EmbeddedOxigraph
from connectors.results import Result
from nlq_gateway.index import BuildLimits, BuildOptions, Index, build, make_plan

SPACE = "http://huge.example/"
BUDGET_S = 300.0
CAP = 1_000
_QUERY_S = 0.02
_PART = re.compile(r"\{ SELECT (?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*? LIMIT \d+ \}")
_BOUND = re.compile(r"VALUES \?(?:x|s|o|predicate) |VALUES \?p \{ <[^>]*> \}")
_ALL = re.compile(r"\?s \?p \?o|\?s <[^>]*#type> \?c\b.*GROUP BY|GRAPH \?g \{ \?s|DISTINCT \?text")
_OFFSET = re.compile(r"OFFSET (\d+)")

HEAD = f"""
@prefix : <{SPACE}> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix void: <http://rdfs.org/ns/void#> .
"""
ONTOLOGY = ":Person a owl:Class . :City a owl:Class . :livesIn a owl:ObjectProperty ."
FACTS = "".join(
    f':p{n} a :Person ; rdfs:label "person {n}" ; :age {n % 90} ; :livesIn :c{n % 40} ; :knows :p{n // 2} .\n'
    f":c{n % 40} :isHomeOf :p{n} .\n"
    for n in range(1_500)
) + "".join(f':c{n} a :City ; rdfs:label "city {n}" ; :motto "we are {n}" .\n' for n in range(40))
VOID = """
[] a void:Dataset ; void:triples 2000000000 ; void:entities 600000000 ;
  void:classPartition [ void:class :Person ; void:entities 500000000 ] ,
    [ void:class :City ; void:entities 7000 ] ;
  void:propertyPartition [ void:property :age ; void:triples 500000000 ; void:distinctSubjects 500000000 ] ,
    [ void:property :livesIn ; void:triples 500000000 ; void:distinctSubjects 499000000 ] .
"""


class Huge:
    """The store; `seconds` is the time that its queries have taken, which passes on the builder's clock."""

    address = "huge"
    dialect = "sparql11"

    def __init__(self, file: Path, error: type[Exception] = EndpointTimeout) -> None:
        self.store = EmbeddedOxigraph.in_memory([file])
        self.error = error
        self.seconds = 0.0
        self.asked: list[str] = []

    def query(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        self.asked.append(text)
        if is_too_much(text):
            # A refusal comes at once, a timeout when the time is over.
            self.seconds += (timeout_ms or 0) / 1_000 if self.error is EndpointTimeout else _QUERY_S
            raise self.error("too much", endpoint=self.address)
        self.seconds += _QUERY_S
        result = self.store.query(text, max_rows=max_rows)
        return Result(result.columns, result.rows[:CAP], result.boolean)

    def raw(self, text: str, accept: str, *, timeout_ms: int | None = None) -> RawResponse:
        raise NotImplementedError

    def close(self) -> None:
        """Do nothing: it holds no resources."""


def is_too_much(text: str) -> bool:
    """True if a large store would have to read all of its triples, or far into a listing."""
    rest = _PART.sub("", text)
    deep = (found := _OFFSET.search(text)) is not None and int(found[1]) >= CAP
    return deep or (rest == text and not _BOUND.search(text) and bool(_ALL.search(rest)))


@pytest.fixture
def huge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Huge]:
    """Makes the store with a graph, whose time is that of the builder."""

    def made(text: str, error: type[Exception] = EndpointTimeout) -> Huge:
        file = tmp_path / "graph.ttl"
        file.write_text(HEAD + text, encoding="utf-8")
        store = Huge(file, error)
        clock = SimpleNamespace(monotonic=lambda: store.seconds)
        monkeypatch.setattr("nlq_gateway.index.introspect.budget.time", clock)
        monkeypatch.setattr("nlq_gateway.index.introspect.probing.time.perf_counter", lambda: store.seconds)
        return store

    return made


def built(store: Huge, folder: Path, **limits: float) -> Index:
    bounds = {"seconds": BUDGET_S, "query_ms": 20_000, "sample_facts": 300, **limits}
    build(store, "direct", folder, BuildOptions(limits=BuildLimits(**bounds)))  # type: ignore[arg-type]
    return Index.open(folder, None)


def schema_of(index: Index) -> dict[str, set[str]]:
    return {
        kind: {item.iri.removeprefix(SPACE) for item in index.schema if item.kind == kind}
        for kind in (Kind.CONCEPT, Kind.RELATION, Kind.ATTRIBUTE)
    }


EXPECTED = {
    Kind.CONCEPT: {"Person", "City"},
    Kind.RELATION: {"livesIn", "knows", "isHomeOf"},
    Kind.ATTRIBUTE: {"age", "motto"},
}


@pytest.mark.parametrize("error", [EndpointTimeout, EndpointTooComplex])
@pytest.mark.parametrize("described", [ONTOLOGY, ""])
def test_the_schema_is_found_by_samples(
    huge: Callable[..., Huge], tmp_path: Path, error: type[Exception], described: str
) -> None:
    store = huge(described + FACTS, error)
    index = built(store, tmp_path / "index")
    assert schema_of(index) == EXPECTED
    lives_in = index.item(Kind.RELATION, SPACE + "livesIn")
    assert lives_in is not None
    assert (lives_in.count, lives_in.functional) == (300, True)
    assert lives_in.domains == ((SPACE + "Person", 300),)
    assert lives_in.ranges == ((SPACE + "City", 300),)
    assert lives_in.inverse == (SPACE + "isHomeOf",)
    sampled = index.manifest.sampled
    assert {"concepts", "predicates", "relation counts", "value types", "entity labels"} <= sampled.keys()
    assert "300 facts of each predicate" in sampled["attribute domains"]
    assert store.seconds <= BUDGET_S
    assert len(store.asked) < 400


@pytest.mark.parametrize("budget_s", [5.0, 40.0])
def test_a_small_budget_is_kept(huge: Callable[..., Huge], tmp_path: Path, budget_s: float) -> None:
    """By no more than a few of the shortest deadlines."""
    store = huge(ONTOLOGY + FACTS)
    index = built(store, tmp_path / "index", seconds=budget_s)
    assert store.seconds <= budget_s + 3
    assert "the limit of time was reached" in " ".join(index.manifest.sampled.values())


def test_what_the_store_states_of_itself_is_believed(huge: Callable[..., Huge], tmp_path: Path) -> None:
    large = "".join(f":x{n} :age {n} ; :livesIn :c1 .\n" for n in range(9_000))
    index = built(huge(ONTOLOGY + VOID + FACTS + large), tmp_path / "index")
    counts = {item.iri.removeprefix(SPACE): item.count for item in index.schema}
    assert (counts["Person"], counts["City"]) == (500_000_000, 7_000)
    assert counts["livesIn"] == counts["age"] == 500_000_000
    assert "as VoID states" in index.manifest.sampled["concepts"]


def test_what_is_no_longer_so_is_not_believed(huge: Callable[..., Huge], tmp_path: Path) -> None:
    index = built(huge(ONTOLOGY + VOID + FACTS), tmp_path / "index")
    counts = {item.iri.removeprefix(SPACE): item.count for item in index.schema}
    assert (counts["livesIn"], counts["City"]) == (300, 40)
    assert any("VoID states 500,000,000 triples" in text for text in index.manifest.warnings)


def test_the_plan_is_what_the_build_does(huge: Callable[..., Huge], tmp_path: Path) -> None:
    limits = BuildLimits(seconds=BUDGET_S, query_ms=20_000, sample_facts=300)
    store = huge(ONTOLOGY + FACTS)
    plan = make_plan(store, "direct", limits)
    assert len(store.asked) == len(plan.probes) <= 15
    assert {stage.name for stage in plan.stages if stage.sampled} == {"relations", "attributes", "partitions"}
    assert (plan.triples, plan.classes, plan.known_by) == (None, None, "unknown")
    assert 0 < plan.seconds <= plan.budget_s == BUDGET_S
    store = huge(ONTOLOGY + FACTS)
    build(store, "direct", tmp_path / "index", BuildOptions(limits=limits))
    assert [probe.query for probe in plan.probes] == store.asked[: len(plan.probes)]
    whole = [text for text in store.asked if "GROUP BY ?p ?x" in text and "LIMIT 300 }" not in text]
    assert whole == []


def test_a_small_store_is_read_in_full(tmp_path: Path) -> None:
    file = tmp_path / "graph.ttl"
    file.write_text(HEAD + ONTOLOGY + FACTS, encoding="utf-8")
    plan = make_plan(EmbeddedOxigraph.in_memory([file]), "direct")
    assert plan.predicates is not None
    assert plan.triples == sum(plan.predicates.values())
    assert plan.classes == {
        SPACE + "Person": 1_500,
        SPACE + "City": 40,
        "http://www.w3.org/2002/07/owl#Class": 2,
        "http://www.w3.org/2002/07/owl#ObjectProperty": 1,
    }
    assert (plan.labels, plan.known_by, plan.vocabularies) == (1_540, "counted", ("OWL",))
    assert not any(stage.sampled for stage in plan.stages)
