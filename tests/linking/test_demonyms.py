from __future__ import annotations

import pytest

from nlq_gateway.core.types import Question
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.linking.forms import places_of

PLACES = [
    ("German", "Germany"),
    ("Italian", "Italy"),
    ("Austrian", "Austria"),
    ("Chinese", "China"),
    ("Japanese", "Japan"),
    ("Mexican", "Mexico"),
    ("Brazilian", "Brazil"),
    ("Swedish", "Sweden"),
    ("Finnish", "Finland"),
    ("Turkish", "Turkey"),
    ("Spanish", "Spain"),
    ("European", "Europe"),
    ("Icelandic", "Iceland"),
    ("Parisian", "Paris"),
    ("Israeli", "Israel"),
    ("French", "France"),
    ("American", "United States"),
]


@pytest.mark.parametrize(("adjective", "place"), PLACES)
def test_an_adjective_may_be_made_from_the_place(adjective: str, place: str) -> None:
    assert place in places_of(adjective)


@pytest.mark.parametrize("word", ["german", "I", "", "K2", "x-ray"])
def test_other_words_are_made_from_none(word: str) -> None:
    assert places_of(word) == ()


def test_a_short_name_is_not_short_for_a_place() -> None:
    assert "Joey" not in places_of("Joe")
    assert "Germany" in places_of("German")


def test_the_place_is_a_further_reading_of_the_adjective(sample: Linker) -> None:
    (mention,) = (
        m for m in sample.link(Question("Which German rivers are long?")).mentions if m.text == "German"
    )
    assert [(hit.label, hit.how) for hit in mention.hits] == [("German", "exact"), ("Germany", "derived")]


def test_a_longer_name_keeps_its_words(sample: Linker) -> None:
    mentions = sample.link(Question("Is the Austrian Alpsberg there?")).mentions
    assert ("Austrian", "Austria", "derived") in [(m.text, h.label, h.how) for m in mentions for h in m.hits]
    found = sample.link(Question("Who plays in The English Patient?")).mentions
    assert all(hit.how != "derived" for m in found if " " in m.text for hit in m.hits)
