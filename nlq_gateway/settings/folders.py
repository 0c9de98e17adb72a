"""Folders for caches, which can be rebuilt, and for data, which cannot."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import shutil
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

_log = logging.getLogger(__name__)


def cache_folder() -> Path:
    """`$NLQ_CACHE`, or the user's cache folder, for what can be made again; it is not created here."""
    chosen = os.environ.get("NLQ_CACHE")
    return Path(chosen).expanduser().absolute() if chosen else user_cache_path("nlq-gateway")


def data_folder() -> Path:
    """`$NLQ_DATA`, or the user's data folder, for what cannot be made again; it is not created here."""
    chosen = os.environ.get("NLQ_DATA")
    return Path(chosen).expanduser().absolute() if chosen else user_data_path("nlq-gateway")


def private_folder(folder: Path) -> Path:
    """The folder, made where it is missing, and closed to other users where it is this user's to close."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(PermissionError):
        folder.chmod(0o700)
    return folder


def database_file(name: str) -> Path:
    """The file of SQLite with this name in the data folder.

    Earlier versions kept it in the cache folder: one that is there alone is moved, which the log says.
    """
    new, old = data_folder() / name, cache_folder() / name
    if new.exists() or not old.exists():
        return new
    try:
        with (private_folder(new.parent) / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            _move(old, new)
    except OSError as error:
        _log.warning("%s stays where it is, and is not moved to %s: %s", old, new.parent, error.strerror)
        return old
    return new


def _move(old: Path, new: Path) -> None:
    """Move a database that no other process has moved meanwhile; its log first, without which it is older."""
    if new.exists() or not old.exists():
        return
    for ending in ("-wal", ""):
        part = old.with_name(old.name + ending)
        if part.exists():
            shutil.move(part, new.with_name(new.name + ending))
    _log.warning("moved %s to %s: it is no cache", old, new)
