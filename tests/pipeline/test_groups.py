"""Numbers for each of something: told apart by what the counted things have, not by what others have."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask, Pipeline

WORLD = "http://world.example/"
COUNTS = """
PREFIX pred: <pred:>
SELECT (COUNT(DISTINCT ?thing) AS ?n) ?name {{
  ?thing pred:instance_of <{world}{kind}> ; <{world}located_in> ?place .
  ?place pred:instance_of <{world}country> ; pred:name ?name . FILTER(LANG(?name) = "en")
}} GROUP BY ?place ?name
"""


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        # A country has a code and is a place, as a mountain is: but no mountain has one.
        pytest.param(
            "How many mountains are there in each country?",
            "mountain",
            marks=pytest.mark.xfail(
                strict=True, reason="countries that have none are counted, too: ambiguous"
            ),
        ),
        ("How many mountains does each country have?", "mountain"),
        # Universities lie in cities and states, too.
        pytest.param(
            "How many universities are there in each country?",
            "university",
            marks=pytest.mark.xfail(strict=True, reason="two readings with their columns in another order"),
        ),
    ],
)
def test_each_country_is_where_they_are(gateway: Pipeline, question: str, kind: str) -> None:
    trace = gateway.ask(Ask(question, "sample"))
    rows = gateway.endpoint("sample").connector.query(COUNTS.format(world=WORLD, kind=kind)).rows
    assert trace.status == "answered"
    assert trace.answer is not None
    wanted = {tuple(term.value for term in row if term) for row in rows}
    assert {tuple(string.split("\t")) for string in trace.answer.strings} == wanted
