"""Several values of one thing are told apart by when it had them."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.trace.table import texts_of


def test_two_populations_are_told_with_their_years(gateway: Pipeline) -> None:
    """In the words, beside each value, and in the table; what answers are compared by stays as it is."""
    trace = gateway.run(read_program("Find(<http://world.example/Paris>)->QueryAttr(population)"), "sample")
    assert trace.answer is not None
    years = {value.value: value.qualifier for value in trace.answer.values}
    assert set(years) >= {"2240000", "2165000"}
    assert years["2240000"] == "2010"
    assert "2240000 (2010)" in trace.text
    assert trace.columns[1:] == ("point in time",)
    assert ("2240000", "2010") in texts_of(trace.cells)
    assert "2240000" in trace.answer.strings


def test_a_question_has_them_too(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("How many people live in Paris?", "sample"))
    assert "2240000 (2010)" in trace.text


@pytest.mark.parametrize(
    "program",
    [
        "Find(Nile)->QueryAttr(length)",
        "FindAll()->FilterConcept(river)->QueryAttr(length)",
        "Find(Pulp Fiction)->Relate(directed by, forward)->What()",
    ],
    ids=["one value", "of several things", "no attribute"],
)
def test_other_answers_stay_as_they_are(gateway: Pipeline, program: str) -> None:
    trace = gateway.run(read_program(program), "sample")
    assert trace.answer is not None
    assert {value.qualifier for value in trace.answer.values} == {None}
