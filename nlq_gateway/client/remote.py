"""Clients of a gateway that runs elsewhere."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, Self, TypeVar, Unpack

import httpx2

from nlq_gateway.client.answer import Compilation, GatewayAnswer
from nlq_gateway.client.calls import ClientRequest, asking, compiling, listing, reaching, result_of, running
from nlq_gateway.client.options import AnyProgram, AskOptions, CompileOptions, RunOptions

DEFAULT_ADDRESS = "http://127.0.0.1:8080"
SECONDS = 120.0

Read = TypeVar("Read")
Connections = TypeVar("Connections", httpx2.Client, httpx2.AsyncClient)


class RemoteGateway(Generic[Connections]):
    """The address of a gateway, and its connections."""

    _connections: ClassVar[Any]

    def __init__(
        self,
        address: str = DEFAULT_ADDRESS,
        *,
        key: str = "",
        header: str = "Authorization",
        timeout_s: float = SECONDS,
    ) -> None:
        """Create a client; nothing is sent yet.

        Args:
            address: the gateway's, such as https://kg.example.org or http://127.0.0.1:8080.
            key: the credentials, sent as a bearer token, or unchanged in another header.
            header: the header of the credentials.
            timeout_s: seconds to wait for a response.
        """
        self.address = address
        bearer = header.lower() == "authorization"
        headers = {header: f"Bearer {key}" if bearer else key} if key else {}
        # Redirects are not followed, so that a key goes nowhere else.
        self._http: Connections = self._connections(base_url=address, headers=headers, timeout=timeout_s)


class GatewayClient(RemoteGateway[httpx2.Client]):
    """A gateway over HTTP. Safe to share between threads.

    >>> with GatewayClient("https://kg.example.org", key=token) as gateway:
    ...     print(gateway.ask("Which products weigh more than 3 kg?"))

    Errors are `GatewayProblem` (with the server's code, hint and `retryable`) and `GatewayUnreachable`.
    """

    _connections = httpx2.Client

    def ask(self, question: str, **options: Unpack[AskOptions]) -> GatewayAnswer:
        """The answer to a question, with keyword arguments as for `nlq_gateway.Gateway.ask`."""
        return self._made(asking(question, options))

    def run(self, program: AnyProgram, **options: Unpack[RunOptions]) -> GatewayAnswer:
        """The answer that a program finds, with keyword arguments as for `nlq_gateway.Gateway.run`."""
        return self._made(running(program, options))

    def compile(self, program: AnyProgram, **options: Unpack[CompileOptions]) -> Compilation:
        """A program's query, which is not sent, with arguments as for `nlq_gateway.Gateway.compile`."""
        return self._made(compiling(program, options))

    def examples(self, dataset: str | None = None) -> tuple[str, ...]:
        """A few questions that can be asked of a dataset, the first one by default."""
        return self._made(listing(dataset))

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


class AsyncGatewayClient(RemoteGateway[httpx2.AsyncClient]):
    """A gateway over HTTP, for asynchronous programs, with arguments as for `GatewayClient`.

    >>> async with AsyncGatewayClient("https://kg.example.org", key=token) as gateway:
    ...     answers = await asyncio.gather(*map(gateway.ask, questions))
    """

    _connections = httpx2.AsyncClient

    async def ask(self, question: str, **options: Unpack[AskOptions]) -> GatewayAnswer:
        """The answer to a question, with keyword arguments as for `nlq_gateway.Gateway.ask`."""
        return await self._made(asking(question, options))

    async def run(self, program: AnyProgram, **options: Unpack[RunOptions]) -> GatewayAnswer:
        """The answer that a program finds, with keyword arguments as for `nlq_gateway.Gateway.run`."""
        return await self._made(running(program, options))

    async def compile(self, program: AnyProgram, **options: Unpack[CompileOptions]) -> Compilation:
        """A program's query, which is not sent, with arguments as for `nlq_gateway.Gateway.compile`."""
        return await self._made(compiling(program, options))

    async def examples(self, dataset: str | None = None) -> tuple[str, ...]:
        """A few questions that can be asked of a dataset, the first one by default."""
        return await self._made(listing(dataset))

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
