"""Where the gateway keeps what it can make again."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder() -> Path:
    """`$NLQ_CACHE`, or the user's cache folder; it is not created here."""
    chosen = os.environ.get("NLQ_CACHE")
    return Path(chosen).expanduser().absolute() if chosen else user_cache_path("nlq-gateway")


def private_folder(folder: Path) -> Path:
    """The folder, made where it is missing, and closed to other users where it is this user's to close."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(PermissionError):
        folder.chmod(0o700)
    return folder
