"""In what programs differ, told by small ones."""

from __future__ import annotations

import pytest

from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from nlq_gateway.offline.evaluation.compare import differences

ONE_HOP = "Find(Dune)->Relate(directed by, forward)->What()"
TWO_SETS = """Step 1: Find({0})
Step 2: Relate({1}, backward)
Step 3: Find({2})
Step 4: Relate({3}, backward)
Step 5: And() <- 2, 4
Step 6: Count()"""


def kinds(gold: str, other: str) -> set[str] | None:
    found = differences(GroundedProgram(read_program(gold)), GroundedProgram(read_program(other)))
    return None if found is None else set(found)


@pytest.mark.parametrize(
    ("gold", "other", "expected"),
    [
        (ONE_HOP, "Find(dune)->Relate(directed_by, forward)", set()),
        (ONE_HOP, "Find(Dune)->Relate(directed by, forward)->QueryName()", set()),
        (ONE_HOP, "Find(Alien)->Relate(directed by, forward)", {Kind.ENTITY}),
        (ONE_HOP, "Find(Dune)->Relate(author, backward)", {Kind.RELATION, Kind.DIRECTION}),
        (ONE_HOP, "Find(Dune)->Relate(directed by, forward)->Count()", None),
        (ONE_HOP, "Find(Dune)->QueryAttr(directed by)", None),
        ("FindAll()->FilterNum(mass, 5.0 kg, >)", "FindAll()->FilterNum(mass, 5 kg, >)", set()),
        ("FindAll()->FilterNum(mass, 5 kg, >)", "FindAll()->FilterNum(mass, -5 kg, >)", {Kind.VALUE}),
        ("FindAll()->FilterNum(mass, 5 kg, >)", "FindAll()->FilterNum(mass, 5 kg, <)", {Kind.OPERATOR}),
        (
            "FindAll()->SelectTop(mass, largest, 3)",
            "FindAll()->SelectTop(size, largest, 2)",
            {"attribute", "number"},
        ),
        ("FindAll()->FilterConcept(film)", "FindAll()->FilterConcept(book)", {Kind.CONCEPT}),
    ],
)
def test_differences(gold: str, other: str, expected: set[str] | None) -> None:
    assert kinds(gold, other) == expected


def test_the_order_of_a_set_operation_does_not_count() -> None:
    gold = TWO_SETS.format("A", "r", "B", "s")
    assert kinds(gold, TWO_SETS.format("B", "s", "A", "r")) == set()
    assert kinds(gold, TWO_SETS.format("B", "s", "A", "t")) == {Kind.RELATION}


def test_the_order_of_a_difference_counts() -> None:
    gold = TWO_SETS.format("A", "r", "B", "s").replace("And", "Except")
    assert kinds(gold, gold.replace("2, 4", "4, 2")) == {Kind.ENTITY, Kind.RELATION}


def test_names_are_compared_as_iris_where_both_are_known() -> None:
    gold = read_program(ONE_HOP)
    meant = GroundedProgram(gold, {(0, 0): Binding(("http://a/1", "http://a/2"), "Dune")})
    same = GroundedProgram(gold, {(0, 0): Binding(("http://a/2",), "Dune, part one")})
    other = GroundedProgram(gold, {(0, 0): Binding(("http://a/3",), "Dune")})
    assert differences(meant, same) == frozenset()
    assert differences(meant, other) == {Kind.ENTITY}
    assert differences(meant, GroundedProgram(gold)) == frozenset()


def test_a_concept_that_a_relation_implies_does_not_count() -> None:
    ends = {(1, 0): Binding(("http://a/r",), "directed by", subject="film", object="human")}
    bare = GroundedProgram(read_program("Find(A)->Relate(directed by, backward)"), ends)
    stated = "Find(A)->Relate(directed by, backward)->FilterConcept({})"
    for concept, expected in (("film", frozenset()), ("short film", None)):
        bindings = {**ends, (2, 0): Binding((f"http://a/{concept}",), concept)}
        assert differences(GroundedProgram(read_program(stated.format(concept)), bindings), bare) == expected


def test_steps_that_feed_many_others_are_compared_once() -> None:
    lines = ["Step 1: FindAll()"] + [f"Step {n}: And() <- {n - 1}, {n - 1}" for n in range(2, 60)]
    assert kinds("\n".join(lines), "\n".join(lines)) == set()
