"""`nlq mcp`: the gateway as tools of an assistant, by the Model Context Protocol."""

from __future__ import annotations

import argparse

from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.edges.cli.source import or_sample, settings_of

INSTALL = "pip install '.[mcp]' in the gateway's source folder"


def mcp(options: argparse.Namespace) -> int:
    """Serve one client over standard input and output, or many over HTTP."""
    if not options.http and (options.allow_host or options.host or options.port is not None):
        options.parser.error("--host, --port and --allow-host are for --http")
    or_sample(options)
    settings = settings_of(options)
    try:
        from nlq_gateway.edges.mcp.serving import serve_http, serve_stdio
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("compilers", "connectors", "nlq_gateway"):
            raise
        raise ConfigurationError(f"the package {package} is not installed", hint=INSTALL) from None
    if options.http:
        port = 8090 if options.port is None else options.port
        serve_http(settings, options.host or "127.0.0.1", port, options.allow_host)
    else:
        serve_stdio(settings)
    return 0
