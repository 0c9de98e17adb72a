"""Properties of programs."""

from __future__ import annotations

import pytest

from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program, Step

PROGRAM = read_program(
    "Find(Emma)->FilterConcept(novel)->Relate(author, forward)->Relate(author, backward)"
    "->FilterConcept(novel)->Find(Jane Austen)->And()->FilterConcept(book)->QueryAttr(publication date)"
)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Kind.ENTITY, ("Emma", "Jane Austen")),
        (Kind.CONCEPT, ("novel", "book")),
        (Kind.RELATION, ("author",)),
        (Kind.DIRECTION, ("forward", "backward")),
        (Kind.QUALIFIER, ()),
    ],
)
def test_what_a_program_names_of_a_kind(kind: Kind, names: tuple[str, ...]) -> None:
    assert PROGRAM.named(kind) == names


def test_calls_that_the_table_does_not_have_name_nothing() -> None:
    wrong = Program((Step("Seek", ("Emma",)), Step("Find"), Step("Find", ("Emma", "Heat"))))
    assert wrong.named(Kind.ENTITY) == ("Emma",)


@pytest.mark.parametrize(
    ("step", "turned"),
    [
        (Step("Relate", ("author", "forward"), (0,)), Step("Relate", ("author", "backward"), (0,))),
        (
            Step("QueryRelationQualifier", ("author", "role"), (0, 1)),
            Step("QueryRelationQualifier", ("author", "role"), (1, 0)),
        ),
        (Step("QueryAttr", ("publication date",), (0,)), None),
    ],
)
def test_a_step_is_turned(step: Step, turned: Step | None) -> None:
    assert step.turned == turned
    assert turned is None or turned.turned == step
