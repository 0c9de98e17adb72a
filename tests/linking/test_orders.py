"""The order that a question says: which end of an attribute's values is meant."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Pipeline
from nlq_gateway.core.types import Question, SchemaItem
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.orders import comparison_of, may_rank, takes_more
from nlq_gateway.question.reading.reading import QuestionReading


def read(gateway: Pipeline, question: str, attribute: str) -> tuple[QuestionReading, SchemaItem]:
    """A question to the sample, and an attribute by its name."""
    index = gateway.endpoint("sample").index
    item = next(one for one in index.schema if one.label == attribute)
    return QuestionReading.of(Linker(index).link(Question(question)), index), item


@pytest.mark.parametrize(
    ("question", "attribute", "compared", "more"),
    [
        ("What is the newest film?", "publication date", False, True),
        ("What is the oldest film?", "publication date", False, False),
        ("Who is the youngest actor?", "date of birth", False, True),
        ("Which river is the shortest?", "length", False, False),
        ("Is Titanic older than Fargo?", "publication date", True, False),
        ("Is the Rhine longer than the Elbe?", "length", True, True),
        # What has been there the longest came first.
        ("Which company has been around the longest?", "inception", False, None),
        # The best film need not be the longest.
        ("What is the best film?", "duration", False, None),
        ("Which is the largest country with the longest river?", "length", False, None),
        ("Is the Rhine not longer than the Elbe?", "length", True, None),
        ("Which rivers are longer?", "length", True, None),
        ("Which rivers are there?", "length", False, None),
        # The third of times is the third earliest.
        ("Which film was published third?", "publication date", False, False),
        ("Which is the third river?", "length", False, None),
        ("What is the third newest film?", "publication date", False, True),
        ("What are the first and last names of the oldest actor?", "date of birth", False, False),
    ],
)
def test_an_order_is_said_or_open(
    gateway: Pipeline, question: str, attribute: str, compared: bool, more: bool | None
) -> None:
    reading, item = read(gateway, question, attribute)
    assert takes_more(reading, item, compared) is more


@pytest.mark.parametrize(
    ("question", "attribute", "ranks"),
    [
        ("Who is the youngest person?", "date of birth", True),
        ("Who is the youngest person?", "height", False),
        ("What is the oldest film?", "duration", False),
        ("What is the longest film?", "duration", True),
        ("Which film is the best?", "production cost", True),
        ("What is the oldest of the largest films?", "duration", True),
    ],
)
def test_times_are_ranked_by_times(gateway: Pipeline, question: str, attribute: str, ranks: bool) -> None:
    reading, item = read(gateway, question, attribute)
    assert may_rank(reading, item) is ranks


@pytest.mark.parametrize(
    ("question", "attribute", "sign"),
    [
        ("Which rivers are no shorter than 1000 km?", "length", ">="),
        ("Which rivers are longer than 1000 km?", "length", ">"),
        ("Which films were published no later than 1990?", "publication date", "<="),
        ("Which films were not published before 1990?", "publication date", None),
        ("Which films were published in 1990?", "publication date", None),
    ],
)
def test_the_words_before_a_value_say_how_it_compares(
    gateway: Pipeline, question: str, attribute: str, sign: str | None
) -> None:
    reading, item = read(gateway, question, attribute)
    [literal] = reading.links.literals
    assert comparison_of(reading, literal, item.is_amount) == sign
