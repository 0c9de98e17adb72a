"""The class of a wrong answer, told by gold programs over the sample graph."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.offline.evaluation import GoldQuestion, Measurement, Measurer
from nlq_gateway.offline.evaluation.mistakes import Mistake

WHO = "Who directed Pulp Fiction?"
RIVERS = "How many rivers are longer than 2000 kilometres?"
LONGER = "FindAll()->FilterConcept({})->FilterNum({}, {}, {})->Count()"
NAMESAKES = "Which country is Georgia in?"


def measured(gateway: Pipeline, question: str, program: str | None, *topics: str) -> Measurement:
    gold = read_program(program) if program else None
    asked = GoldQuestion("1", question, "", ("nothing of the kind",), program=gold, topics=topics)
    return Measurer(gateway).measure(asked)


@pytest.mark.parametrize(
    ("question", "program", "mistake"),
    [
        (WHO, "Find(Pulp Fiction)->Relate(directed by, forward)->What()", Mistake.EXECUTION),
        (WHO, "Find(Pulp Fiction)->Relate(cast member, forward)->What()", Mistake.RELATION),
        (WHO, "Find(Pulp Fiction)->Relate(directed by, backward)->What()", Mistake.VALUE),
        (WHO, "Find(Pulp Fiction)->Relate(directed by, forward)->Count()", Mistake.STRUCTURE),
        (WHO, "Find(The Shining)->Relate(directed by, forward)->What()", Mistake.LINKING),
        (WHO, "Find(No Such Film)->Relate(directed by, forward)->What()", Mistake.LINKING),
        (RIVERS, LONGER.format("river", "length", "2000 kilometre", ">"), Mistake.EXECUTION),
        (RIVERS, LONGER.format("river", "length", "3000 kilometre", ">"), Mistake.VALUE),
        (RIVERS, LONGER.format("river", "length", "2000 kilometre", "<"), Mistake.VALUE),
        (
            RIVERS,
            LONGER.format("river", "elevation above sea level", "2000 kilometre", ">"),
            Mistake.RELATION,
        ),
        (RIVERS, LONGER.format("mountain", "length", "2000 kilometre", ">"), Mistake.LINKING),
        (WHO, None, Mistake.UNKNOWN),
        ("zzz qqq xxx", None, Mistake.UNANSWERED),
        ("zzz qqq xxx", "Find(Pulp Fiction)->What()", Mistake.LINKING),
        ("x" * 100_000, "Find(Pulp Fiction)->What()", Mistake.EXECUTION),
    ],
)
def test_the_class_of_a_wrong_answer(
    gateway: Pipeline, question: str, program: str | None, mistake: Mistake
) -> None:
    assert measured(gateway, question, program).mistake == mistake


def test_topics_stand_in_for_gold(gateway: Pipeline) -> None:
    assert measured(gateway, WHO, None, "pulp fiction").mistake == Mistake.UNKNOWN
    assert measured(gateway, WHO, None, "The Shining").mistake == Mistake.LINKING


def test_a_shared_name_is_a_matter_of_linking(gateway: Pipeline) -> None:
    assert len(gateway.endpoint(None).index.entities_named("Amazon")) > 1
    found = measured(gateway, "How long is the Amazon?", "Find(Amazon)->QueryAttr(length)")
    assert found.mistake == Mistake.LINKING


def test_a_right_answer_has_no_class_and_no_trace(gateway: Pipeline) -> None:
    right = Measurer(gateway).measure(GoldQuestion("1", WHO, "", ("Quentin Tarantino",)))
    assert (right.mistake, right.trace) == (None, None)


def test_a_partly_right_answer_has_a_class(gateway: Pipeline) -> None:
    asked = GoldQuestion("1", WHO, "", ("Quentin Tarantino", "somebody else"))
    assert Measurer(gateway).measure(asked).mistake == Mistake.UNKNOWN
