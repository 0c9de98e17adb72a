"""Servers' messages (OpenAI API reference, completions and chat completions, with vLLM's additions)."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel


class CompletionToken(BaseModel):
    """One token of a chat's text."""

    token: str = ""
    logprob: float | None = None


class Logprobs(BaseModel):
    """Log-probabilities as completions have them (two lists), or as chats have them (`content`)."""

    tokens: list[str] | None = None
    token_logprobs: list[float | None] | None = None
    content: list[CompletionToken] | None = None

    @property
    def pairs(self) -> tuple[tuple[str, float | None], ...]:
        """Each token with its log-probability."""
        if self.content is not None:
            return tuple((one.token, one.logprob) for one in self.content)
        return tuple(zip(self.tokens or [], self.token_logprobs or [], strict=False))


class Arguments(BaseModel):
    """The tool's name and its arguments, as JSON or a piece of it."""

    name: str | None = None
    arguments: str | None = None


class ToolCall(BaseModel):
    """A call of a tool, or a piece of it."""

    index: int = 0
    id: str | None = None
    function: Arguments | None = None


class Delta(BaseModel):
    """A piece of a chat's text: the answer, or the model's reasoning, under either of its names."""

    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[ToolCall] | None = None

    @property
    def text(self) -> str:
        """The answer's part."""
        calls = [one.function.arguments or "" for one in self.tool_calls or () if one.function is not None]
        return (self.content or "") + "".join(calls)

    @property
    def thought(self) -> bool:
        """True if it is part of the model's reasoning."""
        return bool(self.reasoning_content or self.reasoning)


class CompletionChoice(BaseModel):
    """One text, or a piece of it."""

    index: int = 0
    text: str | None = None
    delta: Delta | None = None
    logprobs: Logprobs | None = None
    prompt_logprobs: list[Mapping[str, CompletionToken] | None] | None = None
    finish_reason: str | None = None

    @property
    def piece(self) -> str:
        """The text in it."""
        return self.text or (self.delta.text if self.delta else "")


class Details(BaseModel):
    """The kinds of the tokens written."""

    reasoning_tokens: int | None = None


class Used(BaseModel):
    """Tokens read and written."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    completion_tokens_details: Details | None = None

    @property
    def thought(self) -> bool:
        """True if some of them are reasoning."""
        details = self.completion_tokens_details
        return details is not None and bool(details.reasoning_tokens)


class CompletionResponse(BaseModel):
    """A whole answer, or an event of a stream."""

    id: str | None = None
    choices: list[CompletionChoice] | None = None
    usage: Used | None = None


class ListedModel(BaseModel):
    """A model that the server has."""

    id: str


class Models(BaseModel):
    """The models that the server has."""

    data: list[ListedModel]
