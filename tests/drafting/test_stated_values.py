"""Names that are values of things, and values of the type that the graph has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.functions import ValueType
from compilers.kopl.program import Program, Step
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.types import Question, SchemaItem
from nlq_gateway.drafts.drafter import Drafter
from nlq_gateway.drafts.drafter.grammar import PartialProgram
from nlq_gateway.drafts.drafter.naming import MentionLookup
from nlq_gateway.drafts.drafter.values import Condition, StatedProgram, readings
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index import Index
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading

CLINIC = Path(__file__).parent / "fixtures" / "clinic.ttl"
CLINIC_IRI = "http://clinic.example/"


@pytest.fixture(scope="module")
def clinic() -> Iterator[Pipeline]:
    """People without a label, who have a first and a last name."""
    with opened((str(CLINIC),)) as gateway:
        yield gateway


@pytest.fixture(scope="module")
def index(clinic: Pipeline) -> Index:
    return clinic.endpoint(None).index


def attribute(index: Index, name: str) -> SchemaItem:
    item = next(one for one in index.schema if one.iri == CLINIC_IRI + name)
    assert item.label
    return item


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the email of Greta Holm?", "greta@clinic.example"),
        ("How many animals does Samir Okafor own?", "2"),
        ("How many animals were born after 2018?", "2"),
    ],
)
def test_people_are_known_by_both_names(clinic: Pipeline, question: str, answer: str) -> None:
    trace = clinic.ask(Ask(question))
    assert (trace.status, trace.text) == ("answered", answer)


@pytest.mark.parametrize(
    ("question", "name", "beside", "expected"),
    [
        ("Who is Greta Holm?", "Greta Holm", "", [("first name", "Greta"), ("last name", "Holm")]),
        ("Who is Greta Holm?", "Greta Holm", "firstName", [("first name", "Greta"), ("last name", "Holm")]),
        ("Who has a dog?", "dog", "", [("species", "dog")]),
        # Animals have no first name.
        ("Who has a dog?", "dog", "firstName", None),
        ("Who is Greta Unknown?", "Greta Unknown", "", None),
    ],
)
def test_a_stretch_is_read_as_values_of_one_thing(
    index: Index, question: str, name: str, beside: str, expected: list[tuple[str, str]] | None
) -> None:
    naming = MentionLookup(Linker(index).link(Question(question)), index)
    start = question.index(name)
    item = attribute(index, beside) if beside else None
    found = next(readings(naming.stated((start, start + len(name))), index, item), None)
    assert (found and [(one.attribute.label, one.value) for one in found]) == expected


def test_later_steps_keep_their_inputs(index: Index) -> None:
    steps = (
        Step("Find", ("Greta Holm",)),
        Step("Relate", ("owner", "backward"), (0,)),
        Step("Find", ("Biscuit",)),
        Step("And", (), (1, 2)),
        Step("What", (), (3,)),
    )
    biscuit, owner = (CLINIC_IRI + "a1",), (CLINIC_IRI + "owner",)
    written = StatedProgram(steps, {(1, 0): owner, (2, 0): biscuit}, {(2, 0): "Biscuit"}, {(2, 0): 1.0})
    names = [Condition(attribute(index, "firstName"), "Greta", "Greta")]
    names.append(Condition(attribute(index, "lastName"), "Holm", "Holm"))
    told = written.with_conditions(0, names)
    assert Program(told.steps).steps == (
        Step("FindAll"),
        Step("FilterStr", ("first name", "Greta"), (0,)),
        Step("FilterStr", ("last name", "Holm"), (1,)),
        Step("Relate", ("owner", "backward"), (2,)),
        Step("Find", ("Biscuit",)),
        Step("And", (), (3, 4)),
        Step("What", (), (5,)),
    )
    firsts = (CLINIC_IRI + "firstName",), (CLINIC_IRI + "lastName",)
    assert told.choices == {(1, 0): firsts[0], (2, 0): firsts[1], (3, 0): owner, (4, 0): biscuit}
    assert told.mentions == {(1, 1): "Greta", (2, 1): "Holm", (4, 0): "Biscuit"}
    assert told.margins == {(4, 0): 1.0}
    assert not told.is_impossible(index)


def test_steps_that_do_the_same_become_one() -> None:
    steps = (
        Step("Find", ("Biscuit",)),
        Step("QueryAttr", ("species",), (0,)),
        Step("Find", ("Biscuit",)),
        Step("QueryAttr", ("species",), (2,)),
        Step("Table", (), (0, 1, 3)),
    )
    biscuit, species = (CLINIC_IRI + "a1",), (CLINIC_IRI + "species",)
    choices = {(0, 0): biscuit, (1, 0): species, (2, 0): biscuit, (3, 0): species}
    merged = StatedProgram(steps, choices, {(2, 0): "Biscuit"}, {(2, 0): 1.0}).merged()
    assert merged.steps == (*steps[:2], Step("Table", (), (0, 1, 1)))
    assert merged.choices == {(0, 0): biscuit, (1, 0): species}
    assert (merged.mentions, merged.margins) == ({(0, 0): "Biscuit"}, {(0, 0): 1.0})


@pytest.mark.parametrize(
    ("function", "types", "suited"),
    [
        ("FilterNum", [ValueType.YEAR], "FilterYear"),
        ("FilterNum", [ValueType.DATE, ValueType.YEAR], "FilterDate"),
        ("FilterYear", [ValueType.DATE, ValueType.YEAR], "FilterYear"),
        ("FilterNum", [ValueType.STRING], "FilterNum"),
        ("FilterNum", [], "FilterNum"),
    ],
)
def test_a_comparison_is_of_the_type_that_the_graph_has(
    function: str, types: list[ValueType], suited: str
) -> None:
    begun = PartialProgram().after_word("FindAll").after_word(function).suited(types)
    assert begun.steps[-1].function == suited
    assert begun.pending == begun.steps[-1].signature.parameters


@pytest.mark.parametrize(
    "question",
    [
        "Which films are longer than 100 minutes?",
        "Rivers over 1000 km",
    ],
)
def test_a_value_is_sure_with_its_unit(endpoint: Endpoint, question: str) -> None:
    """The network points at the number alone; the unit is the question's."""
    index = endpoint.index
    best = Drafter(index).draft(QuestionReading.of(Linker(index).link(Question(question)), index))[0]
    assert best.parts["log_probability"] > -1
    assert any(step.function == "FilterNum" for step in best.program.steps)


