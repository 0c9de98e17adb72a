"""The official client over both transports, against real processes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

QUESTION = "Who directed Pulp Fiction?"
ANSWER = "Quentin Tarantino"
IRI = "http://world.example/Quentin_Tarantino"
PROGRAM = "Find(Pulp Fiction)->Relate(directed by, forward)->What()"
TOOLS = {"ask", "explain", "resolve", "schema", "run", "compile"}


@pytest.fixture(params=["stdio", "http"])
def server(request: pytest.FixtureRequest) -> StdioServerParameters | str:
    found: StdioServerParameters | str = request.getfixturevalue(request.param)
    return found


def talk(server: StdioServerParameters | str, work: Callable[[Client], Awaitable[None]]) -> None:
    async def main() -> None:
        async with Client(server) as client:
            await work(client)

    anyio.run(main)


def content(result: CallToolResult) -> Any:
    """The structured content of a tool that did its work."""
    assert not result.is_error, said(result)
    return result.structured_content


def said(result: CallToolResult) -> str:
    """The text that a model reads."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def test_a_conversation(server: StdioServerParameters | str) -> None:
    async def work(client: Client) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        answer = content(
            await client.call_tool("ask", {"question": QUESTION, "dataset": "https://kg.example/"})
        )
        assert (answer["status"], answer["text"], answer["dataset"]) == ("answered", ANSWER, "sample")
        assert [value["value"] for value in answer["values"]] == [IRI]
        why = content(await client.call_tool("explain", {"trace": answer["trace"]}))
        assert [(step["call"], step["count"]) for step in why["steps"]] == [
            ("Find(Pulp Fiction)", 1),
            ("Relate(directed by, forward)", 1),
            ("What()", 1),
        ]
        names = content(await client.call_tool("resolve", {"name": "tarantino"}))
        assert names["candidates"][0]["iri"] == IRI
        compiled = content(await client.call_tool("compile", {"program": PROGRAM, "dialect": "virtuoso"}))
        assert "world:Pulp_Fiction world:directed_by" in compiled["sparql"]
        ran = content(await client.call_tool("run", {"program": compiled["program"]}))
        assert ran["text"] == ANSWER

    talk(server, work)


def test_a_strategy_may_be_asked_alone(server: StdioServerParameters | str) -> None:
    async def work(client: Client) -> None:
        asked = {"question": QUESTION, "strategy": "bottom-up", "only": True}
        answer = content(await client.call_tool("ask", asked))
        assert answer["text"] == ANSWER

    talk(server, work)


def test_what_a_model_is_told(http: str) -> None:
    async def work(client: Client) -> None:
        assert client.instructions
        for tool in (await client.list_tools()).tools:
            assert tool.description
            assert len(tool.description) > 40
            assert tool.output_schema
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint
            if tool.name == "compile":
                assert "Relate(relation, forward|backward): " in tool.description

    talk(http, work)


def test_the_schema_tells_what_can_be_asked(http: str) -> None:
    async def work(client: Client) -> None:
        found = content(await client.call_tool("schema", {"limit": 5}))
        assert [(one["id"], one["aliases"]) for one in found["datasets"]] == [
            ("sample", ["https://kg.example/"]),
            ("away", []),
        ]
        assert {len(found[kind]) for kind in ("concepts", "relations", "attributes", "qualifiers")} == {5}
        counts = [one["count"] for one in found["relations"]]
        assert counts == sorted(counts, reverse=True)
        assert found["relations"][0]["of"]
        assert QUESTION in found["questions"]

    talk(http, work)


def test_why_nothing_was_found(http: str) -> None:
    async def work(client: Client) -> None:
        asked = {"question": "Which films directed by Stanley Kubrick were published after 2005?"}
        why = content(await client.call_tool("explain", asked))
        assert why["status"] == "empty"
        assert "FilterYear(publication date, 2005, >), leaves nothing of the 2" in why["diagnosis"]
        assert [step["count"] for step in why["steps"]] == [1, 2, 2, 0, 0]
        answer = content(await client.call_tool("ask", {"question": "zzz qqq xxx"}))
        assert (answer["status"], answer["sparql"]) == ("unanswerable", None)
        assert "zzz qqq xxx" in answer["text"]

    talk(http, work)


