"""What the clauses of a question plainly say is told from the program that says something else."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.core.types import Draft, Question
from nlq_gateway.judging.clauses import asks_otherwise
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.settings import SAMPLE, Settings

OF_FRANCE = "Find(France)->Relate(capital, forward)->What()"
IS_CAPITAL = "Find({})->Relate(capital, forward)->Find({})->And()->Exists()"
LENGTHS = "FindAll()->FilterConcept(river)->FilterNum(length, 800 kilometre, {})->What()"

THROUGH = "Find(Germany)->Relate(flows through, backward)"
OTHERS = f"FindAll()->FilterConcept(river)->{THROUGH}->Except()->What()"


@pytest.fixture(scope="module")
def gateway() -> Pipeline:
    gateway = Pipeline(Settings.for_data([SAMPLE]))
    gateway.endpoint(None).prepare()
    return gateway


@pytest.mark.parametrize(
    ("question", "program", "otherwise"),
    [
        ("Is Paris the capital of France?", OF_FRANCE, True),
        ("What is the capital of France?", OF_FRANCE, False),
        ("Is Paris the capital of France?", IS_CAPITAL.format("France", "Paris"), False),
        ("Is France the capital of Paris?", IS_CAPITAL.format("France", "Paris"), True),
        ("Which rivers are not longer than 800 km?", LENGTHS.format("<="), False),
        ("Which rivers do not flow through Germany?", THROUGH + "->What()", True),
        ("Which rivers do not flow through Germany?", OTHERS, False),
        ("Which rivers flow through Germany?", THROUGH + "->What()", False),
        ("Which company is Alphabet owned by?", "Find(Alphabet)->Relate(owned by, backward)->What()", True),
        ("What is owned by Alphabet?", "Find(Alphabet)->Relate(owned by, backward)->What()", False),
    ],
)
def test_a_program_may_say_otherwise(gateway: Pipeline, question: str, program: str, otherwise: bool) -> None:
    index = gateway.endpoint(None).index
    reading = QuestionReading.of(Linker(index).link(Question(question)), index)
    written = read_program(program)
    meant = {
        (one.step, one.argument): one.iri for one in Grounder(index).ground(written, near=False).bindings
    }
    names = {(at, 0): step.inputs[0] for at, step in enumerate(written.steps) if step.function == "Find"}
    choices = {place: (iri,) for place, iri in meant.items()}
    draft = Draft(written, "test", 0.0, choices=choices, mentions=names)
    assert asks_otherwise(reading, draft, meant) is otherwise
