"""Drafts of the default strategy are sound programs, best first: the stages after it rely on that."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from compilers.kopl.check import require_valid
from compilers.kopl.functions import NAMING_KINDS
from nlq_gateway.core.types import Draft, Question
from nlq_gateway.drafts.reasoning import BottomUp, Breadth
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading

DraftOf = Callable[[str], tuple[Draft, ...]]

QUESTIONS = [
    *("Who directed Her?", "Which films star Amy Adams?", "How many films did Alfred Hitchcock direct?"),
    *(
        "Which films are longer than 120 minutes?",
        "Which films came out before 1965?",
        "When was Up released?",
    ),
    *("Where was the director of Psycho born?", "Which film is the longest?", "Who directed It and Her?"),
    "Was Psycho released on 16 June 1960?",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_draft_is_a_program_of_the_language(drafts: DraftOf, question: str) -> None:
    found = drafts(question)
    assert found
    for draft in found:
        require_valid(draft.program)


@pytest.mark.parametrize("question", QUESTIONS)
def test_drafts_differ_and_the_best_comes_first(drafts: DraftOf, question: str) -> None:
    found = drafts(question)
    assert all(one.score >= other.score for one, other in pairwise(found))
    assert len({(draft.program, tuple(sorted(draft.choices.items()))) for draft in found}) == len(found)
    assert {draft.source for draft in found} == {"bottom-up"}


@pytest.mark.parametrize("question", QUESTIONS)
def test_choices_and_mentions_are_of_arguments_that_name_something(drafts: DraftOf, question: str) -> None:
    for draft in drafts(question):
        for step, argument in {*draft.choices, *draft.mentions}:
            parameters = draft.program.steps[step].signature.parameters
            assert argument < len(parameters)
        named = {
            (index, argument)
            for index, step in enumerate(draft.program.steps)
            for argument, parameter in enumerate(step.signature.parameters)
            if parameter.kind in NAMING_KINDS
        }
        assert draft.choices.keys() <= named


def test_a_choice_is_an_item_that_bears_the_name(strategy: BottomUp, drafts: DraftOf) -> None:
    index = strategy.index
    for draft in drafts("Who directed It?"):
        for (step, argument), iris in draft.choices.items():
            name = draft.program.steps[step].inputs[argument]
            kind = draft.program.steps[step].signature.parameters[argument].kind
            for iri in iris:
                item = index.entity(iri) or index.item(kind, iri)
                assert item is not None, iri
                assert item.label == name


def test_bearers_of_one_name_give_drafts_of_their_own(drafts: DraftOf) -> None:
    chosen = {draft.choices.get((0, 0)) for draft in drafts("Who directed It?")}
    assert ("http://cinema.example/it",) in chosen


@pytest.mark.parametrize("question", ["Qwrtz xyzzy?", "?", "of the and", "北京"])
def test_nothing_known_gives_no_draft(drafts: DraftOf, question: str) -> None:
    assert drafts(question) == ()


def test_no_more_drafts_than_wanted(strategy: BottomUp) -> None:
    few = BottomUp(strategy.index, strategy.surroundings, Breadth(drafts=2))
    links = Linker(strategy.index).link(Question("Which films star Amy Adams?"))
    reading = QuestionReading.of(links, strategy.index)
    assert few.draft(reading) == strategy.draft(reading)[:2]
