"""Questions of words thrown together: whatever is asked, the gateway answers or says why not."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trace_document import STATUSES, misfits

from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.errors import InvalidRequest
from nlq_gateway.core.words import readable

COMMON = """
    who what which when where how many much did does is was the a of in on by with and or not before
    after than more less longest largest first most least between both film films person directed
    starring born released based author novel city duration date place birth Her It Up 1984 Psycho
    Arrival London Hitchcock Amy Adams Amélie (500) Days Summer 120 minutes 2009 1 January 2000 $5m
    16th -3 '' "Her" "x ? ! . , ( ) { } <x> \\ # % Xqzt zzz 北京 🎬 \u0301 \ud800 \x00 ; -- /* */ &amp;
    ${HOME} ' ` | ~
""".split()
CINEMA_WORDS = st.lists(
    st.one_of(st.sampled_from(COMMON), st.text(max_size=6)),
    max_size=14,
)
SAMPLE_WORDS = """
    Paris Germany Nile Batman Nobel Prize rivers films countries longer than 5000 km born in 1940 who how many
    Apple Steve Jobs population of New York City before 2000 capital euro the largest highest mountain and or
""".split()
EXAMPLES = int(os.environ.get("NLQ_EXAMPLES", "20"))
RUNS = {
    "max_examples": EXAMPLES,
    "derandomize": True,
    "deadline": None,
    "database": None,
    "suppress_health_check": list(HealthCheck),
}


def ask(gateway: Pipeline, words: list[str], dataset: str) -> None:
    """Ask; a question without words is refused, and any other error fails the test."""
    question = " ".join(words)
    if not readable(question).strip():
        with pytest.raises(InvalidRequest):
            gateway.ask(Ask(question, dataset))
        return
    document = gateway.ask(Ask(question, dataset)).as_json()
    assert misfits(document) == []
    assert document["status"] in STATUSES
    assert 0 <= document["confidence"]["score"] <= 1
    assert (document["status"] in ("empty", "unanswerable")) == ("diagnosis" in document)
    json.dumps(document, allow_nan=False, ensure_ascii=False).encode()


@given(CINEMA_WORDS)
@settings(**RUNS)  # type: ignore[arg-type]
def test_word_salads(gateway: Pipeline, words: list[str]) -> None:
    ask(gateway, words, "cinema")


@given(st.lists(st.sampled_from(SAMPLE_WORDS), min_size=1, max_size=6))
@settings(**RUNS)  # type: ignore[arg-type]
def test_word_salads_over_a_graph_with_qualifiers(gateway: Pipeline, words: list[str]) -> None:
    ask(gateway, words, "sample")
