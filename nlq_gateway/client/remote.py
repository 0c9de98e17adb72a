"""Clients of a gateway that runs elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from inspect import Signature, signature
from typing import Any, ClassVar, Generic, ParamSpec, Self, TypeVar, overload

import httpx2

from nlq_gateway.client import calls
from nlq_gateway.client.calls import ClientRequest, reaching, result_of

DEFAULT_ADDRESS = "http://127.0.0.1:8080"
SECONDS = 120.0

Given = ParamSpec("Given")
Read = TypeVar("Read")
Connections = TypeVar("Connections", httpx2.Client, httpx2.AsyncClient)


class RemoteCall(Generic[Given, Read]):
    """A method of both clients, declared by the function that makes its request."""

    def __init__(self, request: Callable[Given, ClientRequest[Read]]) -> None:
        """Take the function, whose docstring and arguments are the method's."""
        self._request = request
        self._signature = signature(request).replace(return_annotation=Signature.empty)

    @overload
    def __get__(self, client: None, owner: type) -> Callable[Given, ClientRequest[Read]]: ...
    @overload
    def __get__(self, client: GatewayClient, owner: type) -> Callable[Given, Read]: ...
    @overload
    def __get__(
        self, client: AsyncGatewayClient, owner: type
    ) -> Callable[Given, Coroutine[Any, Any, Read]]: ...
    def __get__(self, client: GatewayClient | AsyncGatewayClient | None, owner: type) -> Any:
        """The method of a client; of its class the function."""
        if client is None:
            return self._request
        made = client._made

        @wraps(self._request)
        def call(*args: Given.args, **options: Given.kwargs) -> Any:
            return made(self._request(*args, **options))

        call.__dict__["__signature__"] = self._signature
        return call


class RemoteGateway(Generic[Connections]):
    """The address of a gateway, and its connections."""

    _connections: ClassVar[Any]

    ask = RemoteCall(calls.ask)
    run = RemoteCall(calls.run)
    compile = RemoteCall(calls.compile)
    explain = RemoteCall(calls.explain)
    datasets = RemoteCall(calls.datasets)
    examples = RemoteCall(calls.examples)
    schema = RemoteCall(calls.schema)
    suggest = RemoteCall(calls.suggest)
    describe = RemoteCall(calls.describe)
    path = RemoteCall(calls.path)
    feedback = RemoteCall(calls.feedback)

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

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.address})"


class GatewayClient(RemoteGateway[httpx2.Client]):
    """A gateway over HTTP. Safe to share between threads.

    >>> with GatewayClient("https://kg.example.org", key=token) as gateway:
    ...     print(gateway.ask("Which products weigh more than 3 kg?"))

    Errors are `GatewayProblem` (with the server's code, hint and `retryable`) and `GatewayUnreachable`.
    """

    _connections = httpx2.Client

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _made(self, call: ClientRequest[Read]) -> Read:
        if call.of_first:
            call = call.at(self._made(calls.first_dataset()))
        with reaching(self.address):
            response = self._http.request(**call.sent)
        return result_of(call, response)


class AsyncGatewayClient(RemoteGateway[httpx2.AsyncClient]):
    """A gateway over HTTP, for asynchronous programs, with arguments as for `GatewayClient`.

    >>> async with AsyncGatewayClient("https://kg.example.org", key=token) as gateway:
    ...     answers = await asyncio.gather(*map(gateway.ask, questions))
    """

    _connections = httpx2.AsyncClient

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _made(self, call: ClientRequest[Read]) -> Read:
        if call.of_first:
            call = call.at(await self._made(calls.first_dataset()))
        with reaching(self.address):
            response = await self._http.request(**call.sent)
        return result_of(call, response)