def test_rows_are_cut_and_counted(http: str) -> None:
    async def work(client: Client) -> None:
        asked = {"program": "FindAll()->FilterConcept(river)->What()", "max_rows": 3}
        answer = content(await client.call_tool("run", asked))
        assert (len(answer["rows"]), len(answer["values"]), answer["row_count"]) == (3, 3, 31)

    talk(http, work)


def test_a_pin_chooses_what_a_name_stands_for(http: str) -> None:
    async def work(client: Client) -> None:
        pin = {"step": 1, "iri": "http://world.example/Inception"}
        answer = content(await client.call_tool("run", {"program": PROGRAM, "pins": [pin]}))
        assert answer["text"] == "Christopher Nolan"
        assert answer["bindings"][0]["iri"] == pin["iri"]

    talk(http, work)


def test_names_that_the_graph_does_not_have_are_said(http: str) -> None:
    async def work(client: Client) -> None:
        for name, notes in (("Pulp Fiction", 0), ("<http://world.example/Fargo>", 0), ("Zzyzx", 1)):
            compiled = content(await client.call_tool("compile", {"program": f"Find({name})->What()"}))
            assert len(compiled["notes"]) == notes

    talk(http, work)


FAILURES: list[tuple[str, dict[str, Any], str]] = [
    ("ask", {"question": ""}, "Hint: ask something"),
    ("ask", {"question": "x" * 3_000}, "at most 2000"),
    ("ask", {"question": QUESTION, "dataset": "other"}, "known datasets: sample, away"),
    ("ask", {"question": QUESTION, "strategy": "steps"}, "needs a language model"),
    ("ask", {"question": QUESTION, "dataset": "away"}, "Asking again may help."),
    ("ask", {"question": QUESTION, "language": "?"}, "language"),
    ("ask", {}, "question"),
    ("explain", {}, "either a trace or a question"),
    ("explain", {"trace": "x", "question": "y"}, "either a trace or a question"),
    ("explain", {"trace": "../x"}, "there is no trace"),
    ("resolve", {"name": "x", "kinds": ["thing"]}, "kinds"),
    ("resolve", {"name": "x", "dataset": "away"}, "Asking again may help."),
    ("compile", {"program": "Fnd(Pulp Fiction)"}, "Find"),
    ("compile", {"program": "Find(x)->VerifyStr(y)"}, "wants values"),
    ("compile", {"program": 7}, "program"),
    ("compile", {"program": []}, "Hint"),
    ("run", {"program": PROGRAM, "pins": [{"step": 9, "iri": "a:b"}]}, "step 9 has no argument 0"),
    ("run", {"program": PROGRAM, "pins": [{"step": 1, "iri": "a:b> ?x"}]}, "iri"),
    ("schema", {"limit": 0}, "limit"),
    ("other", {}, "other"),
]


def test_failures_are_tool_errors_with_what_to_do(http: str) -> None:
    async def work(client: Client) -> None:
        for tool, arguments, words in FAILURES:
            result = await client.call_tool(tool, arguments)
            assert result.is_error, (tool, arguments)
            assert words in said(result), (tool, arguments, said(result))
            assert "Traceback" not in said(result)
        assert content(await client.call_tool("ask", {"question": QUESTION}))["text"] == ANSWER

    talk(http, work)


def test_many_at_once_each_get_their_own_answer(http: str) -> None:
    asked = {
        QUESTION: ANSWER,
        "Who directed Star Wars?": "George Lucas",
        "Capital of Australia?": "Canberra",
    }

    async def work(client: Client) -> None:
        found: list[tuple[str, str]] = []

        async def one(question: str) -> None:
            answer = content(await client.call_tool("ask", {"question": question}))
            found.append((answer["question"], answer["text"]))

        async with anyio.create_task_group() as group:
            for question in 4 * list(asked):
                group.start_soon(one, question)
        assert sorted(found) == sorted(4 * list(asked.items()))

    talk(http, work)
