"""Names as people write them, in several languages: which entity is found, and where there is none."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Question
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.linking.forms import other_forms

FIXTURES = Path(__file__).parent / "fixtures"


def _written() -> list[dict[str, str]]:
    with (FIXTURES / "written.tsv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("case", _written(), ids=lambda case: case["kind"])
def test_a_name_is_found_however_it_is_written(places: Linker, case: dict[str, str]) -> None:
    mentions = places.link(Question(case["question"])).mentions
    found = {mention.text: mention.hits[0].iri.rpartition("/")[2] for mention in mentions}
    assert found.get(case["words"]) == case["iri"], found


@pytest.mark.parametrize(
    "question",
    [
        "It is the best, is it?",
        "Who are the ones that it is about?",
        "Was ist das?",
        "Wie viele sind es?",
        "这是什么?",
        "ما هذا؟",
        "Кто это?",
        "What is Apollo 13?",
        "Who is K. Nolan?",
        "Is it Berlitz?",
    ],
)
def test_words_that_name_nothing_are_no_names(places: Linker, question: str) -> None:
    mentions = places.link(Question(question)).mentions
    assert not [mention.text for mention in mentions if mention.kind == Kind.ENTITY]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Rocky II", "Rocky 2"),
        ("Rocky 2", "Rocky ii"),
        ("The Shining", "Shining"),
        ("Shining", "The Shining"),
        ("Dr. Angela Merkel", "Angela Merkel"),
        ("Siemens AG", "Siemens"),
        ("Schillers", "Schiller"),
        ("Mueller", "Müller"),
        ("JRR Tolkien", "J R R Tolkien"),
        ("Simon & Garfunkel", "Simon and Garfunkel"),
    ],
)
def test_a_name_has_other_forms(name: str, form: str) -> None:
    assert form.lower() in {one.lower() for one in other_forms(name)}


@pytest.mark.parametrize("name", ["", "I", "Who", "is", "V", "s", "AG", "7"])
def test_what_is_no_name_has_no_other_forms(name: str) -> None:
    assert not {one for one in other_forms(name) if one.split()[1:] != [name] and one.split() != [name]}
