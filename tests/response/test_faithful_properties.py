"""The check of wordings over random answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from hypothesis import assume, given
from hypothesis import strategies as st

from compilers.answers import Answer, AnswerValue
from compilers.kopl.functions import Type
from compilers.kopl.notations import read_program
from nlq_gateway.answering.response import Told
from nlq_gateway.answering.response.faithful import fault_of
from nlq_gateway.answering.response.mentions import keys_of
from nlq_gateway.language.detection import languages

PROGRAM = read_program("FindAll()->What()")
LABELS = st.lists(
    st.text(min_size=1, max_size=30).map(str.strip).filter(bool), min_size=1, max_size=5, unique=True
)
WORDS = st.lists(
    st.from_regex(r"[A-Z][a-z]{3,8}( [A-Z][a-z]{3,8})?", fullmatch=True), min_size=1, max_size=5, unique=True
)
# None of these is a word, a number word or a month.
NAMES = st.from_regex(r"[A-Z][bdqxz]{3,8}", fullmatch=True)


def told(labels: list[str], question: str = "Which are they?") -> Told:
    values = tuple(AnswerValue(f"urn:{at}", "iri", label) for at, label in enumerate(labels))
    return Told(question, PROGRAM, Answer(Type.NAMES, values))


@given(LABELS, st.text(max_size=200), st.text(max_size=50))
def test_any_text_gets_a_verdict(labels: list[str], text: str, question: str) -> None:
    assert isinstance(fault_of(text, told(labels, question)), str)


@given(LABELS, st.text(max_size=200), st.text(max_size=50), st.sampled_from(sorted(languages())))
def test_any_text_gets_a_verdict_in_any_language(
    labels: list[str], text: str, question: str, language: str
) -> None:
    assert isinstance(fault_of(text, replace(told(labels, question), language=language)), str)


@given(WORDS, NAMES, st.sampled_from(sorted(languages())))
def test_a_name_more_is_refused_in_any_language(labels: list[str], more: str, language: str) -> None:
    assume(more.casefold() not in keys_of(" ".join(labels)) and len(labels) < 5)
    one = replace(told(labels), language=language)
    assert fault_of(f"{'; '.join(labels)}; {more}.", one) != ""


@given(WORDS)
def test_all_answers_in_a_row_may_be_said(labels: list[str]) -> None:
    assert fault_of(f"They are {'; '.join(labels)}.", told(labels)) == ""


@given(WORDS)
def test_an_answer_that_is_left_out_is_missed(labels: list[str]) -> None:
    assert fault_of(f"They are {'; '.join(labels[1:])}.", told(labels)) != ""


@given(WORDS, NAMES)
def test_a_name_more_is_refused(labels: list[str], more: str) -> None:
    assume(more.casefold() not in keys_of(" ".join(labels)) and len(labels) < 5)
    assert fault_of(f"They are {'; '.join(labels)}; {more}.", told(labels)) != ""


@given(st.integers(0, 10**15))
def test_a_number_is_one_however_it_is_written(number: int) -> None:
    assert keys_of(f"{number:,}") == keys_of(str(number)) == keys_of(f"{number}.0") == (str(number),)


@given(st.dates())
def test_a_date_is_one_however_it_is_written(day: date) -> None:
    assume(day.year >= 1000)
    written = (f"{day:%d %B %Y}", f"{day:%B} {day.day}, {day.year}", f"{day.day} of {day:%b} {day.year}")
    assert {keys_of(text) for text in (*written, day.isoformat())} == {(day.isoformat(),)}
