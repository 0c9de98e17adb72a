"""The store answers; its credentials, also for updates, and its product."""

from __future__ import annotations

import time
from collections.abc import Iterator

from connectors.errors import EndpointUnauthorized
from connectors.updating import MALFORMED, NO_CHANGE, try_update
from nlq_gateway.endpoints.connection import auth_of, tls_of
from nlq_gateway.endpoints.endpoint import CHECK
from nlq_gateway.offline.doctor.finding import Found
from nlq_gateway.offline.doctor.patient import Patient
from nlq_gateway.settings import AuthSettings

_REMEDY = "give the gateway a login that may only read, or an address without updates"
_TRY = "--try-update sends an update that changes nothing, and tells"
_WAIT_MS = 5_000


def reachable(patient: Patient) -> Iterator[Found]:
    """The simplest question is answered."""
    started = time.perf_counter()
    patient.connector.query(CHECK)
    ms = (time.perf_counter() - started) * 1000
    yield Found("ok", f"{patient.connector.address} answers in {ms:.0f} ms")


def product(patient: Patient) -> Iterator[Found]:
    """The store's product matches the configuration."""
    wanted, known = patient.settings.dialect, patient.connector.product()
    if known is None and wanted == "auto":
        message = "the store does not name its product; the dialect is plain SPARQL 1.1"
        yield Found("note", message, "set `dialect` if a proxy hides the product")
        return
    if known is None:
        yield Found(
            "ok", f"the store does not name its product; queries are written for {wanted}, as configured"
        )
        return
    version = f" {known.version}" if known.version else ", which does not tell its version"
    if wanted not in ("auto", known.dialect):
        message = f"the store is {known.name}{version}, but `dialect` is {wanted}"
        yield Found("warning", message, f"leave `dialect` out, or write {known.dialect}")
        return
    yield Found("ok", f"{known.name}{version}; queries are written for {known.dialect}")


def login(patient: Patient) -> Iterator[Found]:
    """The login is accepted, and is needed."""
    kind = patient.settings.auth.type
    if not patient.is_remote:
        return
    if kind == "none":
        yield Found("note", "no login is configured, and the store wants none")
        return
    try:
        patient.connect(patient.settings.model_copy(update={"auth": AuthSettings()})).query(CHECK)
    except EndpointUnauthorized:
        yield Found("ok", f"the store accepts the login ({kind}), and refuses requests without one")
        return
    yield Found(
        "warning",
        f"the store answers without the login ({kind}), too",
        "let the store refuse readers without a login, or leave `auth` out",
    )


def updates(patient: Patient) -> Iterator[Found]:
    """Updates are refused, at the address of queries and at the one beside it.

    An update address that accepts a text which is no update calls it malformed; one that refuses updates
    refuses it unread. Stores with one address for queries and updates check the rights after the syntax, so
    that only an update shows them. With the operator's permission, one that changes nothing is sent.
    """
    settings = patient.settings
    if settings.url is None:
        yield Found("ok", "data files are opened for reading only")
        return
    replies = tuple(
        try_update(
            settings.url,
            NO_CHANGE if patient.try_update else MALFORMED,
            auth=auth_of(settings.auth),
            tls=tls_of(settings.tls),
            connect_ms=settings.limits.connect_ms,
            wait_ms=_WAIT_MS,
        )
    )
    seen = tuple(f"{one.path} ({one.field}=): status {one.status}" for one in replies)
    if any(one.is_done or (one.is_read and not patient.try_update) for one in replies):
        yield Found("warning", "the store takes updates from this login", _REMEDY, seen)
    elif patient.try_update:
        yield Found("ok", "the store refuses updates", evidence=seen)
    else:
        yield Found("note", "no address for updates is open; the one for queries may take some", _TRY, seen)
