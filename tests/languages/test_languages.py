"""The language of a question is told by its function words, or by its script."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.recorded.sets import FOLDER
from nlq_gateway.language.detection import ENGLISH, language, language_of, languages

SAMPLE = Path(__file__).parents[2] / "nlq_gateway" / "sample" / "questions.jsonl"
TRANSLATED = [
    json.loads(line)
    for name in ("german", "languages")
    for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
]

ASKED = [
    ("¿Quién dirigió Pulp Fiction?", "es"),
    ("Qui a réalisé Pulp Fiction ?", "fr"),
    ("Chi ha diretto Pulp Fiction?", "it"),
    ("Quem dirigiu Pulp Fiction?", "pt"),
    ("Wie heeft Pulp Fiction geregisseerd?", "nl"),
    ("谁执导了Pulp Fiction?", "zh"),
    ("Pulp Fiction的导演是谁?", "zh"),
    ("Who directed Die Hard?", "en"),
    ("How old is 周杰伦?", "en"),
    ("director Pulp Fiction", ""),
    ("population of los angeles", ""),
    ("彼は誰ですか", ""),
    ("", ""),
    ("??", ""),
]


@pytest.mark.parametrize(("question", "tag"), ASKED, ids=[question for question, _ in ASKED])
def test_the_language_of_a_question(question: str, tag: str) -> None:
    assert language_of(question) == tag


def test_what_a_name_says_is_not_heard() -> None:
    question = "¿Quién escribió the lord of the rings?"
    start = question.index("the")
    assert language_of(question, [(start, len(question) - 1)]) == "es"


def test_every_translated_question_is_in_its_language() -> None:
    assert TRANSLATED
    for one in TRANSLATED:
        assert language_of(one["question"]) == one["lang"], one["question"]


def test_no_english_question_is_taken_for_another() -> None:
    asked = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]
    english = [one["question"] for one in asked if one.get("lang", "en") == "en"]
    assert {language_of(question) for question in english} <= {ENGLISH, ""}


@given(st.text(max_size=80), st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), max_size=3))
def test_any_text_is_in_a_language_or_in_none(text: str, names: list[tuple[int, int]]) -> None:
    assert language_of(text, names) in {"", *languages()}


def test_a_tag_with_a_region_is_the_language() -> None:
    known = language("de-AT")
    assert known is not None
    assert known.name == "German"
    assert language("xx") is None


@pytest.mark.parametrize("tag", languages())
def test_every_language_has_what_an_answer_needs(tag: str) -> None:
    one = languages()[tag]
    assert len(one.words) > 50
    assert one.denials
    assert one.others
    assert set(one.verdicts) == {"yes", "no", "not sure"}
    assert all(one.verdicts.values())
    assert not set(one.verdicts["yes"]) & set(one.verdicts["no"])
    assert list(one.numbers.values()) == list(range(2, 13))
    assert one.script or all(word == word.lower() for word in one.words)
