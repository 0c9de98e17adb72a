"""What clients send, and what the gateway knows of it."""

from __future__ import annotations

from typing import Any

from nlq_gateway.settings.values import Expanded

ALL, FILMS = "t0ken-of-all", "t0ken-of-films"
BEARER: dict[str, Any] = {
    "type": "bearer",
    "clients": [
        {"name": "team-all", "token": Expanded(ALL)},
        {"name": "team-films", "token": Expanded(FILMS), "datasets": ["films"]},
    ],
}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
