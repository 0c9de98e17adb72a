"""Configuration files: what is read, and what is refused with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel, ValidationError

from compilers.layouts import LAYOUTS
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.index import Layout as IndexedLayout
from nlq_gateway.settings import SAMPLE, EndpointSettings, Settings, cache_folder, load
from nlq_gateway.settings.folders import data_folder
from nlq_gateway.settings.section import Section

WHOLE = (Path(__file__).parent / "fixtures" / "every_section.yaml").read_text(encoding="utf-8")
ENVIRONMENT = {"KG_TOKEN": "s3cret: {with} #signs", "EMPTY": "", "SLASHED": "s3cret/with/slashes"}
CLIENTS = "server.auth.clients"
# In place of `auth: {type: none}` of the whole file.
OPEN = "auth: {type: none}, cors: []"
CLOSED = "auth: {type: bearer, clients: [{name: team-a, token: '${KG_TOKEN}', datasets: [sample]}]}"


def loaded(folder: Path, text: str) -> Settings:
    file = folder / "nlq.yaml"
    file.write_text(text, encoding="utf-8")
    return load(file, ENVIRONMENT)


def refused(folder: Path, text: str) -> ConfigurationError:
    with pytest.raises(ConfigurationError) as caught:
        loaded(folder, text)
    return caught.value


def test_every_section_is_read(tmp_path: Path) -> None:
    settings = loaded(tmp_path, WHOLE)
    products, sample = settings.endpoints
    assert products.aliases == ("https://kg.example.org/",)
    assert products.auth.token is not None
    assert products.auth.token.get_secret_value() == ENVIRONMENT["KG_TOKEN"]
    assert products.limits.max_rows == 10_000
    assert products.index.refresh == timedelta(hours=24)
    assert sample.data == (SAMPLE,)
    assert settings.server.trace_store is not None
    assert settings.server.trace_store.get_secret_value() == f"sqlite:///{tmp_path}/traces.sqlite"


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    settings = loaded(tmp_path, WHOLE)
    assert "s3cret" not in repr(settings)
    assert "s3cret" not in str(settings.model_dump())


def test_names_of_label_predicates_become_iris(tmp_path: Path) -> None:
    predicates = loaded(tmp_path, WHOLE).endpoints[0].labels.predicates
    assert predicates[0] == "http://www.w3.org/2000/01/rdf-schema#label"
    assert {"http://schema.org/name", "https://schema.org/name"} <= set(predicates)


def test_files_are_taken_from_the_folder_of_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "kg.ttl").write_text("", encoding="utf-8")
    settings = loaded(tmp_path, "endpoints:\n  - id: kg\n    data: [kg.ttl]\n")
    assert settings.endpoints[0].data == (str(tmp_path / "kg.ttl"),)


# What is replaced in the whole file; the line, the key and words of the message or hint.
REFUSALS = [
    ("aliases:", "alias:", 3, "endpoints[0].alias", "did you mean aliases?"),
    ("dialect: auto", "dialect: virtuso", 5, "endpoints[0].dialect", "did you mean virtuoso?"),
    ("query_ms: 30000", "query_ms: 0", 11, "endpoints[0].limits.query_ms", "greater than 0"),
    ("query_ms: 30000", "query_ms: soon", 11, "endpoints[0].limits.query_ms", "milliseconds"),
    ("${KG_TOKEN}", "abc", 7, "endpoints[0].auth.token", "${NAME}"),
    ("${KG_TOKEN}", "${MISSING}", 7, "endpoints[0].auth.token", "MISSING is not set"),
    ("${KG_TOKEN}", "${EMPTY}", 7, "endpoints[0].auth.token", "EMPTY is empty"),
    ("${KG_TOKEN}", "${KG TOKEN}", 7, "endpoints[0].auth.token", "no name"),
    ("type: bearer", "type: basic", 7, "endpoints[0].auth.token", "`password`, `user`"),
    (
        "url: https://kg",
        "tls: {password: '${KG_TOKEN}'}\n    url: https://kg",
        4,
        "endpoints[0].tls.password",
        "belongs",
    ),
    ("url: https://", "url: ftp://", 4, "endpoints[0].url", "write an address"),
    ("url: https://", "url: https://me:pw@", 4, "endpoints[0].url", "under `auth`"),
    ("layout: auto", "layout: tree", 6, "endpoints[0].layout", "graph_per_fact"),
    ("refresh: 24h", "refresh: 24", 12, "endpoints[0].index.refresh", "30m"),
    ("refresh: 24h", "refresh: daily", 12, "endpoints[0].index.refresh", "30m"),
    ("rdfs:label", "rdfx:label", 10, "endpoints[0].labels.predicates", "prefix"),
    (
        "id: sample",
        "id: products",
        13,
        "endpoints[1].id",
        "several endpoints have the id or alias 'products'",
    ),
    ("id: sample", "id: a/b", 13, "endpoints[1].id", "letters"),
    ("id: sample", "id: traces", 13, "endpoints[1].id", "own addresses"),
    ("id: sample", "id: 7", 13, "endpoints[1].id", "quotes"),
    ("builtin:sample", "missing.ttl", 14, "endpoints[1].data[0]", "there is no file"),
    ("builtin:sample", "builtin:other", 14, "endpoints[1].data[0]", SAMPLE),
    ("    data: [builtin:sample]", "    layout: direct", 13, "endpoints[1]", "`url`"),
    ("backend: none", "backend: openai", 15, "model", "`url`"),
    ("backend: none", "backend: transformers", 15, "model", "`name`"),
    ("backend: none", "backend: none, url: http://gpu", 15, "model.url", "`url`"),
    ("backend: none", 'backend: openai, url: "http://gpu?a=1"', 15, "model.url", "`query`"),
    ("backend: none", "backend: openai, url: http://gpu, device: cpu", 15, "model.device", "`device`"),
    ("backend: none", "backend: openai, url: http://gpu, key: abc", 15, "model.key", "${NAME}"),
    ("strategy: auto", "strategy: keqing", 16, "pipeline.strategy", "decompose"),
    ("strategy: auto", "strategy: steps", 16, "pipeline.strategy", "needs a `model`"),
    ("calls: 12", "calls: 0", 16, "pipeline.budget.calls", "greater than 0"),
    (
        "server: {auth: {type: none}",
        "server: {auth: {type: bearer, token: '${KG_TOKEN}'}",
        17,
        "server.auth.token",
        "unknown key",
    ),
    ("server: {auth: {type: none}", "server: {auth: {type: bearer}", 17, "server.auth", "`clients`"),
    (
        "server: {auth: {type: none}",
        "server: {auth: {type: header, clients: [{name: a, token: '${KG_TOKEN}'}]}",
        17,
        "server.auth",
        "`header`",
    ),
    (CLOSED, CLOSED.replace("bearer", "none"), 17, "server.auth", "no other key"),
    (CLOSED, CLOSED.replace("${KG_TOKEN}", "abc"), 17, f"{CLIENTS}[0].token", "${NAME}"),
    (
        CLOSED,
        CLOSED.replace("sample", "simple"),
        17,
        f"{CLIENTS}[0].datasets[0]",
        "products, sample",
    ),
    (CLOSED, CLOSED.replace("[sample]", "[]"), 17, f"{CLIENTS}[0].datasets", "at least 1"),
    (CLOSED, CLOSED.replace("team-a", "team a"), 17, f"{CLIENTS}[0].name", "letters"),
    (
        CLOSED,
        CLOSED.replace("[{", "[{name: x, token: '${KG_TOKEN}'}, {"),
        17,
        f"{CLIENTS}[1].token",
        "x",
    ),
    (CLOSED, f"{CLOSED}, cors: ['*']", 17, "server.cors", "name the origins"),
    ("rate: none", "rate: often", 17, "server.rate", "60/minute and client"),
    ("rate: none", "rate: 0/minute", 17, "server.rate", "60/minute and client"),
    ("rate: none", "rate: 1/minute and user", 17, "server.rate", "60/minute and client"),
    ("cors: []", "cors: [example.org]", 17, "server.cors[0]", "origin"),
    ("cors: []", "cors: ['https://example.org/page']", 17, "server.cors[0]", "origin"),
    ("cors: []", "pictures: ['*']", 17, "server.pictures[0]", "origin"),
    ("cors: []", "pictures: ['https://a.org;script-src']", 17, "server.pictures[0]", "origin"),
    ("cors: []", "trusted_proxies: [proxy]", 17, "server.trusted_proxies[0]", "10.0.0.0/8"),
    ("sqlite:///traces.sqlite", "postgres://db", 17, "server.trace_store", "sqlite:///FILE"),
    ("sqlite:///traces.sqlite", "postgresql://db", 17, "server.trace_store", "DATABASE"),
    ("sqlite:///traces.sqlite", "'postgresql://u:pw@db/nlq'", 17, "server.trace_store", "is not written"),
    ("sqlite:///traces.sqlite", "'postgresql://u@db/nlq?password=pw'", 17, "server.trace_store", "is not"),
    ("sqlite:///traces.sqlite", "'postgresql://u:a${KG_TOKEN}@db/nlq'", 17, "server.trace_store", "is not"),
    ("sqlite:///traces.sqlite", "'postgresql://u:${SLASHED}@db/nlq'", 17, "server.trace_store", "%40"),
]


@pytest.mark.parametrize(("old", "new", "line", "key", "words"), REFUSALS)
def test_what_is_wrong_is_refused_with_its_place(
    tmp_path: Path, old: str, new: str, line: int, key: str, words: str
) -> None:
    whole = WHOLE.replace(OPEN, CLOSED, 1) if old == CLOSED else WHOLE
    assert old in whole
    error = refused(tmp_path, whole.replace(old, new, 1))
    assert (error.line, error.key) == (line, key)
    assert error.file == str(tmp_path / "nlq.yaml")
    assert f"line {line}" in error.message
    assert key in error.message
    assert words in f"{error.message} {error.hint}"
    assert "s3cret" not in f"{error.message} {error.hint}"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_of_the_compiler_can_be_configured(tmp_path: Path, layout: str) -> None:
    assert layout in get_args(IndexedLayout)
    text = WHOLE.replace("layout: auto", f"layout: {layout}", 1)
    assert loaded(tmp_path, text).endpoints[0].layout == layout


@pytest.mark.parametrize("layout", ["rdf12", "rdf_star"])
def test_what_a_store_cannot_hold_is_refused(layout: str) -> None:
    settings = Settings.for_data([SAMPLE]).with_source(layout=layout, dialect="fuseki")
    with pytest.raises(
        ConfigurationError, match=f"'virtuoso' cannot hold the layout '{layout}': they have no"
    ):
        settings.with_source(dialect="virtuoso")


def test_names_can_be_left_to_a_store_and_not_to_files() -> None:
    index = {"names": "store"}
    kept = EndpointSettings.model_validate({"id": "a", "url": "http://x/sparql", "index": index})
    assert kept.index.names == "store"
    with pytest.raises(ValidationError, match="needs a store"):
        EndpointSettings.model_validate({"id": "a", "data": [SAMPLE], "index": index})


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "endpoints"),
        ("- a\n", 1, "endpoints"),
        ("endpoints: []\n", 1, "at least 1"),
        ("model: {backend: none}\n", None, "endpoints"),
        ("endpoints: [\n", 2, "not YAML"),
        ("a: &a [*a]\n", 1, "contains itself"),
        ("endpoints:\n  - id: a\n    id: b\n", 3, "twice"),
        ("endpoints: !!python/object/apply:os.system [ls]\n", 1, "not YAML"),
        ("endpoints:\n\t- id: a\n", 2, "not YAML"),
        ("endpoints: \x00\n", None, "not YAML"),
    ],
)
def test_what_is_no_configuration_is_refused(tmp_path: Path, text: str, line: int | None, words: str) -> None:
    error = refused(tmp_path, text)
    assert error.line == line
    assert words in f"{error.message} {error.hint}"


def test_several_faults_are_counted(tmp_path: Path) -> None:
    error = refused(tmp_path, WHOLE.replace("query_ms: 30000", "query_ms: 0").replace("aliases:", "alias:"))
    assert error.key == "endpoints[0].alias"
    assert "and 1 more" in error.message


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b" " * 1_000_001])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "nlq.yaml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"nlq\.yaml"):
        load(file)


@pytest.mark.parametrize(
    ("file", "identifier"),
    [
        ("kg.nt.gz", "kg"),
        ("my.films.ttl", "my.films"),
        ("a b.ttl", "a-b"),
        ("traces.nt", "traces-data"),
        ("plain", "plain"),
    ],
)
def test_data_files_give_the_endpoint_its_id(tmp_path: Path, file: str, identifier: str) -> None:
    (tmp_path / file).touch()
    assert Settings.for_data([tmp_path / file]).endpoints[0].id == identifier


def test_the_sample_graph_is_called_sample() -> None:
    assert Settings.for_data([SAMPLE]).endpoints[0].id == "sample"


@pytest.mark.parametrize("files", [[], ["/missing.ttl"], ["/"]])
def test_data_that_is_not_there_is_refused(files: list[str]) -> None:
    with pytest.raises(ConfigurationError):
        Settings.for_data(files)


def test_flags_change_what_the_file_says(tmp_path: Path) -> None:
    settings = loaded(tmp_path, WHOLE).with_source(layout="direct", dialect="fuseki")
    assert {(e.layout, e.dialect) for e in settings.endpoints} == {("direct", "fuseki")}
    token = settings.endpoints[0].auth.token
    assert token is not None
    assert token.get_secret_value() == ENVIRONMENT["KG_TOKEN"]
    with pytest.raises(ConfigurationError):
        settings.with_source(layout="tree")


def test_one_endpoint_is_chosen_by_id_or_alias(tmp_path: Path) -> None:
    settings = loaded(tmp_path, WHOLE)
    assert [e.id for e in settings.only("https://kg.example.org/").endpoints] == ["products"]
    with pytest.raises(KeyError):
        settings.only("other")


@pytest.mark.parametrize(("variable", "folder"), [("NLQ_CACHE", cache_folder), ("NLQ_DATA", data_folder)])
def test_folders_follow_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, folder: Callable[[], Path]
) -> None:
    monkeypatch.setenv(variable, str(tmp_path))
    assert folder() == tmp_path
    monkeypatch.delenv(variable)
    assert folder().name == "nlq-gateway"


def sections(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for section in model.__subclasses__():
        yield section
        yield from sections(section)


@pytest.mark.parametrize("section", list(sections(Section)), ids=lambda section: section.__name__)
def test_every_key_has_a_description(section: type[BaseModel]) -> None:
    assert section.model_fields
    assert all(field.description for field in section.model_fields.values())


def test_reading_a_store_always_has_a_budget(tmp_path: Path) -> None:
    assert "refresh: 24h" in WHOLE
    error = refused(tmp_path, WHOLE.replace("refresh: 24h", "refresh: 24h, budget: never", 1))
    assert "write a time, such as 15m" in f"{error.message} {error.hint}"
