"""Clients of the tools: over HTTP a client of `server.auth`, else the user who started the process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.mcpserver import Context
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from nlq_gateway.core.errors import Unauthorized
from nlq_gateway.edges.clients import EVERYBODY, Client, Credentials

Caller = Callable[[Context[Any, Any]], Client]
_CLIENT = "nlq_gateway.client"


class CredentialGate:
    """Lets no request through to an ASGI application whose credentials are not known."""

    def __init__(self, application: ASGIApp, credentials: Credentials) -> None:
        """Around an application."""
        self._application = application
        self._credentials = credentials

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with 401."""
        if scope["type"] == "http":
            try:
                client = self._credentials.client(Headers(scope=scope))
            except Unauthorized as error:
                await _refusal(error)(scope, receive, send)
                return
            scope[_CLIENT] = client
            # The SDK uses it to restrict a session to its client.
            scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=client.name, scopes=[]))
        await self._application(scope, receive, send)


def of_request(context: Context[Any, Any]) -> Client:
    """The client that the gate found for the request that a call came in."""
    request: Any = context.request_context.request
    client: Client = request.scope[_CLIENT]
    return client


def everybody(_: Context[Any, Any]) -> Client:
    """The user who started the process, and may therefore read the configuration."""
    return EVERYBODY


def _refusal(error: Unauthorized) -> JSONResponse:
    document = {"title": "Unauthorized", "status": 401, "detail": error.message, "hint": error.hint}
    challenge = {"WWW-Authenticate": error.challenge}
    return JSONResponse(document, 401, challenge, media_type="application/problem+json")