def test_a_value_that_no_other_has_is_an_exception() -> None:
    """Each key differs from some other one: who has no pet has a key that none of the pets' owners has."""
    people, keys, pets = Step("FindAll"), Step("QueryAttr", ("key",), (0,)), Step("FindAll")
    owners = Step("QueryAttr", ("owner",), (2,))
    after = Step("QueryAttr", ("age",), (4,))
    steps = (people, keys, pets, owners, Step("FilterCompare", ("!=",), (1, 3)), after)
    written = StatedProgram(steps, {(1, 0): ("key",), (5, 0): ("age",)}, {}, {})
    found = written.with_exceptions()
    assert found.steps == (
        *(people, keys, pets, owners),
        Step("FilterCompare", ("=",), (1, 3)),
        Step("Except", (), (0, 4)),
        Step("QueryAttr", ("age",), (5,)),
    )
    assert found.choices == {(1, 0): ("key",), (6, 0): ("age",)}
    assert found.with_exceptions() == found


def test_other_comparisons_stay_as_they_are() -> None:
    """Values of a relation's facts are no values of one set, and a larger value is no exception."""
    facts = Step("QueryRelationQualifier", ("award", "year"), (0, 1))
    for shown, sign in ((facts, "!="), (Step("QueryAttr", ("age",), (1,)), ">")):
        steps = (Step("FindAll"), Step("FindAll"), shown, Step("QueryAttr", ("born",), (1,)))
        written = StatedProgram((*steps, Step("FilterCompare", (sign,), (2, 3))), {}, {}, {})
        assert written.with_exceptions() == written
