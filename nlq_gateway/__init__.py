"""Answers natural-language questions over SPARQL stores.

>>> from nlq_gateway import Gateway
>>> with Gateway.open("films.ttl.gz") as gateway:
...     answer = gateway.ask("Who directed Fargo?")

`nlq_gateway.client` asks a gateway over HTTP; `%load_ext nlq_gateway` gives notebooks `%%ask`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nlq_gateway.core.version import __version__

if TYPE_CHECKING:
    from nlq_gateway.client.answer import Compilation, GatewayAnswer
    from nlq_gateway.client.gateway import Gateway
    from nlq_gateway.client.notebook import load_ipython_extension as load_ipython_extension
    from nlq_gateway.client.notebook import unload_ipython_extension as unload_ipython_extension
    from nlq_gateway.core.errors import GatewayError

__all__ = ["Compilation", "Gateway", "GatewayAnswer", "GatewayError", "__version__"]

# Imported when they are first used: what a gateway needs takes a second to import.
_HOMES = {
    "Compilation": "nlq_gateway.client.answer",
    "Gateway": "nlq_gateway.client.gateway",
    "GatewayAnswer": "nlq_gateway.client.answer",
    "GatewayError": "nlq_gateway.core.errors",
    "load_ipython_extension": "nlq_gateway.client.notebook",
    "unload_ipython_extension": "nlq_gateway.client.notebook",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
