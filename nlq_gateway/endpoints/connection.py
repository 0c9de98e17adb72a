"""The connector of an endpoint, by its settings."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

from pydantic import SecretStr

from connectors.auth import Auth, BasicAuth, BearerAuth, DigestAuth, HeaderAuth, NoAuth
from connectors.base import Connector, Limits
from connectors.http import HttpEndpoint
from connectors.tls import Tls
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.core.types import Progress
from nlq_gateway.endpoints.data_store import content_key, files_of, open_data
from nlq_gateway.settings import AuthSettings, EndpointSettings, LimitSettings, TlsSettings

UNKNOWN_PRODUCT = "sparql11"


def connected(
    settings: EndpointSettings, folder: Path, progress: Progress | None = None
) -> tuple[Connector, str]:
    """Return the connector, and a key of the content if the gateway knows it.

    Args:
        settings: the endpoint's.
        folder: the folder into which data files are loaded, once.
        progress: called with a stage, the amount done and the total while they are loaded.

    Raises:
        EndpointError: the store is down, and its product has to be detected.
        DataError: a data file is missing or is not RDF.
        ConfigurationError: the credentials or a file of `tls` cannot be used.
    """
    limits = limits_of(settings.limits)
    if settings.data:
        if "per_second" not in settings.limits.model_fields_set:
            limits = replace(limits, per_second=math.inf)
        files = files_of(settings.data)
        return open_data(files, folder / "data", limits, progress, name=settings.id), content_key(files)
    if settings.dialect != "auto":
        return _http(settings, limits, settings.dialect), ""
    connector = _http(settings, limits, UNKNOWN_PRODUCT)
    found = connector.detect_dialect()
    return (connector if found is None else _http(settings, limits, found)), ""


def limits_of(settings: LimitSettings) -> Limits:
    """The bounds on one request."""
    return Limits(
        connect_ms=settings.connect_ms,
        query_ms=settings.query_ms,
        max_rows=settings.max_rows,
        max_bytes=settings.max_bytes,
        concurrency=settings.concurrency,
        per_second=settings.per_second,
        retries=settings.retries,
    )


def auth_of(settings: AuthSettings) -> Auth:
    """Return the authentication of requests to the store."""
    match settings.type:
        case "basic":
            return BasicAuth(settings.user or "", _secret(settings.password))
        case "digest":
            return DigestAuth(settings.user or "", _secret(settings.password))
        case "bearer":
            return BearerAuth(_secret(settings.token))
        case "header":
            return HeaderAuth(settings.header or "", _secret(settings.value))
        case _:
            return NoAuth()


def tls_of(settings: TlsSettings) -> Tls:
    """Return the TLS certificates of the settings."""
    ca, certificate, key = (
        Path(file) if file else None for file in (settings.ca, settings.certificate, settings.key)
    )
    return Tls(ca, certificate, key, _secret(settings.password) or None)


def _http(settings: EndpointSettings, limits: Limits, dialect: str) -> HttpEndpoint:
    assert settings.url is not None
    try:
        return HttpEndpoint(
            settings.url,
            limits=limits,
            auth=auth_of(settings.auth),
            default_graphs=settings.default_graphs,
            named_graphs=settings.named_graphs,
            dialect=dialect,
            tls=tls_of(settings.tls),
        )
    except ValueError as error:
        raise ConfigurationError(f"{settings.id}: {error}") from None


def _secret(value: SecretStr | None) -> str:
    return value.get_secret_value() if value is not None else ""
