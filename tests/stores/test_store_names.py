"""Entities looked up in real stores: by their full text, and without one; what people write stays data."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.stores import ENDPOINTS, Server, servers, triples_of_files
from connectors import EndpointError, HttpEndpoint
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.types import Question
from nlq_gateway.index import BuildLimits, BuildOptions, Index, LabelPreferences, build
from nlq_gateway.index.names import NamePredicates, StoreNames
from nlq_gateway.question.linking import Linker
from nlq_gateway.settings import EndpointSettings, Settings

GRAPH = "http://stores.example/names"
OTHER_GRAPH = "http://stores.example/names-of-others"
WORLD = "http://world.example/"

# What an index of words finds, and what only one that takes errors in them does.
WRITTEN = [
    ("Who directed Pulp Fiction?", "Pulp Fiction", "Pulp_Fiction", "exact"),
    ("who directed pulp fiction", "pulp fiction", "Pulp_Fiction", "folded"),
    ("palme d'or winners", "palme d'or", "Palme_dOr", "folded"),
    ("Wo liegt München?", "München", "Munich", "alias"),
    ("How high is Aoraki / Mount Cook?", "Aoraki / Mount Cook", "Aoraki_Mount_Cook", "exact"),
    ("Which films are by Tarantino?", "Tarantino", "Quentin_Tarantino", "partial"),
    ("Which films are by C. Nolan?", "C. Nolan", "Christopher_Nolan", "initials"),
    ("Who is in Godfather?", "Godfather", "The_Godfather", "variant"),
    ("Which awards did Uma Thurmann get?", "Uma Thurmann", "Uma_Thurman", "fuzzy"),
    ("Who directed Plup Fiction?", "Plup Fiction", "Pulp_Fiction", "fuzzy"),
    ("Which films are by Tarrantino?", "Tarrantino", "Quentin_Tarantino", "fuzzy"),
]
EXACT_ONLY = [case for case in WRITTEN if case[3] in ("exact", "alias", "variant")]
HOSTILE = [
    "Who is O'Brien) OR *:* AND ~ [x TO y]?",
    'Who is "Paris\\" } INSERT DATA { <x> <y> <z> } #?',
    "Who is ' OR 'Paris' NEAR 'x*?",
    "Who is Paris'))) UNION (((?",
    "Who is +(label:*) && !{$x} || ^9 ?",
    "Who is Ab* or ***** or ~~~~ or ''''?",
    "Who is \\u0022 \\ \\\\ <http://x> _:b ?v $w @en ^^<x>?",
    "Who is AND OR NOT NEAR TO?",
]


def _server(name: str) -> Server:
    if not ENDPOINTS.exists() or name not in servers():
        pytest.skip(f"{name} was not started: make stores")
    server = servers()[name]
    try:
        server.endpoint(GRAPH).query("ASK {}")
    except EndpointError as error:
        pytest.skip(f"{name} is not up ({error.message}): make stores")
    return server


def _index_words(name: str, graph: str = GRAPH) -> None:
    """Have Virtuoso index a graph's strings, as its administrator would."""
    entry: dict[str, Any] = json.loads(ENDPOINTS.read_text(encoding="utf-8"))[name]
    if "sql" not in entry:
        return
    rule = f"DB.DBA.RDF_OBJ_FT_RULE_ADD('{graph}', null, 'names');\nDB.DBA.VT_INC_INDEX_DB_DBA_RDF_OBJ();\n"
    login = ["isql-vt", entry["sql"], entry["load_user"], entry["load_password"]]
    subprocess.run(login, input=rule, text=True, check=True, capture_output=True, timeout=60)


def _marked(name: str, marker: str) -> Any:
    return pytest.param(name, marks=(pytest.mark.stores, getattr(pytest.mark, marker)))


@pytest.fixture(scope="module", params=[_marked("virtuoso", "virtuoso"), _marked("fuseki_text", "fuseki")])
def searched(request: pytest.FixtureRequest, sample_files: tuple[Path, ...]) -> HttpEndpoint:
    """A store with a full-text index of the sample's names."""
    server = _server(request.param)
    _index_words(request.param)
    server.put(GRAPH, triples_of_files(sample_files))
    _index_words(request.param)
    return server.endpoint(GRAPH)


@pytest.fixture(
    scope="module", params=[_marked("oxigraph", "oxigraph_server"), _marked("fuseki_memory", "fuseki")]
)
def unsearched(request: pytest.FixtureRequest, sample_files: tuple[Path, ...]) -> HttpEndpoint:
    """A store without one."""
    return _server(request.param).holding(triples_of_files(sample_files))


@pytest.fixture(scope="module")
def pushed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[HttpEndpoint], Index]]:
    """Opens an index whose entities are looked up in a store."""
    opened: list[Index] = []

    def made(endpoint: HttpEndpoint) -> Index:
        folder = tmp_path_factory.mktemp("pushed")
        manifest = build(endpoint, "kqapro", folder, BuildOptions(limits=BuildLimits(names_in_store=True)))
        assert manifest.counts["entities"] == 500
        assert manifest.sampled["names"].startswith("looked up in the store")
        index = Index.open(folder, None)
        opened.append(index)
        naming = NamePredicates.of("kqapro", LabelPreferences())
        schema = [item.iri for item in index.schema]
        names = StoreNames.of(endpoint, naming, manifest.languages, index.names, schema)
        return index.looked_up_by(names)

    yield made
    for index in opened:
        index.close()


