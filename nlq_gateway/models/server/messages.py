"""What servers send (OpenAI API reference, completions and chat completions, with vLLM's additions)."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel


class Token(BaseModel):
    """One token of a chat's text."""

    token: str = ""
    logprob: float | None = None


class Logprobs(BaseModel):
    """Log-probabilities as completions have them (two lists), or as chats have them (`content`)."""

    tokens: list[str] | None = None
    token_logprobs: list[float | None] | None = None
    content: list[Token] | None = None

    @property
    def pairs(self) -> tuple[tuple[str, float | None], ...]:
        """Each token with its log-probability."""
        if self.content is not None:
            return tuple((one.token, one.logprob) for one in self.content)
        return tuple(zip(self.tokens or [], self.token_logprobs or [], strict=False))


class Delta(BaseModel):
    """What a chat's text goes on with."""

    content: str | None = None


class Choice(BaseModel):
    """One of the texts, or a piece of it."""

    index: int = 0
    text: str | None = None
    delta: Delta | None = None
    logprobs: Logprobs | None = None
    prompt_logprobs: list[Mapping[str, Token] | None] | None = None
    finish_reason: str | None = None

    @property
    def piece(self) -> str:
        """The text in it."""
        return self.text or (self.delta.content if self.delta else None) or ""


class Used(BaseModel):
    """Tokens read and written."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Message(BaseModel):
    """A whole answer, or an event of a stream."""

    id: str | None = None
    choices: list[Choice] | None = None
    usage: Used | None = None


class Listed(BaseModel):
    """A model that the server has."""

    id: str


class Models(BaseModel):
    """The models that the server has."""

    data: list[Listed]
