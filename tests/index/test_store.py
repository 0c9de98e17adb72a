from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from compilers.kopl.functions import NAMING_KINDS, SCHEMA_KINDS, Kind
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index import BuildOptions, Index, IndexDamaged, IndexMissing, Layout, MiniLM, build
from nlq_gateway.index.search import spelled_like

EX = "http://shop.example/"


@pytest.mark.parametrize(
    ("text", "how", "label"),
    [
        ("book", "exact", "book"),
        ("BOOK", "folded", "book"),
        ("volume", "alias", "book"),
        ("books", "stem", "book"),
        ("volumes", "stem", "book"),
        ("writes by", "stem", "written by"),
        ("Faust", "exact", "Faust"),
        ("faust", "folded", "Faust"),
        ("dr faustus", "alias", "Faust"),
    ],
)
def test_look_up_says_how(shop: Index, text: str, how: str, label: str) -> None:
    best = shop.look_up([text])[text][0]
    assert (best.how, best.label) == (how, label)


def test_look_up_keeps_to_the_kinds(shop: Index) -> None:
    assert [hit.kind for hit in shop.look_up(["publisher"])["publisher"]] == [Kind.ATTRIBUTE, Kind.RELATION]
    assert shop.look_up(["publisher"], (Kind.ENTITY, Kind.CONCEPT)) == {}
    assert shop.look_up([]) == {}


def test_look_up_takes_many_texts(shop: Index) -> None:
    texts = [f"nothing {number}" for number in range(1200)] + ["Emma", "emma"]
    found = shop.look_up(texts)
    assert sorted(found) == ["Emma", "emma"]
    assert [found[text][0].how for text in ("Emma", "emma")] == ["exact", "folded"]


def test_named(shop: Index) -> None:
    assert [item.iri for item in shop.named(Kind.RELATION, "written by")] == [EX + "writtenBy"]
    assert [item.iri for item in shop.named(Kind.RELATION, "Written By")] == [EX + "writtenBy"]
    assert [item.iri for item in shop.named(Kind.RELATION, "writtenBy")] == [EX + "writtenBy"]
    assert shop.named(Kind.CONCEPT, "written by") == ()


@pytest.mark.parametrize(
    ("text", "iri", "how"),
    [
        ("Jane Austn", "austen", "fuzzy"),
        ("Austen Jane", "austen", "fuzzy"),
        ("johann wolf", "goethe", "prefix"),
        ("the works of Goethe", "goethe", "text"),
    ],
)
def test_search(shop: Index, text: str, iri: str, how: str) -> None:
    best = shop.search(text, (Kind.ENTITY,))[0]
    assert (best.iri.removeprefix(EX), best.how) == (iri, how)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "a",
        '"',
        "'",
        "*",
        "^",
        "+++",
        "a*",
        "NEAR(",
        "AND",
        "-x",
        "x" * 5000,
        "\x00",
        "💥",
        "%",
        "\ud800",
        "a \udfff b",
    ],
)
def test_search_survives_any_text(shop: Index, text: str) -> None:
    hits = shop.search(text)
    assert all(0 <= hit.score <= 1 for hit in hits)
    assert isinstance(shop.look_up([text]), dict)
    assert len(hits) <= 10


def test_search_is_ordered_and_bounded(shop: Index) -> None:
    hits = shop.search("Springfield town", limit=2)
    assert len(hits) == 2
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({(hit.kind, hit.iri) for hit in shop.search("springfield")}) == len(shop.search("springfield"))


def test_bearing_finds_names_by_whole_words_at_an_end_first(shop: Index) -> None:
    assert [hit.label for hit in shop.bearing("austen")] == ["Jane Austen"]
    assert {hit.how for hit in shop.bearing("austen")} == {"partial"}
    assert shop.bearing("aust") == ()
    assert shop.bearing("jane austen") == ()
    assert shop.bearing("") == ()


def test_misspelt_names_are_found_as_a_whole_or_by_their_last_word(shop: Index) -> None:
    found = shop.misspelt("jane austn wrote", ["jane austn", "austeen", "wrote"])
    assert {text: hits[0].label for text, hits in found.items()} == {
        "jane austn": "Jane Austen",
        "austeen": "Jane Austen",
    }
    assert found["jane austn"][0].score > found["austeen"][0].score


def test_a_misspelling_does_not_make_one_surname_of_another() -> None:
    near = {1: "richard wesley", 2: "richard woodly"}
    assert spelled_like(["richard woodley"], near)["richard woodley"].keys() == {2}


def test_common_words_are_known_with_vectors(shop: Index, shop_folder: Path) -> None:
    assert shop.is_common("directed")
    assert shop.is_common("films")
    assert not shop.is_common("austen")
    with Index.open(shop_folder, None) as plain:
        assert not plain.is_common("directed")


