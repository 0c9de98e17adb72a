"""The knowledge of a pool about a question, on which the weight of its votes depends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.core.types import Demonstration, Question
from nlq_gateway.drafts.demonstrations.lesson import lesson_of
from nlq_gateway.drafts.demonstrations.pool import LessonPool
from nlq_gateway.drafts.demonstrations.verdict import PoolVerdict, ReadingVotes
from nlq_gateway.index import Index
from nlq_gateway.question.linking import Linker

Open = Callable[..., Pipeline]

DIRECTED = "Who directed Fargo?"
OTHER = "In which countries were the films of the director of Fargo made?"
MORE = ("Who is the director of Fargo?", "In which countries was Fargo made?", "Who made Fargo?")


@pytest.fixture(scope="module")
def index(opened: Open) -> Index:
    """One that has the meaning of words."""
    return opened().endpoint(None).index


def asked(index: Index, question: str, taught: Sequence[str]) -> tuple[LessonPool, ReadingVotes]:
    """The likeliest reading of a question, with lessons that all have one program."""
    program, link = read_program("Find(Fargo)->Relate(directed by, forward)->What()"), Linker(index).link
    found = (lesson_of(Demonstration(one, program, "example"), index, link) for one in taught)
    pool = LessonPool.of([one for one in found if one is not None], index, index.encode)
    return pool, PoolVerdict.on(link(Question(question)), index, pool).asked[0]


def known(index: Index, question: str, taught: Sequence[str]) -> float:
    pool, reading = asked(index, question, taught)
    return pool.known(pool.vector(reading.masked, reading.tags))


def test_one_lesson_knows_its_own_question_and_little_of_another(index: Index) -> None:
    assert known(index, DIRECTED, [DIRECTED]) > 0.9
    assert known(index, "Who directed Pulp Fiction?", [DIRECTED]) > 0.9
    assert known(index, OTHER, [DIRECTED]) < 0.5


def test_many_lessons_know_more_than_one(index: Index) -> None:
    question = "In which country was the director of Fargo?"
    assert known(index, question, [DIRECTED]) < known(index, question, [DIRECTED, *MORE]) <= 1


def test_what_is_not_known_has_no_weight(index: Index) -> None:
    _, own = asked(index, DIRECTED, [DIRECTED])
    _, other = asked(index, OTHER, [DIRECTED])
    assert own.trust > 0.9
    assert other.trust < 0.1
