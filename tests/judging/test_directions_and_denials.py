"""What the clauses of a question plainly say is told from the program that says something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.core.types import Draft, Question
from nlq_gateway.judging.clauses import asks_otherwise
from nlq_gateway.judging.directions import told_of
from nlq_gateway.judging.reader import shared_reader
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.settings import SAMPLE, Settings

# A relation of which the network of directions reads nothing.
OF_FRANCE = "Find(France)->Relate(capital, forward)->What()"
IS_CAPITAL = "Find({})->Relate(capital, forward)->Find({})->And()->Exists()"
LENGTHS = "FindAll()->FilterConcept(river)->FilterNum(length, 800 kilometre, {})->What()"
LONGER = "Find(Nile)->Find(Rhine)->SelectBetween(length, greater)"
LESS = "Find(Nile)->QueryAttr(length)->Find(Rhine)->QueryAttr(length)->Calculate(-)"
CROWDED = "FindAll()->FilterConcept(city)->FilterNum(population, 300, >)->What()"
FILMS = "FindAll()->FilterConcept(film)->FilterNum(duration, 5 minute, >)"
ABOVE = "VerifyNum(9000 kilometre, >)"
RIVERS = "FindAll()->FilterConcept(river)"
EACH = f"{RIVERS}->QueryAttr(length)"
LONG = f"{RIVERS}->FilterNum(length, 9000 kilometre, >)"
NO_OTHERS = (
    "Step 1: FindAll()\nStep 2: FilterConcept(river)\nStep 3: FilterNum(length, 9000 kilometre, >)\n"
    "Step 4: Except() <- 2, 3\nStep 5: Count()\nStep 6: VerifyNum(0, =)"
)

BORDERS = "Relate(shares border with, forward)"
BORDERING = f"Find(Germany)->{BORDERS}"
ACTED = "Find(Tom Hanks)->Relate(cast member, backward)->FilterConcept(film)"
THROUGH = "Find(Germany)->Relate(flows through, backward)"
PREFIXES = "@prefix : <http://films.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
COUNTED = (
    "Step 1: FindAll()\nStep 2: FilterConcept(country)\nStep 3: Relate(shares border with, forward)\n"
    "Step 4: FilterCount({}, {}) <- 2, 3\nStep 5: What()"
)
OTHERS = f"FindAll()->FilterConcept(river)->{THROUGH}->Except()->What()"


@pytest.fixture(scope="module")
def gateway() -> Pipeline:
    gateway = Pipeline(Settings.for_data([SAMPLE]))
    gateway.endpoint(None).prepare()
    return gateway


def says_otherwise(gateway: Pipeline, question: str, program: str) -> bool:
    reading, draft = read(gateway, question, program)
    return asks_otherwise(reading, draft, {place: iri for place, (iri,) in draft.choices.items()})


def read(gateway: Pipeline, question: str, program: str) -> tuple[QuestionReading, Draft]:
    index = gateway.endpoint(None).index
    reading = QuestionReading.of(Linker(index).link(Question(question)), index)
    written = read_program(program)
    bound = Grounder(index).ground(written, near=False).bindings
    names = {(at, 0): step.inputs[0] for at, step in enumerate(written.steps) if step.function == "Find"}
    choices = {(one.step, one.argument): (one.iri,) for one in bound}
    return reading, Draft(written, "test", 0.0, choices=choices, mentions=names)


@pytest.mark.parametrize(
    ("question", "program", "otherwise"),
    [
        ("Is Paris the capital of France?", OF_FRANCE, True),
        ("What is the capital of France?", OF_FRANCE, False),
        ("Is Paris the capital of France?", IS_CAPITAL.format("France", "Paris"), False),
        ("Which rivers are not longer than 800 km?", LENGTHS.format("<="), False),
        ("Which rivers do not flow through Germany?", THROUGH + "->What()", True),
        ("Which rivers do not flow through Germany?", OTHERS, False),
        ("Which rivers flow through Germany?", THROUGH + "->What()", False),
        ("Is the total length of the rivers above 9000 km?", f"{EACH}->{ABOVE}", True),
        ("Do the rivers have a total length of more than 9000 km?", f"{EACH}->{ABOVE}", True),
        ("Is the average length of rivers below 9000 km?", f"{EACH}->{ABOVE}", True),
        ("Which countries border a country that borders Germany?", f"{BORDERING}->What()", True),
        ("Which countries border a country that borders Germany?", f"{BORDERING}->{BORDERS}->What()", False),
        ("Which countries border Germany?", f"{BORDERING}->What()", False),
        ("Did Tom Hanks act in more films than Matt Damon?", f"{ACTED}->Count()->VerifyNum(5, >)", True),
        ("Are all rivers longer than 9000 km?", f"{EACH}->{ABOVE}", True),
        ("Are all rivers longer than 9000 km?", NO_OTHERS, False),
        ("What share of the rivers is longer than 9000 km?", EACH, True),
        ("What is X of each river where X is the length plus the discharge?", EACH, True),
        ("What is the length of each river?", EACH, False),
        ("How much longer is the Nile than the Rhine?", LONGER, True),
        ("How much longer is the Nile than the Rhine?", LESS, False),
        ("Which rivers are longer than the Rhine?", LONGER, False),
        ("Are there more than 20 rivers?", f"{RIVERS}->Count()->VerifyNum(20, >)", False),
        ("Were at least ten of our streams longer than 9000 km?", f"{LONG}->Exists()", True),
        ("Were at least ten of our streams longer than 9000 km?", f"{LONG}->Count()->VerifyNum(9, >)", False),
        (
            "Is the average length of German rivers above 9000 km?",
            f"Find(Rhine)->QueryAttr(length)->{ABOVE}",
            True,
        ),
        ("Do all rivers that flow through Germany exceed 9000 km?", f"{EACH}->{ABOVE}", True),
        ("Are there more than 20 rivers?", f"{RIVERS}->FilterNum(length, 20 kilometre, >)->Exists()", True),
        (
            "Is the total length of the Rhine above 9000 km?",
            f"Find(Rhine)->QueryAttr(length)->{ABOVE}",
            False,
        ),
        (
            "Which cities have more than 300 people?",
            CROWDED,
            False,
        ),
        ("Which cities have more than 300 rivers?", CROWDED, True),
        (
            "Does Germany have at least 5 films?",
            f"{FILMS}->Exists()",
            True,
        ),
        (
            "Which films take more than 5 minutes?",
            f"{FILMS}->What()",
            False,
        ),
        ("What are the ten longest rivers?", f"{RIVERS}->SelectTop(length, largest, 1)->What()", True),
        ("What are the ten longest rivers?", f"{RIVERS}->SelectTop(length, largest, 10)->What()", False),
        ("Which is the longest river?", f"{RIVERS}->SelectAmong(length, largest)", False),
        ("Which countries border exactly two countries?", COUNTED.format(2, "="), False),
        ("Which countries border exactly two countries?", COUNTED.format(2, ">="), True),
        ("Which countries border at least three countries?", COUNTED.format(2, ">"), False),
        ("Which countries border at least three countries?", COUNTED.format(3, ">"), True),
    ],
)
def test_a_program_may_say_otherwise(gateway: Pipeline, question: str, program: str, otherwise: bool) -> None:
    assert says_otherwise(gateway, question, program) is otherwise


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("Which products replace another one?", "forward"),
        ("Which products replace another product?", "forward"),
        ("Which products fit into something?", "forward"),
        ("Which products are replaced by another one?", "backward"),
        ("products that nothing replaces", "backward"),
    ],
)
def test_what_does_something_to_any_is_its_subject(tmp_path: Path, question: str, direction: str) -> None:
    products = [f":p{n} a :Product; rdfs:label 'Mast {n}'; :replaces :p{n + 1} ." for n in range(9)]
    parts = [f":p{n} :fitsInto :p{n + 1} ." for n in range(9)]
    graph = tmp_path / "products.ttl"
    graph.write_text("\n".join([PREFIXES, *products, *parts]))
    relation = "fits into" if "fit into" in question else "replaces"
    program = f"FindAll()->FilterConcept(product)->FilterHasRelation({relation}, {{}})->What()"
    with opened((str(graph),)) as gateway:
        for way in ("forward", "backward"):
            reading, draft = read(gateway, question, program.format(way))
            fact = told_of(reading.links, draft, reading.index)
            assert fact is not None
            (leaning,) = shared_reader().leanings([fact])
            assert (leaning > 0) is (way == direction)


def test_an_attribute_may_be_called_a_total(tmp_path: Path) -> None:
    orders = [f":o{n} a :Order; rdfs:label 'Order {n}'; :totalPrice {n}; :discount {n} ." for n in range(9)]
    graph = tmp_path / "orders.ttl"
    graph.write_text("\n".join([PREFIXES, *orders]))
    program = "FindAll()->FilterConcept(order)->QueryAttr({})->VerifyNum(3, >)"
    with opened((str(graph),)) as gateway:
        asked = "Is the total price of the orders above 3?"
        assert not says_otherwise(gateway, asked, program.format("total price"))
        assert says_otherwise(gateway, asked, program.format("discount"))