def test_nearest(shop: Index) -> None:
    (relations, others) = shop.nearest(Kind.RELATION, ["author of the text", "located in which state"], 2)
    assert relations[0].label == "written by"
    assert others[0].label == "in state"
    assert relations[0].how == "vector"
    entities = shop.nearest(Kind.ENTITY, ["English novelist Jane Austen"], 3)[0]
    assert entities[0].label == "Jane Austen"
    assert [len(hits) for hits in shop.nearest(Kind.QUALIFIER, ["when"])] == [0]
    assert shop.nearest(Kind.ENTITY, []) == ()


def test_nearest_gives_an_item_once(shop: Index) -> None:
    hits = shop.nearest(Kind.CONCEPT, ["book"], 5)[0]
    assert hits[0].matched == "book"
    assert len({hit.iri for hit in hits}) == len(hits) == 5


def test_schema_texts_and_vectors_belong_together(shop: Index, embedder: MiniLM) -> None:
    assert shop.schema_vectors.shape == (len(shop.schema_texts), 384)
    expected = embedder.encode([text for _, text in shop.schema_texts])
    assert np.abs(shop.schema_vectors - expected).max() < 1e-5
    assert {at for at, _ in shop.schema_texts} == set(range(len(shop.schema)))
    kinds = [SCHEMA_KINDS.index(item.kind) for item in shop.schema]
    assert kinds == sorted(kinds)


def test_without_vectors_nothing_is_similar(shop_folder: Path, facts: Index) -> None:
    assert facts.nearest(Kind.RELATION, ["birth"]) == ((),)
    assert (facts.encode(["birth"]) @ facts.schema_vectors.T == 0).all()
    with Index.open(shop_folder, None) as index:
        assert index.nearest(Kind.ENTITY, ["x", "y"]) == ((), ())
        assert index.encode(["x"]).shape == (1, 384)


def test_threads_share_an_index(shop: Index) -> None:
    wrong: list[object] = []
    expected = shop.look_up(["Faust", "books", "Springfield"])

    def work() -> None:
        for _ in range(30):
            if shop.look_up(["Faust", "books", "Springfield"]) != expected or not shop.search("Goethe"):
                wrong.append(threading.get_ident())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_open_index_survives_a_fork(shop: Index) -> None:
    assert shop.look_up(["Faust"])
    child = os.fork()
    if child == 0:
        found = shop.look_up(["Faust"]).get("Faust", ())
        os._exit(0 if found and shop.nearest(Kind.ENTITY, ["Faust"])[0] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert shop.look_up(["Emma"])


def test_nothing_to_open(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match="no index"):
        Index.open(tmp_path / "none", None)


@pytest.mark.parametrize("name", ["items.sqlite", "schema.npy", "manifest.json"])
@pytest.mark.parametrize("content", [b"", b"rubbish" * 100, None])
def test_damaged_files_are_refused(
    shop_folder: Path, embedder: MiniLM, tmp_path: Path, name: str, content: bytes | None
) -> None:
    for file in shop_folder.iterdir():
        if file.name != name:
            (tmp_path / file.name).write_bytes(file.read_bytes())
        elif content is not None:
            (tmp_path / name).write_bytes(content)
    expected = IndexMissing if (name, content) == ("manifest.json", None) else IndexDamaged
    with pytest.raises(expected) as caught:
        Index.open(tmp_path, embedder)
    assert caught.value.hint


def test_a_damaged_neighbour_graph_is_refused(shop_folder: Path, embedder: MiniLM, tmp_path: Path) -> None:
    for file in shop_folder.iterdir():
        content = file.read_bytes()
        (tmp_path / file.name).write_bytes(b"r" * len(content) if file.suffix == ".hnsw" else content)
    with Index.open(tmp_path, embedder) as index, pytest.raises(IndexDamaged):
        index.nearest(Kind.ENTITY, ["x"])


def test_vectors_of_another_model_are_refused(shop_folder: Path) -> None:
    class Other:
        name = "other"
        dimensions = 384

        def encode(self, texts: object) -> object:
            raise AssertionError(texts)

    with pytest.raises(IndexDamaged, match="not of other"):
        Index.open(shop_folder, Other())  # type: ignore[arg-type]


def test_an_empty_graph_has_an_empty_index(tmp_path: Path, embedder: MiniLM) -> None:
    store = EmbeddedOxigraph.in_memory([])
    for layout in get_args(Layout):
        build(store, layout, tmp_path / layout, BuildOptions(embedder=embedder))
        index = Index.open(tmp_path / layout, embedder)
        assert index.schema == ()
        assert index.look_up(["x"]) == {}
        assert index.search("xyz") == ()
        assert [index.nearest(kind, ["x"]) for kind in NAMING_KINDS] == [((),)] * len(NAMING_KINDS)
