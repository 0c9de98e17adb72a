"""What is seen in candidates: questions of the sample graph, with programs that suit them and that do not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.endpoints import Endpoint
from nlq_gateway.linking import Linker
from nlq_gateway.pipeline import Gateway
from nlq_gateway.ranking import FEATURES, PRIOR, Candidate, Ranking, Weights, shipped, together
from nlq_gateway.ranking.asked import Asked, Operator, Wanted
from nlq_gateway.ranking.features import Seen, features_of
from nlq_gateway.settings import SAMPLE, Settings
from nlq_gateway.types import Draft, Question

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def endpoint(cache: Path) -> Iterator[Endpoint]:
    assert cache.name == "cache"
    gateway = Gateway(Settings.for_data([SAMPLE]))
    gateway.endpoint(None).prepare()
    yield gateway.endpoint(None)
    gateway.close()


def draft(program: str, source: str = "bottom-up", score: float = 1.0, **parts: float) -> Draft:
    return Draft(read_program(program), source, score, parts={"explained": 1.0, **parts})


def seen_in(endpoint: Endpoint, question: str, program: str) -> dict[str, float]:
    links = Linker(endpoint.index).link(Question(question))
    (candidate,) = together([draft(program)], lambda _: 0.0)
    return features_of(Seen(links, endpoint.index), candidate)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How many films did Nolan direct?", Wanted.NUMBER),
        ("What is the number of films?", Wanted.NUMBER),
        ("When was Berlin founded?", Wanted.TIME),
        ("Is Berlin larger than Hamburg?", Wanted.VERDICT),
        ("Who directed Pulp Fiction?", Wanted.PERSON),
        ("Capital of Australia?", Wanted.THINGS),
    ],
)
def test_what_a_question_wants(question: str, wanted: Wanted) -> None:
    assert Asked.of(question).wanted == wanted


@pytest.mark.parametrize(
    ("question", "operators"),
    [
        ("Which film is the longest?", {Operator.EXTREME, Operator.TOTAL}),
        ("Which cities have more than 3 rivers?", {Operator.COMPARISON, Operator.EXTREME}),
        ("Which films are not by Nolan?", {Operator.DENIAL, Operator.COMPARISON}),
        ("Rivers in Germany or France", {Operator.CHOICE}),
        ("Who shows interest in a forest?", set()),
    ],
)
def test_operators_of_a_question(question: str, operators: set[Operator]) -> None:
    assert Asked.of(question).operators == operators


@pytest.mark.parametrize(
    ("question", "program", "there"),
    [
        ("How many films are there?", "FindAll()->FilterConcept(film)->What()", "number asked, none given"),
        ("Which films are there?", "FindAll()->FilterConcept(film)->Count()", "counted, none asked"),
        ("Is there a film?", "FindAll()->FilterConcept(film)->What()", "verdict asked, none given"),
        (
            "Which film is the longest?",
            "FindAll()->FilterConcept(film)->What()",
            "extreme missed",
        ),
        (
            "Which films are there?",
            "FindAll()->FilterConcept(film)->SelectAmong(duration, largest)",
            "extreme unasked",
        ),
    ],
)
def test_what_speaks_against_a_program(endpoint: Endpoint, question: str, program: str, there: str) -> None:
    assert seen_in(endpoint, question, program)[there] == 1


def test_a_value_stands_near_what_has_it(endpoint: Endpoint) -> None:
    question = "What is the duration of films with a budget below 30?"
    near = "FindAll()->FilterConcept(film)->FilterNum(budget, 30, <)->QueryAttr(duration)"
    far = "FindAll()->FilterConcept(film)->FilterNum(duration, 30, <)->QueryAttr(budget)"
    found = [seen_in(endpoint, question, program) for program in (near, far)]
    assert found[0]["far value"] < found[1]["far value"]
    assert "asked late" not in found[0]


def test_all_features_have_names_in_the_documentation(endpoint: Endpoint) -> None:
    table = re.findall(r"^\| `(.+?)` \| (.+) \|$", (DOCS / "ranking.md").read_text(), re.MULTILINE)
    assert dict(table) == FEATURES
    assert seen_in(endpoint, "Which films are there?", "FindAll()->FilterConcept(film)->What()").keys() <= (
        FEATURES.keys()
    )


def test_sources_that_agree_count_once_each() -> None:
    program = "FindAll()->FilterConcept(film)->What()"
    drafts = [draft(program, "bottom-up", 2.0), draft(program, "demonstration", 1.0, similarity=0.9)]
    (found,) = together(drafts, lambda _: 0.5)
    assert found.sources == {"bottom-up", "demonstration"}
    assert (found.draft.score, found.worth, found.draft.parts["similarity"]) == (2.0, 0.5, 0.9)


def test_the_prior_is_a_source_s_score_with_worth_and_agreement(endpoint: Endpoint) -> None:
    links = Linker(endpoint.index).link(Question("Which films are there?"))
    one, other = draft("FindAll()->FilterConcept(film)->What()"), draft("FindAll()->What()", score=1.2)
    candidates = [Candidate(one, frozenset({"a", "b"}), 0.5), Candidate(other, frozenset({"a"}))]
    found = Ranking(endpoint.index, PRIOR).ranked(links, candidates)
    assert [round(ranked.draft.score, 6) for ranked in found] == [1.8, 1.2]


def test_a_draft_without_a_score_of_its_own_counts_the_words_that_it_covers(endpoint: Endpoint) -> None:
    links = Linker(endpoint.index).link(Question("Which films are there in Germany?"))
    program = read_program("FindAll()->FilterConcept(film)->What()")
    (candidate,) = together([Draft(program, "drafter", -0.1, {"likelihood": -0.1})], lambda _: 0.0)
    found = features_of(Seen(links, endpoint.index), candidate)
    assert (found["score"], found["likelihood"]) == (1.0, -0.1)
    assert "likelihood unknown" not in found


def test_shipped_weights_keep_the_unit_of_scores() -> None:
    assert shipped()["score"] == 1.0
    with pytest.raises(ValueError, match="no features of the ranking: colour"):
        Weights.of({"colour": 1.0})
