from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

from compilers.kopl.check import check
from compilers.kopl.functions import FUNCTIONS, Kind
from compilers.kopl.program import Step
from nlq_gateway.core.types import Draft, Question
from nlq_gateway.drafts.drafter import Drafter, model
from nlq_gateway.drafts.drafter.decoder import Decoder, NumpyDecoder
from nlq_gateway.drafts.drafter.members import Members
from nlq_gateway.drafts.drafter.naming import MentionLookup
from nlq_gateway.drafts.drafter.network import DrafterNetwork
from nlq_gateway.drafts.drafter.onnx_decoder import OnnxDecoder
from nlq_gateway.drafts.drafter.pieces import Pieces
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index import is_impossible
from nlq_gateway.index.members import ImpossibleStepError, StepReader
from nlq_gateway.neural import Array, Weights, open_tokenizer, runtime, shared_weights
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.linking.literals import find_literals
from nlq_gateway.question.reading.reading import QuestionReading
from training.drafter.stretches import find_stretch

QUESTIONS = (
    "Who directed Pulp Fiction?",
    "How many films with a duration over 120 minutes did Stanley Kubrick make after 1960-02-01?",
    "",
    "?!",
    "\U0001d518\u202e reversed, \ud83d\ude00 and \u6f22 in 1999",
    "x" * 3000,
    "which of them " * 60,
)


def read(question: str, endpoint: Endpoint) -> QuestionReading:
    return QuestionReading.of(Linker(endpoint.index).link(Question(question)), endpoint.index)


@pytest.mark.parametrize("question", QUESTIONS, ids=range(len(QUESTIONS)))
def test_whatever_the_network_wants_only_sound_programs_come_out(
    question: str, endpoint: Endpoint, untrained: DrafterNetwork
) -> None:
    reading = read(question, endpoint)
    for draft in (
        *Drafter(endpoint.index, untrained).draft(reading),
        *Drafter(endpoint.index).draft(reading),
    ):
        assert_sound(draft, endpoint)


def assert_sound(draft: Draft, endpoint: Endpoint) -> None:
    """It checks, and its choices are things of the graph, of the kinds that are wanted."""
    assert not [issue for issue in check(draft.program) if issue.severity == "error"]
    assert draft.parts["likelihood"] <= 0
    for (step, argument), iris in draft.choices.items():
        kind = draft.program.steps[step].signature.parameters[argument].kind
        assert endpoint.index.entity(iris[0]) or endpoint.index.item(kind, iris[0])


def test_the_network_of_the_package_ends_programs(endpoint: Endpoint) -> None:
    drafts = Drafter(endpoint.index).draft(read(QUESTIONS[0], endpoint))
    assert drafts
    for draft in drafts:
        assert_sound(draft, endpoint)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Films directed by Christopher Nolan after 2010", False),
        ("Who was the spouse of Tom Hanks in 1990?", True),
        ("Who was married to Tom Hanks in 1990?", True),
    ],
)
def test_only_facts_with_qualifiers_are_asked_for_them(
    question: str, asked: bool, endpoint: Endpoint
) -> None:
    """No film has one on its director; marriages have when they began and ended."""
    drafts = Drafter(endpoint.index).draft(read(question, endpoint))
    functions = {step.function for draft in drafts for step in draft.program.steps}
    assert any(function.startswith("QFilter") for function in functions) == asked


def test_attributes_without_numbers_are_not_compared_with_one(endpoint: Endpoint) -> None:
    reading = read("Which films are longer than 100 minutes?", endpoint)
    compared = [
        draft.choices[number, 0][0]
        for draft in Drafter(endpoint.index).draft(reading)
        for number, step in enumerate(draft.program.steps)
        if step.function == "FilterNum"
    ]
    assert compared
    for iri in compared:
        item = endpoint.index.item(Kind.ATTRIBUTE, iri)
        assert item is not None
        assert "quantity" in item.value_types


@pytest.mark.parametrize(
    "question",
    [
        "Which films did Berlin direct?",
        "Who is the spouse of the capital of France?",
    ],
)
def test_what_the_members_never_have_is_not_written(
    question: str, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "TURNED", 0)
    drafts = Drafter(endpoint.index).draft(read(question, endpoint))
    assert drafts
    for draft in drafts:
        meant = {place: iris[0] for place, iris in draft.choices.items()}
        assert not is_impossible(draft.program, meant, endpoint.index), draft.program


def test_the_opposite_of_what_is_asked_is_not_drafted(endpoint: Endpoint) -> None:
    drafts = Drafter(endpoint.index).draft(
        read("Which rivers in Germany are longer than 20000 km?", endpoint)
    )
    compared = {step.inputs[-1] for draft in drafts for step in draft.program.steps if len(step.inputs) == 3}
    assert compared == {">"}


