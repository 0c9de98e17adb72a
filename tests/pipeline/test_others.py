"""The entity asked about is not among its own others, and the trace says so."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.core.types import Draft, Question
from nlq_gateway.drafts.reasoning.sets.others import draft_without_itself
from nlq_gateway.index.naming import NamingAttributes
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading


@pytest.mark.parametrize(
    ("question", "left_out"),
    [
        ("Which films were directed by the director of Inception?", "Inception"),
        ("films by the director of Inception", "Inception"),
        ("Which other films did the director of Inception direct?", "Inception"),
        ("Who starred in the same films as Leonardo DiCaprio?", "Leonardo DiCaprio"),
    ],
)
def test_what_comes_back_leaves_the_entity_out(gateway: Pipeline, question: str, left_out: str) -> None:
    trace = gateway.ask(Ask(question))
    assert trace.answer is not None
    assert trace.answer.strings
    assert left_out not in trace.answer.strings
    assert any("left out" in warning.message and left_out in warning.message for warning in trace.warnings)
    assert trace.program is not None
    assert [step.function for step in trace.program.steps].count("Except") == 1


def test_a_functional_relation_may_lead_back(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("What is the capital of the country that Paris is the capital of?"))
    assert trace.answer is None or "left out" not in " ".join(warning.message for warning in trace.warnings)


_TO_THE_SEA = "Find(Rhine)->Relate(flows into, forward)->Relate(flows into, backward)"
_BOOKS = "Find(The Hobbit)->Relate(author, forward)->Relate(author, backward)"
_FILMING = "Find(Inception)->Relate(cast member, forward)->Relate(cast member, backward)"


@pytest.mark.parametrize(
    ("chain", "question", "left_out"),
    [
        (f"{_BOOKS}->What()", "books by the author of The Hobbit", False),
        (f"{_BOOKS}->What()", "other books by the author of The Hobbit", True),
        (f"{_TO_THE_SEA}->What()", "what flows into the water that the Rhine flows into", True),
        (f"{_TO_THE_SEA}->What()", "rivers that flow into the same sea as the Rhine", True),
        (f"{_TO_THE_SEA}->QueryAttr(length)", "how long are the rivers into the sea of the Rhine", False),
        (f"{_TO_THE_SEA}->QueryAttr(length)", "how long are the other rivers into its sea", True),
        (f"{_TO_THE_SEA}->Relate(country, forward)->What()", "countries of the rivers into its sea", False),
        (f"{_TO_THE_SEA}->Relate(country, forward)->What()", "countries of all others into its sea", True),
        (f"{_FILMING}->Relate(directed by, forward)->What()", "who directed films with those actors", True),
        (
            "Find(Inception)->Relate(directed by, forward)->Relate(cast member, backward)->What()",
            "films with the director of Inception",
            False,
        ),
    ],
)
def test_only_a_chain_that_comes_back_by_its_relation_leaves_it_out(
    gateway: Pipeline, chain: str, question: str, left_out: bool
) -> None:
    """A river flows into one sea, whose rivers are a whole; a film has several actors."""
    index, program = gateway.endpoint("sample").index, read_program(chain)
    bound = Grounder(index).ground(program, near=False).bindings
    places: dict[tuple[int, int], tuple[str, ...]]
    places = {(one.step, one.argument): (one.iri,) for one in bound}
    draft = Draft(program, "drafter", 0.0, choices=places, margins=dict.fromkeys(places, 0.5))
    reading = QuestionReading.of(Linker(index).link(Question(question)), index)
    found = draft_without_itself(draft, reading, NamingAttributes(index))
    steps = [step for step in found.program.steps if step.function in ("Find", "Relate", "QueryAttr")]
    assert [found.program.steps[at] for at, _ in sorted(found.margins)] == steps
    functions = [step.function for step in found.program.steps]
    assert ("Except" in functions, bool(found.remarks)) == (left_out, left_out)


def test_a_whole_that_is_passed_through_keeps_it(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("What are the lengths of the rivers that flow into the same sea as the Rhine?"))
    assert trace.answer is not None
    assert "1233 kilometre" in trace.answer.strings
