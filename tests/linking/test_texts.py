"""Strings of a graph where nothing is named, in questions: what is found, as what, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectors.errors import EndpointRefusedQuery, EndpointTimeout
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.core.types import Question, TextMention
from nlq_gateway.index import BuildLimits, BuildOptions, Index, build
from nlq_gateway.question.linking import Linker
from tests.index.stores import Slow

HARBOUR = Path(__file__).parent / "fixtures" / "harbour.ttl"


@pytest.fixture(scope="module")
def store() -> EmbeddedOxigraph:
    return EmbeddedOxigraph.in_memory([HARBOUR])


@pytest.fixture(scope="module")
def harbour(store: EmbeddedOxigraph, tmp_path_factory: pytest.TempPathFactory) -> Linker:
    folder = tmp_path_factory.mktemp("harbour")
    build(store, "direct", folder)
    return Linker(Index.open(folder, None))


def texts(linker: Linker, question: str) -> dict[str, TextMention]:
    return {mention.text: mention for mention in linker.link(Question(question)).texts}


@pytest.mark.parametrize(
    ("question", "words", "value", "predicate", "how"),
    [
        ("Where does Ann Lund work?", "Ann Lund", "Ann Lund", "sailor#name", "exact"),
        ("where does ann lund work", "ann lund", "Ann Lund", "sailor#name", "folded"),
        ("How long is the Swift-class 40?", "Swift-class 40", "swift class 40", "ship#model", "folded"),
        ("How many ferries are there?", "ferries", "ferry", "ship#kind", "stem"),
        ("Which ships carry salted fish?", "salted fish", "Salted Fish", "ship#cargo", "folded"),
        ("Which ships carry 'Salted fish'?", "'Salted fish'", "Salted Fish", "ship#cargo", "folded"),
        ("Who are the Norwegian sailors?", "Norwegian", "norway", "sailor#country", "derived"),
        ("Which ships were built in 1998?", "1998", "1998", "ship#built", "exact"),
        ("Who comes from the United States?", "United States", "USA", "sailor#country", "derived"),
        ("Who comes from the US?", "US", "USA", "sailor#country", "derived"),
        ("How many female sailors are there?", "female", "F", "sailor#sex", "derived"),
        ("How many sailors are women?", "women", "F", "sailor#sex", "derived"),
        ("Which ships are non-insured?", "non-insured", "false", "ship#isInsured", "derived"),
        ("Which ships are uninsured?", "uninsured", "false", "ship#isInsured", "derived"),
        ("Which ships are well and truly heronly built?", "heronly", "heron", "ship#model", "derived"),
        ("Which ship is a trawlr?", "trawlr", "trawler", "ship#kind", "fuzzy"),
        ("which ships carry saltedd fish", "saltedd fish", "Salted Fish", "ship#cargo", "fuzzy"),
        ("Where does Lund work?", "Lund", "Ann Lund", "sailor#name", "partial"),
        ("Where does Kim Stonee work?", "Kim Stonee", "Kim Stone", "sailor#name", "fuzzy"),
    ],
)
def test_a_string_is_found_as_people_write_it(
    harbour: Linker, question: str, words: str, value: str, predicate: str, how: str
) -> None:
    mention = texts(harbour, question)[words]
    assert question[mention.start : mention.end] == words
    best = mention.hits[0]
    assert (best.value, best.how) == (value, how)
    assert best.predicates == {f"http://harbour.example/{predicate}"}


def test_a_preposition_denies_nothing(harbour: Linker) -> None:
    found = texts(harbour, "What is carried in insured ships?").values()
    assert "false" not in {hit.value for mention in found for hit in mention.hits}


def test_a_string_inside_a_longer_one_is_left_out(harbour: Linker) -> None:
    assert set(texts(harbour, "Who is Ann Lund?")) == {"Ann Lund"}
    assert set(texts(harbour, "Who is Ann?")) == {"Ann"}


def test_a_string_of_two_attributes_has_both(harbour: Linker) -> None:
    (hit,) = texts(harbour, "What is in Bergen?")["Bergen"].hits
    assert hit.predicates == {"http://harbour.example/sailor#home", "http://harbour.example/ship#port"}


@pytest.mark.parametrize("question", ["Which is the one?", "", "?", "Who works for us?", "Is Xqzt there?"])
def test_common_words_are_no_strings(harbour: Linker, question: str) -> None:
    assert texts(harbour, question) == {}


def test_strings_beyond_the_limits_are_left_out(store: EmbeddedOxigraph, tmp_path: Path) -> None:
    manifest = build(store, "direct", tmp_path, BuildOptions(limits=BuildLimits(texts_each=1)))
    with Index.open(tmp_path, None) as index:
        assert manifest.counts["text values"] == 10
        assert manifest.sampled["text values"] == "all of 1 of the 12 that have strings"
        assert index.texts.complete == {"http://harbour.example/ship#log"}


@pytest.mark.parametrize("error", [EndpointTimeout, EndpointRefusedQuery])
def test_strings_that_the_store_does_not_give_are_not_complete(
    store: EmbeddedOxigraph, tmp_path: Path, error: type[Exception]
) -> None:
    slow = Slow(store, r"sailor#name> \}.*STRLEN", error)
    manifest = build(slow, "direct", tmp_path)
    with Index.open(tmp_path, None) as index:
        assert manifest.sampled["text values"] == "all of 11 of the 12 that have strings"
        assert "http://harbour.example/sailor#name" not in index.texts.complete
        assert "Ann Lund" not in texts(Linker(index), "Where does Ann Lund work?")


def test_long_texts_are_not_kept(harbour: Linker) -> None:
    assert harbour.index.manifest.counts["text values"] == 21
    assert "http://harbour.example/ship#log" in harbour.index.texts.complete
