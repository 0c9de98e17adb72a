"""The effect of an endpoint's settings on its index."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.endpoints.index_source import IndexSource
from nlq_gateway.index import Index, MiniLM
from nlq_gateway.settings import EndpointSettings
from tests.index.conftest import FIXTURES


def source(store: EmbeddedOxigraph, cache: Path, **index: object) -> IndexSource:
    values = {"id": "shop", "data": [str(FIXTURES / "shop.ttl")], "index": index}
    return IndexSource.of(EndpointSettings.model_validate(values), cache, store, "")


def test_settings_bound_the_build_and_say_where_it_goes(
    shop_store: EmbeddedOxigraph, embedder: MiniLM, tmp_path: Path
) -> None:
    shared = tmp_path / "shared"
    made = source(shop_store, tmp_path, folder=str(shared), entities=5, budget="5m", keep=3)
    folder = made.folder()
    assert folder.parent == shared / "shop"
    with Index.open(folder, embedder) as index:
        assert index.manifest.counts["entities"] == 5
        assert "the 5 with the most facts" in index.manifest.sampled["entities"]
    assert source(shop_store, tmp_path).versions.root == tmp_path / "index"


def test_an_index_that_is_never_too_old_is_not_built_again(
    shop_store: EmbeddedOxigraph, tmp_path: Path
) -> None:
    made = source(shop_store, tmp_path, refresh="never", entities=6)
    assert made.folder() == made.folder()


@pytest.mark.parametrize("index", [{"keep": 1}, {"entities": 0}, {"budget": "900"}])
def test_settings_that_cannot_be(index: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        EndpointSettings.model_validate({"id": "x", "url": "https://x.example/sparql", "index": index})


def test_a_relative_folder_of_an_embedding_model_is_the_configurations(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    values = {"id": "x", "url": "https://x.example/sparql", "index": {"embedding": "model"}}
    settings = EndpointSettings.model_validate(values, context={"folder": tmp_path})
    assert settings.index.embedding == str(tmp_path / "model")
    values["index"] = {"embedding": "owner/model-on.the_hub"}
    settings = EndpointSettings.model_validate(values, context={"folder": tmp_path})
    assert settings.index.embedding == "owner/model-on.the_hub"


@pytest.mark.parametrize("place", ["./none", "/no/such/folder", "a/b/c", "~/none/here"])
def test_a_missing_folder_of_an_embedding_model_is_named(place: str) -> None:
    values = {"id": "x", "url": "https://x.example/sparql", "index": {"embedding": place}}
    with pytest.raises(ValidationError, match=r"no folder .*: name a model's folder, or write OWNER/NAME"):
        EndpointSettings.model_validate(values)


def test_an_embedding_model_needs_its_extra(
    shop_store: EmbeddedOxigraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigurationError, match="needs sentence-transformers") as caught:
        source(shop_store, tmp_path, embedding=str(tmp_path))
    assert "pip install '.[models]'" in caught.value.hint