@pytest.mark.parametrize(
    ("question", "attribute", "choice"),
    [
        ("Which company is the newest?", "inception", "largest"),
        ("Which company is the oldest?", "inception", "smallest"),
        ("Who is the youngest person?", "date of birth", "largest"),
    ],
)
def test_an_order_is_the_one_that_the_question_says(
    question: str, attribute: str, choice: str, endpoint: Endpoint
) -> None:
    ranked = [
        step.inputs[1]
        for draft in Drafter(endpoint.index).draft(read(question, endpoint))
        for step in draft.program.steps
        if step.function.startswith("Select") and step.inputs[0] == attribute
    ]
    assert set(ranked) == {choice}


@pytest.mark.parametrize(
    ("function", "kind", "name", "is_possible"),
    [
        ("Relate", Kind.RELATION, "occupation", True),
        ("Relate", Kind.RELATION, "capital", False),
        ("QueryAttr", Kind.ATTRIBUTE, "date of birth", True),
        ("FilterNum", Kind.ATTRIBUTE, "population", False),
        # A verdict may be that he is none.
        ("FilterConcept", Kind.CONCEPT, "mountain", True),
    ],
)
def test_a_person_has_no_capital(
    endpoint: Endpoint, function: str, kind: Kind, name: str, is_possible: bool
) -> None:
    links = Linker(endpoint.index).link(Question("Where does Satya Nadella live?"))
    members = Members(StepReader(endpoint.index), MentionLookup(links, endpoint.index))
    known = members.named((11, 24))
    assert known
    steps = (Step("Find", ("Satya Nadella",)), Step(function, (name,), (0,)))
    (item,) = endpoint.index.named(kind, name)
    with nullcontext() if is_possible else pytest.raises(ImpossibleStepError):
        members.found(steps, item, [known])


def test_steps_with_a_past_are_steps_without_one(untrained: DrafterNetwork, endpoint: Endpoint) -> None:
    vectors = endpoint.index.encode(["film", "genre"])
    ends = np.zeros((2, 2 * vectors.shape[1]), np.float32)
    shelf = untrained.shelve(vectors, np.array([0, 1]), ends, [[7, 102], [8, 102]])
    memory = untrained.read([101, 2040, 102], shelf, [1, 0])
    inputs = np.stack([untrained.word_input(word) for word in (1, 5, 9)])
    past, alone = untrained.past(), []
    for row in inputs:
        scores, past = untrained.step(row[None], past, memory)
        alone.append(scores.words[0])
    again, _ = untrained.step(inputs[:1], untrained.past(), memory)
    assert again.words[0] == pytest.approx(alone[0], abs=1e-5)
    assert past.decisions == 3


@pytest.mark.skipif(runtime() is None, reason="onnxruntime has no wheel here")
def test_numpy_and_onnxruntime_run_the_same_decoder(random_weights: Weights) -> None:
    tolerances = ((random_weights, 1e-4), (shared_weights().under("drafter."), 0.2))
    for weights, tolerance in tolerances:
        one, other = (_three_steps(kind.of(weights)) for kind in (NumpyDecoder, OnnxDecoder))
        for expected, found in zip(one, other, strict=True):
            assert found == pytest.approx(expected, abs=tolerance * float(np.abs(expected).max()))


def _three_steps(decoder: Decoder) -> list[Array]:
    """The third decisions of two programs, after one of them was dropped and came back."""
    draw = np.random.default_rng(7)
    states, offers, inputs = (draw.standard_normal((rows, 384)).astype(np.float32) for rows in (5, 3, 6))
    tokens, seen = decoder.read(states, offers)
    queries, past = decoder.step(inputs[:1], decoder.past(), seen)
    _, past = decoder.step(inputs[1:3], past.of([0, 0]), seen)
    queries, past = decoder.step(inputs[3:5], past.of([1, 0]), seen)
    assert past.decisions == 3
    return [*tokens, *queries]


@pytest.mark.parametrize(
    ("question", "function", "argument", "text", "words"),
    [
        ("Is 180 cm the height of Ann Lee?", "VerifyNum", 0, "180 centimetre", "180 cm"),
        ("Who was born on May 3, 1969?", "FilterDate", 1, "1969-05-03", "May 3, 1969"),
        ("Where does Stanley Kubrik live?", "Find", 0, "Stanley Kubrick", "Stanley Kubrik"),
        ("What is www.x-y.org about?", "FilterStr", 1, "http://www.x-y.org/", "www.x-y.org"),
        ("Is it in Rome?", "Find", 0, "Buenos Aires", None),
    ],
)
def test_arguments_are_found_in_the_question(
    question: str, function: str, argument: int, text: str, words: str | None
) -> None:
    pieces = Pieces.of(question, open_tokenizer(64))
    parameter = FUNCTIONS[function].parameters[argument]
    found = find_stretch(pieces, find_literals(question, ("centimetre",)), parameter, (text,))
    assert (pieces.words(*found) if found else None) == words
