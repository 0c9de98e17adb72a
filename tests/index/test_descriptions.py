"""Items of a schema are found by the words of their descriptions."""

from __future__ import annotations

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.descriptions import Descriptions

DESCRIPTIONS = Descriptions(
    [
        SchemaItem(Kind.CONCEPT, "urn:F1", "F1", description="Customers of the company"),
        SchemaItem(Kind.ATTRIBUTE, "urn:A1", "A1", description="Limit of the customer's credit, in euros"),
        SchemaItem(Kind.ATTRIBUTE, "urn:A2", "A2", description="Limit of the order"),
        SchemaItem(Kind.ATTRIBUTE, "urn:A3", "A3"),
    ]
)


def test_all_words_count_one_whatever_their_endings() -> None:
    assert DESCRIPTIONS.like("credit limits") == {1: 1.0, 2: DESCRIPTIONS.like("credit limit")[2]}


def test_rare_words_count_more() -> None:
    found = DESCRIPTIONS.like("order limit")
    assert found[2] == 1.0
    assert found[1] < 0.5


def test_words_that_no_description_has_count_against_it() -> None:
    assert DESCRIPTIONS.like("customer satisfaction")[0] < DESCRIPTIONS.like("customer")[0] == 1.0


def test_nothing_is_like_nothing() -> None:
    assert DESCRIPTIONS.like("") == DESCRIPTIONS.like("zzyzx") == Descriptions([]).like("credit") == {}
