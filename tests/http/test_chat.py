"""`/v1`: OpenAI's own client asks datasets as models, and raises its own exceptions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import openai
import pytest
from flask import Flask, abort, request
from flask.testing import FlaskClient
from openai import OpenAI

from compilers.answers import AnswerValue
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.edges.http.adapters.markdown import escaped, message
from nlq_gateway.trace.table import Cells

QUESTION = "Who directed Pulp Fiction?"
ANSWER = "Quentin Tarantino"
KEY = "a key of a client"


def said(*contents: Any) -> Any:
    return [{"role": "user", "content": content} for content in contents]


@pytest.fixture
def openai_client(address: str) -> Iterator[OpenAI]:
    with OpenAI(base_url=f"{address}/v1", api_key=KEY, max_retries=0) as client:
        yield client


def test_datasets_are_models(openai_client: OpenAI) -> None:
    models = openai_client.models.list().data
    assert [(model.id, model.object, model.owned_by) for model in models] == [
        ("sample", "model", "nlq-gateway"),
        ("away", "model", "nlq-gateway"),
    ]
    assert models[0].created > models[1].created == 0


@pytest.mark.parametrize("name", ["sample", "away", "https://away.example/"])
def test_a_model_is_found_by_id_and_alias(openai_client: OpenAI, name: str) -> None:
    assert openai_client.models.retrieve(name).id == name


def test_a_completion_is_the_answer_the_trace_and_the_query(
    openai_client: OpenAI, client: FlaskClient
) -> None:
    completion = openai_client.chat.completions.create(model="sample", messages=said(QUESTION))
    (choice,) = completion.choices
    content = choice.message.content or ""
    assert (completion.object, completion.model, choice.finish_reason) == (
        "chat.completion",
        "sample",
        "stop",
    )
    assert content.startswith(
        f"{ANSWER}\n\n[How this was answered]({str(openai_client.base_url)[:-4]}/?trace="
    )
    trace = client.get(f"/traces/{completion.id.removeprefix('chatcmpl-')}").get_json()
    assert f"/?trace={trace['id']})" in content
    assert f"```sparql\n{trace['sparql']['text'].strip()}\n```" in content
    assert completion.system_fingerprint == trace["index_version"]
    assert completion.usage is not None
    assert completion.usage.total_tokens == 0


def test_the_trace_is_linked_in_the_headers(client: FlaskClient) -> None:
    response = client.post("/v1/chat/completions", json={"model": "sample", "messages": said(QUESTION)})
    target = response.headers["Link"].removeprefix("<").partition(">")[0]
    assert client.get(target).get_json()["answer"]["text"] == ANSWER


@pytest.mark.parametrize("usage", [True, False])
def test_a_stream_has_the_same_text_in_chunks(openai_client: OpenAI, usage: bool) -> None:
    whole = openai_client.chat.completions.create(model="sample", messages=said(QUESTION))
    chunks = list(
        openai_client.chat.completions.create(
            model="sample", messages=said(QUESTION), stream=True, stream_options={"include_usage": usage}
        )
    )
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    text = "".join(delta.content or "" for delta in deltas)
    assert deltas[0].role == "assistant"
    assert len({chunk.id for chunk in chunks}) == 1
    assert text.partition("?trace=")[0] == (whole.choices[0].message.content or "").partition("?trace=")[0]
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-2:] == [None, "stop"]
    assert [chunk.usage.total_tokens for chunk in chunks if chunk.usage] == ([0] if usage else [])


def test_a_stream_ends_as_the_protocol_says(client: FlaskClient) -> None:
    body = {"model": "sample", "messages": said(QUESTION), "stream": True}
    response = client.post("/v1/chat/completions", json=body)
    assert response.mimetype == "text/event-stream"
    assert response.text.endswith("data: [DONE]\n\n")


def test_the_last_user_message_is_the_question(openai_client: OpenAI) -> None:
    messages: Any = [
        {"role": "system", "content": "You are a pirate."},
        {"role": "user", "content": "Who directed Star Wars?"},
        {"role": "assistant", "content": None},
        {
            "role": "user",
            "content": [{"type": "text", "text": "Who directed"}, {"type": "text", "text": "Pulp Fiction?"}],
        },
        {"role": "assistant", "content": "Let me see."},
    ]
    completion = openai_client.chat.completions.create(model="sample", messages=messages)
    assert (completion.choices[0].message.content or "").startswith(ANSWER)


def test_what_is_about_the_writing_of_a_model_is_passed_over(openai_client: OpenAI) -> None:
    tools: Any = [{"type": "function", "function": {"name": "look", "parameters": {}}}]
    completion = openai_client.chat.completions.create(
        model="sample", messages=said(QUESTION), n=1, temperature=0.2, top_p=1, max_tokens=5, seed=7,
        stop=["x"], frequency_penalty=0, user="me", tools=tools, tool_choice="auto",
        response_format={"type": "text"}, extra_body={"chat_id": "7", "keep_alive": None},
    )  # fmt: skip
    assert (completion.choices[0].message.content or "").startswith(ANSWER)


def test_a_question_without_an_answer_says_so(openai_client: OpenAI) -> None:
    completion = openai_client.chat.completions.create(model="sample", messages=said("zzz qqq xxx"))
    content = completion.choices[0].message.content or ""
    assert content.startswith("Nothing in this graph speaks of “zzz qqq xxx”.")
    assert "```" not in content


def test_rows_come_as_a_short_table(openai_client: OpenAI) -> None:
    completion = openai_client.chat.completions.create(
        model="sample", messages=said("How many films did each director direct?")
    )
    content = completion.choices[0].message.content or ""
    table = content.partition("\n\n|")[2].partition("\n\n")[0].splitlines()
    assert table[0:3] == [" filmDirector | filmCount |", "| --- | --- |", "| Christopher Nolan | 3 |"]
    assert len(table) == 22
    assert "\n\nand 21 more rows\n\n" in content


IMAGE = [{"type": "image_url", "image_url": {"url": "a:b"}}]
INVALID = "invalid-request"
REFUSED: list[tuple[dict[str, Any], type[openai.APIStatusError], str | None, str]] = [
    ({"messages": []}, openai.BadRequestError, "messages", INVALID),
    ({"messages": said("")}, openai.BadRequestError, None, INVALID),
    ({"messages": [{"role": "system", "content": "x"}]}, openai.BadRequestError, "messages", INVALID),
    ({"messages": said(7)}, openai.BadRequestError, "messages[0].content", INVALID),
    ({"messages": [{"content": "x"}]}, openai.BadRequestError, "messages[0].role", INVALID),
    ({"messages": said(IMAGE)}, openai.BadRequestError, "messages[0].content[0]", INVALID),
    ({"n": 2}, openai.BadRequestError, "n", INVALID),
    ({"stream": "yes"}, openai.BadRequestError, "stream", INVALID),
    ({"logprobs": True}, openai.BadRequestError, "logprobs", INVALID),
    ({"tool_choice": "required"}, openai.BadRequestError, "tool_choice", INVALID),
    ({"function_call": {"name": "look"}}, openai.BadRequestError, "function_call", INVALID),
    ({"response_format": {"type": "json_object"}}, openai.BadRequestError, "response_format", INVALID),
    ({"modalities": ["text", "audio"]}, openai.BadRequestError, "modalities", INVALID),
    ({"model": "other"}, openai.NotFoundError, "model", "model_not_found"),
    ({"messages": said("x" * 3_000)}, openai.APIStatusError, None, "too-large"),
    ({"model": "away"}, openai.InternalServerError, None, "endpoint-unreachable"),
    ({"model": "away", "stream": True}, openai.InternalServerError, None, "endpoint-unreachable"),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "raised", "parameter", "code"), REFUSED)
def test_what_cannot_be_raises_the_clients_own_exceptions(
    openai_client: OpenAI,
    changed: dict[str, Any],
    raised: type[openai.APIStatusError],
    parameter: str | None,
    code: str,
) -> None:
    with pytest.raises(raised) as found:
        openai_client.chat.completions.create(**{"model": "sample", "messages": said(QUESTION), **changed})
    error = found.value
    assert (error.param, error.code) == (parameter, code)
    assert error.type == ("server_error" if error.status_code >= 500 else "invalid_request_error")
    assert error.response.headers["x-should-retry"] == ("true" if code == "endpoint-unreachable" else "false")


def test_an_address_that_is_not_there_is_an_error_of_the_same_shape(openai_client: OpenAI) -> None:
    with pytest.raises(openai.NotFoundError) as found:
        openai_client.embeddings.create(model="sample", input="x")
    assert found.value.code == "not-found"


@pytest.mark.parametrize(
    ("status", "raised", "kind", "code"),
    [
        (401, openai.AuthenticationError, "authentication_error", "invalid_api_key"),
        (403, openai.PermissionDeniedError, "permission_error", "forbidden"),
        (429, openai.RateLimitError, "rate_limit_error", "rate_limit_exceeded"),
        (500, openai.InternalServerError, "server_error", "internal"),
    ],
)
def test_what_stands_before_the_routes_raises_them_too(
    app: Flask, openai_client: OpenAI, status: int, raised: type[openai.APIStatusError], kind: str, code: str
) -> None:
    keys = []

    @app.before_request
    def refuse() -> None:
        keys.append(request.headers["Authorization"])
        abort(status)

    with pytest.raises(raised) as found:
        openai_client.chat.completions.create(model="sample", messages=said(QUESTION))
    assert (found.value.type, found.value.code) == (kind, code)
    assert keys == [f"Bearer {KEY}"]


def test_other_addresses_keep_their_problems(client: FlaskClient) -> None:
    assert client.post("/nlq", json={}).mimetype == "application/problem+json"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Quentin Tarantino", "Quentin Tarantino"),
        ("2850 kilometre", "2850 kilometre"),
        ("-5", "-5"),
        ("[x](javascript:alert(1))", r"\[x\](javascript:alert(1))"),
        ("<img src=x onerror=alert(1)>", r"\<img src=x onerror=alert(1)>"),
        ("M*A*S*H", r"M\*A\*S\*H"),
        ("a|b", r"a\|b"),
        ("a\n\n# b", "a # b"),
        ("# b", r"\# b"),
        ("1. FC Köln", r"1\. FC Köln"),
        ("```", r"\`\`\`"),
        ("~~~", r"\~~~"),
    ],
)
def test_names_stay_names_in_markdown(name: str, shown: str) -> None:
    assert escaped(name) == shown


def cells(*rows: Sequence[str]) -> Cells:
    return tuple(tuple(AnswerValue(text, "literal") for text in row) for row in rows)


def test_a_cell_stays_in_its_row(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("How many films did each director direct?"))
    hostile = replace(trace, cells=cells(("1", "a | b\n| c"), ("2", "x" * 500)))
    table = message(hostile, "http://here/").partition("\n\n| ")[2].partition("\n\n")[0].splitlines()
    assert table[2:] == [r"| 1 | a \| b \| c |", f"| 2 | {'x' * 100}… |"]
