"""Credentials of clients, and the gateway's record of them."""

from __future__ import annotations

from typing import Any

from nlq_gateway.settings.values import Expanded

ALL, FILMS, CURATOR = "t0ken-of-all", "t0ken-of-films", "t0ken-of-a-curator"
BEARER: dict[str, Any] = {
    "type": "bearer",
    "clients": [
        {"name": "team-all", "token": Expanded(ALL)},
        {"name": "team-films", "token": Expanded(FILMS), "datasets": ["films"]},
        {"name": "curator", "token": Expanded(CURATOR), "datasets": ["films"], "role": "curator"},
    ],
}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
