"""Attributes that say "Yes" and "No", or "Y" and "N": asked for as those that are true and false."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.truths import truths_of
from tests.pipeline.test_flags import HOTELS, OTHERWISE, QUESTIONS


@pytest.fixture(scope="module", params=[("Yes", "No"), ("Y", "N"), ("t", "f")])
def hotels(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    yes, no = request.param
    graph = re.sub(r'\btrue\b|"1"\^\^xsd:boolean', f'"{yes}"', HOTELS.read_text(encoding="utf-8"))
    graph = re.sub(r'\bfalse\b|"0"\^\^xsd:boolean', f'"{no}"', graph)
    file = tmp_path_factory.mktemp("hotels") / "hotels.ttl"
    file.write_text(graph, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


@pytest.mark.parametrize(("question", "expected"), QUESTIONS)
def test_questions(hotels: Pipeline, question: str, expected: list[str]) -> None:
    trace = hotels.ask(Ask(question))
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == expected


@pytest.fixture(scope="module")
def numbered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    """The same with 1 and 0, as databases export them."""
    graph = HOTELS.read_text(encoding="utf-8").replace(" true", " 1").replace(" false", " 0")
    file = tmp_path_factory.mktemp("numbered") / "hotels.ttl"
    file.write_text(graph, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which hotels have parking?", ["Grand Astor", "Sea View"]),
        ("Which hotels are not open?", ["Grand Astor"]),
        ("Is Grand Astor open?", ["no"]),
        ("Does Sea View have parking?", ["yes"]),
    ],
)
def test_one_and_nought(numbered: Pipeline, question: str, expected: list[str]) -> None:
    trace = numbered.ask(Ask(question))
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == expected


@pytest.mark.parametrize(("text", "expected"), OTHERWISE)
def test_another_word_for_so_and_not_so(
    hotels: Pipeline, numbered: Pipeline, text: str, expected: list[str]
) -> None:
    for gateway in (hotels, numbered):
        trace = gateway.run(read_program(text))
        assert trace.answer is not None
        assert sorted(trace.answer.strings) == expected
        assert [one.code for one in trace.warnings] == ["name-replaced"]


def test_other_numbers_are_no_truths() -> None:
    assert truths_of(("0", "1"), "floor") is None
    assert truths_of(("0", "1"), " ") is None
    assert truths_of(("0", "1", "2"), "has floors") is None
    assert truths_of(("0", "1"), "has parking") == ("1", "0")


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("true",), ("true", "false")),
        (("No", "Yes"), ("Yes", "No")),
        (("N", "Y"), ("Y", "N")),
        (("no",), None),
        (("yes", "no", "unknown"), None),
        (("F", "M"), None),
        ((), None),
    ],
)
def test_texts_that_say_so_or_not(texts: tuple[str, ...], expected: tuple[str, str] | None) -> None:
    assert truths_of(texts, "is open") == expected
