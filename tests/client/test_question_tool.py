"""A gateway as a function that frameworks of agents take."""

from __future__ import annotations

import inspect
import typing

import pytest
from pydantic import TypeAdapter

from nlq_gateway import Gateway
from nlq_gateway.client import GatewayClient, question_tool


@pytest.fixture(scope="module")
def gateway() -> typing.Iterator[Gateway]:
    with Gateway.open() as opened:
        yield opened


def test_an_answer_is_told_in_words(gateway: Gateway) -> None:
    tool = question_tool(gateway)
    assert tool("Who directed Pulp Fiction?") == "Quentin Tarantino"
    assert "Steven Spielberg" in tool("How many films did each director direct?")


def test_that_there_is_no_answer_is_told_with_its_reason(gateway: Gateway) -> None:
    told = question_tool(gateway)("Who is the grand vizier of Zorkmidia?")
    assert told.startswith("Nothing in this graph is called “Zorkmidia”.")


def test_an_error_is_no_answer(gateway: Gateway) -> None:
    """A model is told what was wrong and what would be right."""
    told = question_tool(gateway, dataset="films")("Who directed Fargo?")
    assert told == "The question failed: there is no dataset 'films'. known datasets: sample"


def test_a_framework_reads_what_a_model_is_shown(gateway: Gateway) -> None:
    """By signature, annotations and docstring, as `StructuredTool.from_function` and its like do."""
    tool = question_tool(gateway, about="films", examples=("Who directed Fargo?",), name="ask_films")
    said = "Answers a question in plain words from a knowledge graph about films."
    assert (tool.__name__, tool.__doc__) == ("ask_films", f"{said} For example: Who directed Fargo?")
    assert typing.get_type_hints(tool) == {"question": str, "return": str}
    assert list(inspect.signature(tool).parameters) == ["question"]
    schema = TypeAdapter(tool).json_schema()
    assert schema["properties"]["question"]["type"] == "string"


def with_a_client(client: GatewayClient) -> object:
    """A type checker says that a client is taken, too."""
    return question_tool(client)
