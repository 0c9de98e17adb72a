"""Keeps versions of an endpoint's index in one folder: builds when there is no fitting one."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from connectors.base import Connector
from nlq_gateway.index.build import build
from nlq_gateway.index.embedding import Embedder
from nlq_gateway.index.errors import IndexBusy, IndexProblem
from nlq_gateway.index.introspect.reader import Progress
from nlq_gateway.index.manifest import FORMAT, BuildLimits, LabelSettings, Layout, Manifest

_LOCK = ".lock"
_UNFINISHED = ".building-"
_KEPT = 2
_POLL_S = 0.1


def fingerprint(
    connector: Connector,
    layout: Layout,
    *,
    labels: LabelSettings,
    embedder: Embedder | None,
    limits: BuildLimits,
    data: str = "",
) -> str:
    """What an index depends on, as a short text: a version with another one does not fit.

    `data` stands for the content where the caller knows it, such as sizes and times of the files.
    """
    model = embedder.name if embedder is not None else ""
    parts = (FORMAT, connector.address, layout, labels, model, limits, data)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def ensure(
    connector: Connector,
    layout: Layout,
    root: Path,
    *,
    labels: LabelSettings | None = None,
    embedder: Embedder | None = None,
    progress: Progress | None = None,
    limits: BuildLimits | None = None,
    endpoint: str = "",
    prefixes: Mapping[str, str] | None = None,
    data: str = "",
    max_age_s: float | None = None,
    wait_s: float = 900.0,
) -> Path:
    """The folder of the newest fitting version under `root`, built first where there is none.

    A version fits when its fingerprint is the same and it is no older than `max_age_s`. A build takes
    place in a folder of its own, which gets its name only when it is complete; processes take turns.

    Raises:
        IndexBusy: when another process builds for longer than `wait_s`.
        EndpointError: whatever the store's connector raises during a build.
    """
    labels, limits = labels or LabelSettings(), limits or BuildLimits()
    wanted = fingerprint(connector, layout, labels=labels, embedder=embedder, limits=limits, data=data)
    if found := _newest(root, wanted, max_age_s):
        return found
    root.mkdir(parents=True, exist_ok=True)
    with _locked(root, wait_s):
        if found := _newest(root, wanted, max_age_s):
            return found
        _clear_unfinished(root)
        folder = root / f"{_UNFINISHED}{os.getpid()}"
        try:
            manifest = build(
                connector,
                layout,
                folder,
                labels=labels,
                embedder=embedder,
                progress=progress,
                limits=limits,
                endpoint=endpoint,
                prefixes=prefixes,
                fingerprint=wanted,
            )
            final = root / manifest.version
            os.replace(folder, final)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        _drop_old(root, wanted)
    return final


def _versions(root: Path) -> Iterator[tuple[Manifest, Path]]:
    """The complete versions, newest first."""
    folders = [folder for folder in root.iterdir() if folder.is_dir()] if root.is_dir() else []
    for folder in sorted(folders, key=lambda one: one.name, reverse=True):
        if folder.name.startswith("."):
            continue
        try:
            yield Manifest.read(folder), folder
        except IndexProblem:
            continue


def _newest(root: Path, wanted: str, max_age_s: float | None) -> Path | None:
    for manifest, folder in _versions(root):
        age_s = (datetime.now(UTC) - datetime.fromisoformat(manifest.built_at)).total_seconds()
        if manifest.fingerprint == wanted and (max_age_s is None or age_s <= max_age_s):
            return folder
    return None


@contextmanager
def _locked(root: Path, wait_s: float) -> Iterator[None]:
    """Hold the lock of a folder; the system gives it back when the process ends, however it ends."""
    deadline = time.monotonic() + wait_s
    with (root / _LOCK).open("w") as stream:
        while True:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError as error:
                if time.monotonic() > deadline:
                    raise IndexBusy(
                        f"Another process has been building the index in {root} for over {wait_s:g} s.",
                        hint="Wait for it to finish, or stop it.",
                    ) from error
                time.sleep(_POLL_S)
        yield


def _clear_unfinished(root: Path) -> None:
    """Remove what builds that were cut off left behind; called under the lock."""
    for folder in root.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(folder, ignore_errors=True)


def _drop_old(root: Path, wanted: str) -> None:
    """Keep the two newest versions of a fingerprint: the older one may still be in use."""
    old = [folder for manifest, folder in _versions(root) if manifest.fingerprint == wanted][_KEPT:]
    for folder in old:
        shutil.rmtree(folder, ignore_errors=True)
