"""Requests to one server: sent, sent again where that helps, never beyond the deadline."""

from __future__ import annotations

import asyncio
import logging
import math
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TypeVar

import openai
from openai import AsyncOpenAI, AsyncStream
from pydantic import BaseModel

from connectors.observing import carried
from nlq_gateway.models.base import Deadline
from nlq_gateway.models.errors import ModelTimeout
from nlq_gateway.models.server.bodies import Body
from nlq_gateway.models.server.failures import RAISED, failure_of, model_error, told, wanted_pause
from nlq_gateway.models.server.messages import CompletionResponse
from nlq_gateway.models.server.options import AS_IT_COMES, ServerOptions
from nlq_gateway.models.server.reading import StreamReader

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

_log = logging.getLogger(__name__)

# Seconds before a request is sent again: each is made up to twice as long by chance.
_PAUSES = (0.2, 0.5)
# A server that asks to wait longer is not waited for.
_LONGEST_PAUSE = 60.0


@asynccontextmanager
async def until(deadline: Deadline) -> AsyncIterator[None]:
    """Gives up what runs inside when the deadline is over: ModelTimeout."""
    try:
        async with asyncio.timeout(None if deadline.at == math.inf else deadline.left):
            yield
    except TimeoutError:
        raise ModelTimeout("the model did not answer in time") from None


def _named(parameter: str) -> re.Pattern[str]:
    """The pattern of a parameter in a refusal: quoted if it is also an English word."""
    return re.compile(rf"\b{parameter}\b" if "_" in parameter else rf"['\"`]{parameter}['\"`]")


# Parameters that a request can do without. Newer models of OpenAI's own take no temperature but 1, and call
# max_tokens by another name.
_NAMES = """
    temperature top_p top_k repetition_penalty seed n stop logprobs stream_options reasoning_effort
""".split()
_OPTIONAL: Mapping[str, re.Pattern[str]] = {
    **{name: _named(name) for name in _NAMES},
    "max_tokens": re.compile(r"max_tokens\b.*\bnot supported\b.*\bmax_completion_tokens\b"),
}
_OTHER_NAMES: Mapping[str, str] = {"max_tokens": "max_completion_tokens"}


class Wire:
    """The connections to one server; belongs to one event loop. Every method raises ModelError.

    `refused` are the parameters that the server does not take; they are left out from then on.
    """

    def __init__(
        self, url: str, key: str, connect_seconds: float, options: ServerOptions = AS_IT_COMES
    ) -> None:
        """A server that is silent in the middle of an answer for the options' seconds counts as dead."""
        timeout = openai.Timeout(options.seconds, connect=connect_seconds)
        # Without a key, the client would take that of the environment, which may be another server's.
        self._client = AsyncOpenAI(
            base_url=url,
            api_key=key or "none",
            max_retries=0,
            timeout=timeout,
            default_headers=options.headers,
            default_query=options.query,
        )
        self._url = url
        self._key = key
        self._secrets = tuple(filter(None, (key, *options.headers.values())))
        self.options = options
        self.refused: frozenset[str] = frozenset()

    async def get(self, path: str, kind: type[M], deadline: Deadline) -> M:
        """Return the document at a path."""
        async with self._asked(deadline):
            found = await self._sent(
                lambda: self._client.get(path, cast_to=object, options=self._along()), deadline
            )
            return kind.model_validate(found)

    async def post(self, path: str, body: Body, deadline: Deadline) -> CompletionResponse:
        """The whole answer to a request."""
        async with self._asked(deadline):
            found = await self._sent(
                lambda: self._client.post(path, cast_to=object, body=body, options=self._along()), deadline
            )
            return CompletionResponse.model_validate(found)

    async def read(self, path: str, body: Body, reader: StreamReader, deadline: Deadline) -> None:
        """Hand the events of an answer's stream to the reader. Once it has begun, nothing is sent again."""
        async with self._asked(deadline, reader):
            stream = await self._stream(path, body, deadline)
            reader.request_id = stream.response.headers.get("x-request-id", "")
            try:
                async for event in stream:
                    reader.add(CompletionResponse.model_validate(event))
                    if reader.enough:
                        break
            finally:
                await stream.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def _stream(self, path: str, body: Body, deadline: Deadline) -> AsyncStream[object]:
        """The stream of an answer, asked for without the parameters that the server says it does not take."""
        while True:
            refused = self.refused
            taken = _without(body, refused)

            async def send(taken: Body = taken) -> AsyncStream[object]:
                return await self._client.post(
                    path,
                    cast_to=object,
                    body=taken,
                    options=self._along(),
                    stream=True,
                    stream_cls=AsyncStream[object],
                )

            try:
                return await self._sent(send, deadline)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                named = _named_in(error, body) - refused
                if not named:
                    raise
                self._leave_out(named)

    async def _sent(self, send: Callable[[], Awaitable[T]], deadline: Deadline) -> T:
        """Return the response; the request is repeated after temporary failures, while there is time."""
        for pause in _PAUSES:
            try:
                return await send()
            except openai.OpenAIError as error:
                seconds = max(wanted_pause(error), pause * random.uniform(1, 2))
                if not failure_of(error).again or seconds >= min(deadline.left, _LONGEST_PAUSE):
                    raise
            await asyncio.sleep(seconds)
        return await send()

    def _along(self) -> openai.RequestOptions:
        """Headers of each request; without a key no Authorization, which Azure would take for one."""
        named = any(name.lower() == "authorization" for name in self.options.headers)
        return {"headers": carried() if self._key or named else {"Authorization": openai.Omit(), **carried()}}

    def _leave_out(self, names: frozenset[str]) -> None:
        for name in sorted(names - self.refused):
            _log.info("%s: left out, as the server refuses it: %s", self._url, name)
        self.refused |= names

    @asynccontextmanager
    async def _asked(self, deadline: Deadline, reader: StreamReader | None = None) -> AsyncIterator[None]:
        try:
            async with until(deadline):
                yield
        except RAISED as error:
            # The cause is left out: it may repeat the key.
            request_id = reader.request_id if reader else ""
            raise model_error(error, self._url, self._secrets, request_id) from None


def _without(body: Body, refused: frozenset[str]) -> Body:
    """The body without what the server does not take, or by another name."""
    renamed = {_OTHER_NAMES[name]: body[name] for name in _OTHER_NAMES if name in refused}
    return {name: value for name, value in body.items() if name not in refused} | renamed


def _named_in(error: openai.APIStatusError, body: Body) -> frozenset[str]:
    """The parameters of the body that a refusal names and that can be left out."""
    said = told(error)
    return frozenset(
        name
        for name, naming in _OPTIONAL.items()
        if name in body and (naming.search(said) or name == error.param)
    )
