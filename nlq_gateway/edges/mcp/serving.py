"""An MCP server over standard input and output, or over HTTP (the transport called streamable HTTP).

Standard output has nothing but the protocol: the SDK leads what else is printed to standard error. Over HTTP,
a browser that was led here by a name that resolves to this machine is refused: the `Host` and `Origin` of a
request are names that the server is known by (DNS rebinding).
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence
from typing import NoReturn

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.readiness import Readiness
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.core.version import __version__
from nlq_gateway.edges.clients import Credentials
from nlq_gateway.edges.mcp.access import Caller, CredentialGate, everybody, of_request
from nlq_gateway.edges.mcp.tools import INSTRUCTIONS, register
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import Settings

PATH = "/mcp"
STOP_SECONDS = 10
# The exit code of a command that was interrupted, as of all commands.
INTERRUPTED = 130
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_EVERYWHERE = ("0.0.0.0", "::", "")


def serve_stdio(settings: Settings) -> NoReturn:
    """Serve one client, until it closes standard input, which ends the process; raises ConfigurationError."""
    server = _server(settings, everybody)
    # The thread that waits for a line of standard input cannot be interrupted, and all answers are written.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    server.run("stdio")
    sys.stdout.flush()
    sys.stderr.flush()
    # A thread that makes the graph ready may be in native code, which aborts as the interpreter ends.
    os._exit(0)


def serve_http(settings: Settings, host: str, port: int, names: Sequence[str] = ()) -> None:
    """Serve until a signal ends it; prints where it is open.

    Args:
        settings: the endpoints, and where traces are kept.
        host: the address to listen at.
        port: the port, or 0 for a free one.
        names: further host names, of a proxy for example, under which clients reach the server.

    Raises:
        ConfigurationError: traces cannot be kept, or the address is not free.
    """
    listener = _listening(host, port)
    found = listener.getsockname()[1]
    app = _server(settings, of_request).streamable_http_app(
        streamable_http_path=PATH,
        host=host,
        transport_security=security(host, (*settings.server.hosts, *names)),
    )
    # uvicorn hands on the signal that ended it, which is no failure here.
    signal.signal(signal.SIGTERM, lambda *_: None)
    print(f"nlq: open http://{f'[{host}]' if ':' in host else host}:{found}{PATH}", flush=True)
    config = uvicorn.Config(
        CredentialGate(app, Credentials(settings.server.auth)),
        log_level="warning",
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    uvicorn.Server(config).run(sockets=[listener])


def security(host: str, names: Sequence[str]) -> TransportSecuritySettings:
    """The names that requests may be addressed to: this machine's own, where it listens, and those given."""
    own = () if host in (*_EVERYWHERE, *_LOOPBACK) else (f"[{host}]" if ":" in host else host,)
    known = (*_LOOPBACK, *own, *names)
    hosts = [form for name in known for form in (name, f"{name}:*")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{form}" for form in hosts for scheme in ("http", "https")],
    )


def _server(settings: Settings, caller: Caller) -> MCPServer[None]:
    pipeline = Pipeline(settings)
    traces = TraceStore.of(settings.server)
    traces.check()
    pipeline.learn_from(traces)
    Readiness(pipeline).start()
    server: MCPServer[None] = MCPServer(
        "nlq-gateway", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING"
    )
    logging.getLogger("mcp").setLevel(logging.WARNING)
    register(server, pipeline, traces, caller)
    return server


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        hint = "choose another with --host and --port"
        raise ConfigurationError(f"cannot listen at {host}, port {port}: {error}", hint=hint) from None
