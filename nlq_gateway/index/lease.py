"""A lock on a folder that machines share, as a file that its holder keeps touching.

Locks of the operating system (flock) are not known on every network file system, so the lock is a file that
only one process can create (O_EXCL, which NFS has since version 3). Its holder touches it every few seconds.
A waiter takes it over if it was not touched for `STALE_SECONDS` by the waiter's own clock, so clocks need not
agree; at once if the holder was a process of the same machine that has ended. The protected work must stay
right with two holders, as one that slept too long does not notice the loss: here they only do the same work
twice.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from nlq_gateway.index.errors import IndexBusy

STALE_SECONDS = 90.0
_BEAT_SECONDS = 10.0
_POLL_SECONDS = 0.1
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_PROCESSES = Path("/proc/self/ns/pid")


@contextlib.contextmanager
def held(file: Path, wait_s: float, stale_s: float = STALE_SECONDS) -> Iterator[None]:
    """Hold the lock; raises IndexBusy when another process holds it for longer than `wait_s`."""
    _take(file, wait_s, stale_s)
    ended = threading.Event()
    beat = threading.Thread(target=_keep_touching, args=(file, ended), name="index-lock", daemon=True)
    beat.start()
    try:
        yield
    finally:
        ended.set()
        beat.join()
        file.unlink(missing_ok=True)


def _take(file: Path, wait_s: float, stale_s: float) -> None:
    """Create the file, once those of other processes are gone or stale."""
    deadline = time.monotonic() + wait_s
    seen: tuple[str, int] | None = None
    since = time.monotonic()
    while not _created(file):
        state = _state(file)
        if state != seen:
            seen, since = state, time.monotonic()
        if seen is not None and (_is_gone(seen[0]) or time.monotonic() - since > stale_s):
            _remove(file, seen[0])
            continue
        if time.monotonic() > deadline:
            raise IndexBusy(
                f"Another process has been building the index in {file.parent} for over {wait_s:g} s.",
                hint=f"Wait for it to finish, or stop it. It is {_words(seen)}.",
            )
        time.sleep(_POLL_SECONDS)


def _created(file: Path) -> bool:
    owner = {"host": socket.gethostname(), "process": os.getpid(), "space": _space(), "id": uuid.uuid4().hex}
    try:
        with file.open("x", encoding="utf-8") as stream:
            json.dump(owner, stream)
    except FileExistsError:
        return False
    return True


def _state(file: Path) -> tuple[str, int] | None:
    """The holder of the lock and the time of the last touch; opening the file makes NFS ask the server."""
    try:
        with file.open(encoding="utf-8") as stream:
            return stream.read(), os.fstat(stream.fileno()).st_mtime_ns
    except FileNotFoundError:
        return None


def _is_gone(owner: str) -> bool:
    """True if the holder was a process of this machine, or container, that has ended."""
    try:
        known = json.loads(owner)
        if known["space"] != _space() or not known["space"]:
            return False
        os.kill(known["process"], 0)
    except ProcessLookupError:
        return True
    except (ValueError, KeyError, TypeError, PermissionError):
        return False
    return False


def _remove(file: Path, owner: str) -> None:
    """Remove a stale lock, unless another waiter did so and made its own."""
    aside = file.with_name(f"{file.name}.{uuid.uuid4().hex}")
    with contextlib.suppress(FileNotFoundError):
        os.rename(file, aside)
        if aside.read_text(encoding="utf-8") != owner:
            with contextlib.suppress(FileExistsError):
                os.link(aside, file)
        aside.unlink()


def _keep_touching(file: Path, ended: threading.Event) -> None:
    while not ended.wait(_BEAT_SECONDS):
        with contextlib.suppress(OSError):
            os.utime(file)


def _space() -> str:
    """The scope in which process numbers are unique: this boot of this machine, or container."""
    try:
        return f"{socket.gethostname()} {_BOOT.read_text().strip()} {os.readlink(_PROCESSES)}"
    except OSError:
        return ""


def _words(state: tuple[str, int] | None) -> str:
    try:
        known = json.loads(state[0]) if state else {}
        return f"process {known['process']} on {known['host']}"
    except (ValueError, KeyError, TypeError):
        return "of an unknown process"