@pytest.fixture(scope="module")
def by_text(searched: HttpEndpoint, pushed: Callable[[HttpEndpoint], Index]) -> Index:
    return pushed(searched)


@pytest.fixture(scope="module")
def by_terms(unsearched: HttpEndpoint, pushed: Callable[[HttpEndpoint], Index]) -> Index:
    return pushed(unsearched)


@pytest.mark.parametrize(("question", "words", "iri", "how"), WRITTEN)
def test_names_are_found_by_the_stores_full_text(
    by_text: Index, question: str, words: str, iri: str, how: str
) -> None:
    mentions = {one.text: one.hits[0] for one in Linker(by_text).link(Question(question)).mentions}
    assert (mentions[words].iri, mentions[words].how) == (WORLD + iri, how)


@pytest.mark.parametrize(("question", "words", "iri", "how"), EXACT_ONLY)
def test_names_are_found_as_they_are_written_without_a_full_text(
    by_terms: Index, question: str, words: str, iri: str, how: str
) -> None:
    mentions = {one.text: one.hits[0] for one in Linker(by_terms).link(Question(question)).mentions}
    assert (mentions[words].iri, mentions[words].how) == (WORLD + iri, how)


def test_all_bearers_of_a_name_are_found_the_best_linked_first(by_text: Index, sample_index: Index) -> None:
    for name in ("Paris", "Georgia", "Amazon", "Batman"):
        assert [one.iri for one in by_text.entities_named(name)] == [
            one.iri for one in sample_index.entities_named(name)
        ]


def test_an_entity_is_what_the_index_would_say_of_it(by_text: Index, sample_index: Index) -> None:
    found, known = (index.entity(WORLD + "Munich") for index in (by_text, sample_index))
    assert found is not None
    assert known is not None
    assert (found.iri, found.label, set(found.aliases)) == (known.iri, known.label, set(known.aliases))
    assert set(known.concepts) <= set(found.concepts)
    assert found.degree > 0
    assert by_text.entity(WORLD + "film") is None
    assert by_text.entity("http://nowhere.example/nothing") is None


@pytest.mark.parametrize("question", HOSTILE)
def test_what_people_write_is_never_a_part_of_the_query(by_text: Index, question: str) -> None:
    links = Linker(by_text).link(Question(question))
    assert all(one.text in question for one in links.mentions)


def test_a_full_text_is_found_by_what_it_finds(by_text: Index, by_terms: Index) -> None:
    with_text, without = by_text.names, by_terms.names
    assert isinstance(with_text, StoreNames)
    assert isinstance(without, StoreNames)
    assert with_text.text_index.full_text is not None
    assert "a known name is found" in with_text.text_index.evidence
    assert not with_text.text_index.advice
    assert without.text_index.full_text is None
    assert without.text_index.evidence


def test_no_name_in_another_graph_is_found(searched: HttpEndpoint, by_text: Index) -> None:
    server = next(one for one in servers().values() if one.query == searched.address)
    found = by_text.names
    assert isinstance(found, StoreNames)
    label = f"<{found.text_index.searched[0]}>"
    names = {"Pulp_Fiction": "Zyxwvutia Confidential", "Secret_Film": "Zyxwvutia Unreleased"}
    triples = "".join(f'<{WORLD}{thing}> {label} "{name}" .\n' for thing, name in names.items())
    _index_words(server.name, OTHER_GRAPH)
    server.put(OTHER_GRAPH, triples.encode())
    _index_words(server.name, OTHER_GRAPH)
    with closing(server.endpoint(OTHER_GRAPH)) as other:
        assert other.query(f"SELECT ?x {{ ?x {label} ?name }}").rows
        elsewhere = StoreNames.of(other, found.naming, ("en",), found.local, ())
        assert len(elsewhere.with_words("Zyxwvutia", 10)) == 2
    text = "Zyxwvutia Unreleased"
    assert not found.named((text,))
    assert not found.prefixed("Zyxwvu", 10)
    assert not found.with_words(text, 10)
    assert not found.with_all_words("Zyxwvutia", 10)
    assert found.words_in_use(("zyxwvutia", "unreleased")) == frozenset()
    assert not any("zyxwvutia" in name for name in found.near("Zyxwvutio").folded.values())


def test_the_second_question_asks_the_store_nothing(by_text: Index) -> None:
    linker, question = Linker(by_text), Question("Which awards did Uma Thurmann get?")
    first = linker.link(question)
    names = by_text.names
    assert isinstance(names, StoreNames)
    with closing(HttpEndpoint("http://127.0.0.1:9/sparql")) as nowhere:
        object.__setattr__(names, "connector", nowhere)
        assert linker.link(question) == first


def test_a_gateway_answers_by_names_that_it_keeps_no_copy_of(
    searched: HttpEndpoint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NLQ_CACHE", str(tmp_path))
    server = next(one for one in servers().values() if one.query == searched.address)
    endpoint = EndpointSettings.model_validate(
        {
            "id": "pushed",
            "url": server.query,
            "auth": server.settings,
            "dialect": searched.dialect,
            "default_graphs": [GRAPH],
            "index": {"names": "store"},
        }
    )
    with closing(Pipeline(Settings(endpoints=(endpoint,)))) as gateway:
        gateway.endpoint(None).prepare()
        assert gateway.endpoint(None).index.manifest.counts["entities"] == 500
        answer = gateway.ask(Ask("Who directed Plup Fiction?")).answer
    assert [value.label for value in answer.values] == ["Quentin Tarantino"]
