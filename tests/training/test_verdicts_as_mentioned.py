"""One program for a verdict on a relation of two things: as the question mentions them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program, Step
from training.mentioned import as_mentioned

ANN_TEACHES_BOB = "Find(Ann)->Find(Bob)->Relate(teaches, backward)->And()->Exists()"
BOB_TEACHES_ANN = "Find(Ann)->Find(Bob)->Relate(teaches, forward)->And()->Exists()"
PAIRS = {
    "Find(Bob)->Find(Ann)->Relate(teaches, forward)->And()->Exists()": ANN_TEACHES_BOB,
    "Find(Ann)->Find(Bob)->Relate(teaches, backward)->And()->Exists()": ANN_TEACHES_BOB,
    "Find(Ann)->Relate(teaches, forward)->Find(Bob)->And()->Exists()": ANN_TEACHES_BOB,
    "Find(Bob)->Relate(teaches, backward)->Find(Ann)->And()->Exists()": ANN_TEACHES_BOB,
    "Find(Ann)->Find(Bob)->Relate(teaches, forward)->And()->Exists()": BOB_TEACHES_ANN,
    "Find(Ann)->Relate(teaches, backward)->Find(Bob)->And()->Exists()": BOB_TEACHES_ANN,
}
OTHERS = (
    "Find(Ann)->Relate(teaches, forward)->Exists()",
    "Find(Ann)->Relate(teaches, forward)->FilterConcept(Bob)->Find(Bob)->And()->Exists()",
    "Find(Ann)->Relate(teaches, forward)->Find(Bob)->Or()->Exists()",
    "Find(Ann)->Relate(teaches, forward)->Find(Bob)->And()->What()",
)


@pytest.mark.parametrize("program", PAIRS)
def test_what_states_one_fact_is_one_program(program: str) -> None:
    found = as_mentioned(read_program(program), "Does ann teach Bob?")
    assert NOTATIONS["chain"].write(found) == PAIRS[program]


def test_conditions_on_the_fact_stay_with_the_relation() -> None:
    since = Step("QFilterYear", ("since", "2010", "="), (2,))
    related = Step("Relate", ("teaches", "forward"), (1,))
    ending = Step("And", (), (0, 3)), Step("Exists", (), (4,))
    program = Program((Step("Find", ("Bob",)), Step("Find", ("Ann",)), related, since, *ending))
    found = as_mentioned(program, "Has Ann taught Bob since 2010?")
    turned = replace(related, inputs=("teaches", "backward"))
    assert found.steps == (Step("Find", ("Ann",)), Step("Find", ("Bob",)), turned, since, *ending)


@pytest.mark.parametrize("chain", OTHERS)
def test_another_program_is_left_as_it_is(chain: str) -> None:
    program = read_program(chain)
    assert as_mentioned(program, "Does Ann teach Bob?") is program


def test_a_thing_that_the_question_does_not_name_leaves_it_as_it_is() -> None:
    program = read_program("Find(Bob)->Find(Ann)->Relate(teaches, forward)->And()->Exists()")
    assert as_mentioned(program, "Does Ann teach Robert?") is program
