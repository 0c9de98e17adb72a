"""Finds the fitting version of an index, and builds one if there is none."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from connectors.base import Connector
from nlq_gateway.core.types import Progress
from nlq_gateway.index.build import build
from nlq_gateway.index.changes import TRUSTED_PERIODS, state_of
from nlq_gateway.index.lease import held
from nlq_gateway.index.manifest import Layout, Manifest
from nlq_gateway.index.recipe import USUAL, BuildOptions, Recipe
from nlq_gateway.index.remembered import RememberingConnector
from nlq_gateway.index.versions import Current, Versions
from nlq_gateway.settings import private_folder

KEPT = 2
_LOCK = ".lock"
_UNFINISHED = ".building-"
_PAGES = ".pages-"


def ensure(
    connector: Connector,
    layout: Layout,
    root: Path,
    options: BuildOptions = USUAL,
    *,
    progress: Progress | None = None,
    max_age_s: float | None = None,
    wait_s: float = 900.0,
    keep: int = KEPT,
    may_build: bool = True,
) -> Path:
    """The folder of the version under `root` that is in use, built first if none fits.

    A version fits if its recipe is the same and it was made or confirmed no longer than `max_age_s` ago. An
    old one is confirmed if the store reports no change. A build takes place in a folder of its own, which
    gets its name only when it is complete; processes, also of other machines, take turns. An interrupted
    build is continued: queries that the store has answered are not sent again.

    Args:
        connector: the store.
        layout: the layout in which its graph states facts.
        root: the folder of the versions.
        options: the settings of the build.
        progress: called with the stages.
        max_age_s: None for any age.
        wait_s: the longest wait for another process's build.
        keep: the number of versions of one recipe that stay.
        may_build: otherwise a fitting version of any age is taken.

    Raises:
        IndexBusy: when another process builds for longer than `wait_s`.
        IndexMissing: none fits, and none may be built.
        EndpointError: the errors of the store's connector during a build.
    """
    recipe = Recipe.of(connector, layout, options)
    versions = Versions(root)
    if found := _young(versions.current(recipe), max_age_s if may_build else None):
        return root / found.version
    if not may_build:
        hint = "Build it with `nlq index` where `index.build` is true, with the same settings."
        raise versions.missing(recipe, hint=hint)
    private_folder(root)
    with held(root / _LOCK, wait_s):
        known = versions.current(recipe)
        if found := _young(known, max_age_s):
            return root / found.version
        state = state_of(connector)
        if known is not None and max_age_s and _still_right(root / known.version, state, max_age_s):
            versions.point(recipe, known.version)
            return root / known.version
        _clear_unfinished(root, recipe)
        pages = root / f"{_PAGES}{recipe.fingerprint}.sqlite"
        folder = root / f"{_UNFINISHED}{os.getpid()}"
        try:
            with contextlib.closing(RememberingConnector(connector, pages)) as remembering:
                manifest = build(remembering, layout, folder, options, progress=progress, state=state)
            final = versions.publish(folder, manifest, recipe, keep)
            pages.unlink()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return final


def _young(current: Current | None, max_age_s: float | None) -> Current | None:
    """The version in use, or None if it is too old."""
    if current is None or (max_age_s is not None and current.age_s > max_age_s):
        return None
    return current


def _still_right(folder: Path, state: Mapping[str, str], max_age_s: float) -> bool:
    """True if the store reports no change, and its reports were not relied on for too long."""
    manifest = Manifest.read(folder)
    age_s = (datetime.now(UTC) - datetime.fromisoformat(manifest.built_at)).total_seconds()
    return age_s <= TRUSTED_PERIODS * max_age_s and bool(state) and manifest.state == state


def _clear_unfinished(root: Path, recipe: Recipe) -> None:
    """Remove the remains of interrupted builds, except this one's answers; called under the lock."""
    for folder in root.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(folder, ignore_errors=True)
    for pages in root.glob(f"{_PAGES}*"):
        if recipe.fingerprint not in pages.name:
            pages.unlink(missing_ok=True)
