"""The store answers; its credentials, and its product."""

from __future__ import annotations

import time
from collections.abc import Iterator

from connectors.errors import EndpointUnauthorized
from nlq_gateway.endpoints.endpoint import CHECK
from nlq_gateway.offline.doctor.finding import Found
from nlq_gateway.offline.doctor.patient import Patient
from nlq_gateway.settings import AuthSettings


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
