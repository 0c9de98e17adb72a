"""A gateway as a function that frameworks of agents take."""

from __future__ import annotations

import inspect
import typing

import pytest
from pydantic import TypeAdapter

from nlq_gateway import Gateway
from nlq_gateway.client import GatewayClient, question_tool

SAID = (
    "Answers a question in plain words from a knowledge graph about films. For example: Who directed Fargo?"
)
UNKNOWN = "The question failed: there is no dataset 'films'. known datasets: sample"


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
    assert told == UNKNOWN


def test_a_framework_reads_what_a_model_is_shown(gateway: Gateway) -> None:
    """By signature, annotations and docstring, as `StructuredTool.from_function` and its like do."""
    tool = question_tool(gateway, about="films", examples=("Who directed Fargo?",), name="ask_films")
    assert (tool.__name__, tool.__doc__) == ("ask_films", SAID)
    assert typing.get_type_hints(tool) == {"question": str, "return": str}
    assert list(inspect.signature(tool).parameters) == ["question"]
    schema = TypeAdapter(tool).json_schema()
    assert schema["properties"]["question"]["type"] == "string"


def test_langchain_takes_the_function_as_it_is(gateway: Gateway) -> None:
    tools = pytest.importorskip("langchain_core.tools")
    function = question_tool(gateway, about="films", examples=("Who directed Fargo?",), name="ask_films")
    tool = tools.StructuredTool.from_function(function)
    assert (tool.name, tool.description) == ("ask_films", SAID)
    assert tool.args == {"question": {"title": "Question", "type": "string"}}
    assert tool.invoke("Who directed Pulp Fiction?") == "Quentin Tarantino"
    call = {"type": "tool_call", "id": "1", "name": "ask_films", "args": {"question": "Who directed Fargo?"}}
    assert tool.invoke(call).content == "Joel Coen"
    wrong = tools.StructuredTool.from_function(question_tool(gateway, dataset="films"))
    assert wrong.invoke("Who directed Fargo?") == UNKNOWN


def test_llamaindex_takes_the_function_as_it_is(gateway: Gateway) -> None:
    tools = pytest.importorskip("llama_index.core.tools")
    function = question_tool(gateway, about="films", examples=("Who directed Fargo?",), name="ask_films")
    tool = tools.FunctionTool.from_defaults(function)
    assert (tool.metadata.name, tool.metadata.description.splitlines()[-1]) == ("ask_films", SAID)
    assert tool.metadata.get_parameters_dict()["required"] == ["question"]
    assert tool.call("Who directed Pulp Fiction?").content == "Quentin Tarantino"
    wrong = tools.FunctionTool.from_defaults(question_tool(gateway, dataset="films"))
    assert wrong.call(question="Who directed Fargo?").content == UNKNOWN


def with_a_client(client: GatewayClient) -> object:
    """A type checker says that a client is taken, too."""
    return question_tool(client)
