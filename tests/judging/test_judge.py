"""The judge over the built-in graph: how candidates read, in which order they come, and what is not read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.attempt import Ask, carry_out
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.core.types import Draft, Question
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index import Index
from nlq_gateway.judging import AFTER, BEFORE, READING, Candidate, Judge, JudgeWeights, shipped, together
from nlq_gateway.judging.evidence import WordsSaid, before
from nlq_gateway.judging.judge import Judged
from nlq_gateway.judging.text import found_text, steps_text
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.settings import SAMPLE, Settings
from nlq_gateway.trace import Recorder

DIRECTED = "Find(Pulp Fiction)->Relate(directed by, forward)->What()"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    gateway = Pipeline(Settings.for_data([SAMPLE]))
    gateway.endpoint(None).prepare()
    yield gateway.endpoint(None)
    gateway.close()


@pytest.fixture(scope="module")
def index(endpoint: Endpoint) -> Index:
    return endpoint.index


def read_question(index: Index, text: str, language: str = "en") -> QuestionReading:
    return QuestionReading.of(Linker(index).link(Question(text, language)), index)


def draft(index: Index, text: str, score: float = 1.0, source: str = "test") -> Draft:
    """A program whose names are grounded, by a source that scores in words of the question."""
    program = read_program(text)
    bindings = Grounder(index).ground(program, near=False).bindings
    choices: dict[tuple[int, int], tuple[str, ...]] = {
        (one.step, one.argument): (one.iri,) for one in bindings if one.iri
    }
    return Draft(program, source, score, {"cost": 0.0}, choices=choices)


def order(index: Index, question: str, texts: list[str], language: str = "en") -> list[str]:
    """The programs in the judge's order, all with the same score of their source."""
    reading = read_question(index, question, language)
    candidates = together((draft(index, text) for text in texts), lambda _: 0.0)
    judged = Judge.of(index).order(reading, candidates)
    return [NOTATIONS["chain"].write(one.draft.program) for one in judged]


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (DIRECTED, "find Pulp Fiction (film); relate directed by (artist, film director) forward; what"),
        ("Find(Danube)->QueryAttr(length)", "find Danube (river); query attr length (quantity)"),
        ("FindAll()->FilterConcept(river)->Count()", "find all; filter concept river; count"),
    ],
)
def test_names_come_with_their_classes_and_types(index: Index, program: str, text: str) -> None:
    one = draft(index, program)
    assert steps_text(one.program, one.choices, index) == text


def test_of_many_answers_the_first_are_read_and_the_others_counted() -> None:
    steps = "find all; filter concept river; what"
    assert found_text(steps, ["Danube"], 1) == f"{steps} = Danube"
    assert found_text(steps, ["Danube", "Rhine", "Nile"], 20) == f"{steps} = Danube, Rhine, Nile, 17 more"
    assert found_text(steps, [], 0) == f"{steps} = nothing"


right_and_wrong = pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("Who directed Pulp Fiction?", DIRECTED, "Find(Pulp Fiction)->Relate(cast member, forward)->What()"),
        (
            "How many rivers are there?",
            "FindAll()->FilterConcept(river)->Count()",
            "FindAll()->FilterConcept(river)->What()",
        ),
        (
            "Which rivers are longer than 1000 kilometre?",
            "FindAll()->FilterConcept(river)->FilterNum(length, 1000 kilometre, >)->What()",
            "FindAll()->FilterConcept(river)->FilterNum(length, 1000 kilometre, <)->What()",
        ),
        (
            "Who starred in the films directed by Quentin Tarantino?",
            "Find(Quentin Tarantino)->Relate(directed by, backward)->Relate(cast member, forward)->What()",
            "Find(Quentin Tarantino)->Relate(directed by, backward)->What()",
        ),
    ],
)


@right_and_wrong
def test_what_answers_the_question_comes_first(index: Index, question: str, right: str, wrong: str) -> None:
    expected = NOTATIONS["chain"].write(read_program(right))
    assert order(index, question, [right, wrong])[0] == expected
    assert order(index, question, [wrong, right])[0] == expected


@right_and_wrong
def test_what_found_the_answer_reads_better(
    endpoint: Endpoint, question: str, right: str, wrong: str
) -> None:
    drafts = [draft(endpoint.index, text) for text in (right, wrong)]
    outcomes = (carry_out(endpoint, Ask(question), one, {}, Recorder()) for one in drafts)
    ran = [(one, outcome.answer) for one, outcome in zip(drafts, outcomes, strict=True) if outcome.answer]
    links = read_question(endpoint.index, question).links
    read = Judge.of(endpoint.index).read_again(links, ran)
    better, worse = (odds for odds in read if odds is not None)
    assert better > worse


