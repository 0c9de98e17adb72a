"""Responses of the adapters: queries for TEXT2SPARQL, completions and models for OpenAI's clients."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict


class FoundQuery(TypedDict):
    """A question's query; `dataset` is as it was asked for."""

    dataset: str
    question: str
    query: str


class ChatMessage(TypedDict):
    """The answer in Markdown."""

    role: Literal["assistant"]
    content: str
    refusal: None


class ChatChoice(TypedDict):
    """The only choice."""

    index: int
    message: ChatMessage
    logprobs: None
    finish_reason: Literal["stop"]


class ChatUsage(TypedDict):
    """Tokens of the gateway's own language model."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatCompletion(TypedDict):
    """OpenAI's `chat.completion`; `system_fingerprint` is the version of the index."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    system_fingerprint: str
    choices: list[ChatChoice]
    usage: ChatUsage


class ChatModel(TypedDict):
    """A dataset; `created` is when its index was built, 0 before there is one."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class ChatModels(TypedDict):
    """The datasets that can be asked, the default first."""

    object: Literal["list"]
    data: list[ChatModel]


class ChatFault(TypedDict):
    """An error in OpenAI's form; `code` is that of a problem, or OpenAI's for the same."""

    message: str
    type: str
    param: NotRequired[str | None]
    code: Any


class ChatError(TypedDict):
    """The response in place of a problem under `/v1/`."""

    error: ChatFault
