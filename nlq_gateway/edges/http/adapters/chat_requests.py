"""The body of a chat completion.

https://platform.openai.com/docs/api-reference/chat/create. Chat programs send many members about the sampling
of a language model (`temperature`, `max_tokens`, `seed`, and new ones every year): these are ignored. Members
that would have to change the answer, and cannot, are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field

from nlq_gateway.core.errors import InvalidRequest
from nlq_gateway.edges.http.requests import Body

USER, TEXT = "user", "text"


class Lenient(Body):
    """A part of a body whose other members are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True, hide_input_in_errors=True)


class Part(Lenient):
    """A part of a message; only parts of the type `text` can be asked."""

    type: str
    text: str = ""


def _parts(content: object) -> object:
    """A message's content as parts: text is one of them, null none."""
    if isinstance(content, str):
        return [{"type": TEXT, "text": content}]
    return [] if content is None else content


class Message(Lenient):
    """One message of a conversation."""

    role: str
    content: Annotated[
        list[Part], BeforeValidator(_parts, json_schema_input_type=str | list[Part] | None)
    ] = Field(default=[])


class StreamOptions(Lenient):
    """Options of a stream."""

    include_usage: bool | None = None


class ResponseFormat(Lenient):
    """The form that the answer is wanted in."""

    type: str = TEXT


class ChatBody(Lenient):
    """`POST /v1/chat/completions`: the model is a dataset, the last user message the question."""

    model: str
    messages: list[Message] = Field(min_length=1)
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: int | None = None
    logprobs: bool | None = None
    tool_choice: Any = None
    function_call: Any = None
    response_format: ResponseFormat | None = None
    modalities: list[str] | None = None

    def question(self) -> str:
        """Return the last user message.

        Raises:
            InvalidRequest: there is none, it has parts other than text, or a member is unsupported.
        """
        for name, why in self._refusals():
            raise InvalidRequest(f"{name}: {why}", hint="leave it out")
        asked = [number for number, message in enumerate(self.messages) if message.role == USER]
        if not asked:
            raise InvalidRequest("messages: none is of the role `user`", hint="the last of those is asked")
        number = asked[-1]
        for position, part in enumerate(self.messages[number].content):
            if part.type != TEXT:
                where = f"messages[{number}].content[{position}]"
                raise InvalidRequest(
                    f"{where}: a part of type {part.type[:40]!r} cannot be asked", hint="send text"
                )
        return "\n".join(part.text for part in self.messages[number].content)

    def _refusals(self) -> Iterator[tuple[str, str]]:
        """Yield the unsupported members, with reasons."""
        if self.n not in (None, 1):
            yield "n", "there is one answer to a question"
        if self.logprobs:
            yield "logprobs", "answers come from a graph, and their tokens have no probabilities"
        if self.tool_choice not in (None, "none", "auto"):
            yield "tool_choice", "no tools are called here"
        if self.function_call not in (None, "none", "auto"):
            yield "function_call", "no functions are called here"
        if self.response_format is not None and self.response_format.type != TEXT:
            yield "response_format", "answers are text; POST /nlq gives JSON"
        if self.modalities is not None and set(self.modalities) - {TEXT}:
            yield "modalities", "answers are text"
