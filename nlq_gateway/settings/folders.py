"""Where the gateway keeps what it can make again."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder() -> Path:
    """`$NLQ_CACHE`, or the user's cache folder; it is not created here."""
    chosen = os.environ.get("NLQ_CACHE")
    return Path(chosen).expanduser().absolute() if chosen else user_cache_path("nlq-gateway")