def test_things_that_a_name_may_mean_share_their_reading(index: Index) -> None:
    """Which of them is meant the network cannot know: it reads labels, and both films are close."""
    reading = read_question(index, "Who directed Alien, and what genre is it?")
    steps = "->Relate(directed by, forward)->What()"
    drafts = [draft(index, f"Find({name}){steps}") for name in ("Alien", "Aliens")]
    apart = Judge.of(index).order(reading, together(drafts, lambda _: 0.0))
    said = [replace(one, mentions={(0, 0): "Alien"}) for one in drafts]
    shared = Judge.of(index).order(reading, together(said, lambda _: 0.0))
    assert len({one.evidence["reading"] for one in apart}) == 2
    assert len({one.evidence["reading"] for one in shared}) == 1


def test_what_nothing_could_answer_is_last_and_read_only_if_all_are_so(index: Index) -> None:
    impossible = draft(index, "FindAll()->FilterConcept(film)->FilterHasRelation(capital, forward)->What()")
    reading = read_question(index, "Which countries have a capital?")

    def judged(*drafts: Draft) -> list[tuple[bool, bool]]:
        found = Judge.of(index).order(reading, together(drafts, lambda _: 0.0))
        return [(one.is_out, one.evidence["reading"] != 0.0) for one in found]

    right = draft(index, "FindAll()->FilterConcept(country)->FilterHasRelation(capital, forward)->What()")
    assert judged(impossible, right) == [(False, True), (True, False)]
    assert judged(impossible) == [(True, True)]


def test_what_is_far_behind_is_not_read(index: Index) -> None:
    """Unless it was read before, or neither drafter nor reasoner proposes it."""
    near, far = (draft(index, DIRECTED, score=score) for score in (1.0, -2.0))
    far = replace(far, program=read_program("Find(Pulp Fiction)->Relate(cast member, forward)->What()"))
    reading, judge = read_question(index, "Who directed Pulp Fiction?"), Judge.of(index)
    both = together([near, far], lambda _: 0.0)
    first, second = both

    def programs(*candidates: Candidate, known: tuple[Judged, ...] = ()) -> list[Program]:
        judged = judge.order(reading, candidates, known)
        assert all((READING in one.draft.parts) == one.near for one in judged)
        return [one.candidate.draft.program for one in judged if one.near]

    assert programs(*both) == [near.program]
    assert [one.candidate for one in judge.order(reading, both)] == [first, second]
    assert programs(*both, known=judge.order(reading, [second])) == [near.program, far.program]
    given = replace(second, draft=replace(far, parts={}))
    assert programs(first, given) == [near.program, far.program]


def test_a_question_in_another_language_is_not_read(index: Index) -> None:
    reading = read_question(index, "Wer drehte Pulp Fiction?", "de")
    (one,) = Judge.of(index).order(reading, together([draft(index, DIRECTED)], lambda _: 0.0))
    assert one.evidence["reading"] == 0
    assert READING not in one.draft.parts
    (read,) = Judge.of(index).order(
        read_question(index, "Who directed Pulp Fiction?"),
        together([draft(index, DIRECTED)], lambda _: 0.0),
    )
    assert read.draft.parts[READING] == read.evidence["reading"] != 0


def test_a_program_that_is_too_long_is_read_in_part(index: Index) -> None:
    reading = read_question(index, "Who directed Pulp Fiction?")
    long = "->".join(["FindAll()", "FilterConcept(film)", *["FilterConcept(film)"] * 60, "What()"])
    judged = Judge.of(index).order(
        reading, together([draft(index, DIRECTED), draft(index, long)], lambda _: 0.0)
    )
    assert [one.whole for one in sorted(judged, key=lambda one: len(one.draft.program))] == [True, False]


def test_evidence_has_what_it_says(index: Index) -> None:
    candidate = Candidate(draft(index, DIRECTED, score=3.0), frozenset({"one", "other"}), worth=0.5)
    found = before(candidate, -1.0, 4.0, WordsSaid())
    assert found.keys() == BEFORE.keys()
    assert (found["own"], found["agreed"], found["worth"], found["unwritten"]) == (-1.0, 1.0, 0.5, 1.0)
    assert before(candidate, -1.0, 40.0, WordsSaid())["own"] == -4.0


def test_weights_are_of_known_numbers() -> None:
    assert shipped().numbers.keys() == BEFORE.keys()
    assert AFTER.keys().isdisjoint(BEFORE)
    with pytest.raises(ValueError, match="the judge knows no steps"):
        JudgeWeights.of({"steps": 1.0})
