"""Other processes that work for a command: those of a Dask cluster, found by its scheduler's address."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from nlq_gateway.core.errors import ConfigurationError, GatewayError
from nlq_gateway.settings import EndpointSettings

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS = 10
_OWN_HOSTS = ("127.0.0.1", "localhost", "::1")

# Dask's profiler holds frames of other threads, and with them results that only their own thread may drop.
QUIET = {"distributed.worker.profile.enabled": False}


class WorkerLost(GatewayError):
    """A process that was working is gone."""


def connect(address: str, endpoint: EndpointSettings) -> Client:
    """A client of the cluster whose scheduler is at the address, as tcp://host:8786.

    Raises:
        ConfigurationError: no scheduler is there, or the store's password would go there unprotected.
    """
    # The import takes half a second, which other commands should not spend.
    from distributed import Client

    _require_protected(endpoint, address)
    try:
        return Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"no scheduler answers at {address}: {error}") from None


def _require_protected(endpoint: EndpointSettings, address: str) -> None:
    """Refuse an unprotected connection: the settings contain the store's credentials."""
    parts = urlsplit(address)
    if endpoint.auth.type != "none" and parts.scheme != "tls" and parts.hostname not in _OWN_HOSTS:
        raise ConfigurationError(
            "the store's credentials would travel to the workers unprotected",
            hint="use a scheduler with tls://, or one on this machine",
        )
