"""Words that say one of a few values in another way stand for it; others that begin alike do not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.rooms import opened
from nlq_gateway.answering import Pipeline
from nlq_gateway.core.types import Question
from nlq_gateway.question.linking import Linker

GRAPH = """
@prefix : <http://shop.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:w1 a :Watch ; rdfs:label "Delia" ; :material "gold" ; :access "restricted" ; :isInsured true .
:w2 a :Watch ; rdfs:label "Ormond" ; :material "silver" ; :access "open" ; :isInsured false .
:w3 a :Watch ; rdfs:label "Tern" ; :material "gold" ; :access "open" ; :isInsured true .
:w1 :sale "OutOfStock" ; :event "EventCancelled" . :w2 :sale "InStock" ; :event "EventScheduled" .
"""


@pytest.fixture(scope="module")
def linker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Linker]:
    file = tmp_path_factory.mktemp("shop") / "shop.ttl"
    file.write_text(GRAPH, encoding="utf-8")
    with opened((str(file),)) as gateway:
        yield _linker(gateway)


def _linker(gateway: Pipeline) -> Linker:
    return Linker(gateway.endpoint(None).index)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("golden", "gold"),
        ("gold", "gold"),
        ("restrictions", "restricted"),
        ("insurance", "true"),
        ("restaurants", None),
        ("cancelled", "EventCancelled"),
        ("out of stock", "OutOfStock"),
        ("out-of-stock", "OutOfStock"),
        ("events", None),
    ],
)
def test_a_word_of_the_same_stem_and_sense_is_the_value(linker: Linker, word: str, value: str | None) -> None:
    found = linker.link(Question(f"Which watches have {word}?")).texts
    assert [hit.value for mention in found if mention.text == word for hit in mention.hits] == (
        [value] if value else []
    )
