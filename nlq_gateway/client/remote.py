"""Clients of a gateway that runs elsewhere."""

from __future__ import annotations

from typing import Self, TypedDict, TypeVar, Unpack

import httpx2

from nlq_gateway.client.answer import Compilation, GatewayAnswer
from nlq_gateway.client.calls import ClientRequest, asking, compiling, reaching, result_of, running
from nlq_gateway.client.options import AnyProgram, AskOptions, CompileOptions, RunOptions

DEFAULT_ADDRESS = "http://127.0.0.1:8080"
SECONDS = 120.0

Read = TypeVar("Read")


class _Connection(TypedDict):
    base_url: str
    headers: dict[str, str]
    timeout: float


def _connection(address: str, key: str, header: str, timeout_s: float) -> _Connection:
    """How a client of httpx is made; redirects are not followed, so that a key goes nowhere else."""
    bearer = header.lower() == "authorization"
    headers = {header: f"Bearer {key}" if bearer else key} if key else {}
    return {"base_url": address, "headers": headers, "timeout": timeout_s}


class GatewayClient:
    """A gateway over HTTP. Safe to share between threads.

    >>> with GatewayClient("https://kg.example.org", key=token) as gateway:
    ...     print(gateway.ask("Which products weigh more than 3 kg?"))

    Errors are `GatewayProblem` (with the server's code, hint and `retryable`) and `GatewayUnreachable`.
    """

    def __init__(
        self,
        address: str = DEFAULT_ADDRESS,
        *,
        key: str = "",
        header: str = "Authorization",
        timeout_s: float = SECONDS,
    ) -> None:
        """Know the gateway; nothing is sent yet.

        Args:
            address: where it is, such as https://kg.example.org or http://127.0.0.1:8080.
            key: the credentials, sent as a bearer token, or as they are in another header.
            header: the header that they are sent in.
            timeout_s: seconds to wait for a response.
        """
        self.address = address
        self._http = httpx2.Client(**_connection(address, key, header, timeout_s))

    def ask(self, question: str, **options: Unpack[AskOptions]) -> GatewayAnswer:
        """The answer to a question, with keyword arguments as for `nlq_gateway.Gateway.ask`."""
        return self._made(asking(question, options))

    def run(self, program: AnyProgram, **options: Unpack[RunOptions]) -> GatewayAnswer:
        """The answer that a program finds, with keyword arguments as for `nlq_gateway.Gateway.run`."""
        return self._made(running(program, options))

    def compile(self, program: AnyProgram, **options: Unpack[CompileOptions]) -> Compilation:
        """A program's query, which is not sent, with arguments as for `nlq_gateway.Gateway.compile`."""
        return self._made(compiling(program, options))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _made(self, call: ClientRequest[Read]) -> Read:
        with reaching(self.address):
            response = self._http.request(call.method, call.path, json=call.body)
        return result_of(call, response)


class AsyncGatewayClient:
    """A gateway over HTTP, for asynchronous programs.

    >>> async with AsyncGatewayClient("https://kg.example.org", key=token) as gateway:
    ...     answers = await asyncio.gather(*map(gateway.ask, questions))
    """

    def __init__(
        self,
        address: str = DEFAULT_ADDRESS,
        *,
        key: str = "",
        header: str = "Authorization",
        timeout_s: float = SECONDS,
    ) -> None:
        """Know the gateway, with arguments as for `GatewayClient`; nothing is sent yet."""
        self.address = address
        self._http = httpx2.AsyncClient(**_connection(address, key, header, timeout_s))

    async def ask(self, question: str, **options: Unpack[AskOptions]) -> GatewayAnswer:
        """The answer to a question, with keyword arguments as for `nlq_gateway.Gateway.ask`."""
        return await self._made(asking(question, options))

    async def run(self, program: AnyProgram, **options: Unpack[RunOptions]) -> GatewayAnswer:
        """The answer that a program finds, with keyword arguments as for `nlq_gateway.Gateway.run`."""
        return await self._made(running(program, options))

    async def compile(self, program: AnyProgram, **options: Unpack[CompileOptions]) -> Compilation:
        """A program's query, which is not sent, with arguments as for `nlq_gateway.Gateway.compile`."""
        return await self._made(compiling(program, options))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _made(self, call: ClientRequest[Read]) -> Read:
        with reaching(self.address):
            response = await self._http.request(call.method, call.path, json=call.body)
        return result_of(call, response)
