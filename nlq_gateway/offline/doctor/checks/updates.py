"""The store refuses updates under the gateway's login.

An update address that accepts a text which is no update calls it malformed; one that refuses updates refuses
it unread. Stores with one address for queries and updates check the rights after the syntax, so that only an
update shows them. With the operator's permission, one that changes nothing is sent.
"""

from __future__ import annotations

from collections.abc import Iterator

from connectors.updating import MALFORMED, NO_CHANGE, try_update
from nlq_gateway.endpoints.connection import auth_of, tls_of
from nlq_gateway.offline.doctor.finding import Found
from nlq_gateway.offline.doctor.patient import Patient

_REMEDY = "give the gateway a login that may only read, or an address without updates"
_TRY = "--try-update sends an update that changes nothing, and tells"
_WAIT_MS = 5_000


def updates(patient: Patient) -> Iterator[Found]:
    """Updates are refused, at the address of queries and at the one beside it."""
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
