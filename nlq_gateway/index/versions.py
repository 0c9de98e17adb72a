"""The versions of an endpoint's index in one folder, which machines may share.

A version is a folder that gets its name when it is complete. For each recipe, the version in use is in a file
that is replaced as a whole: `current-FINGERPRINT.json`.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from nlq_gateway.index.errors import IndexMissing, IndexProblem
from nlq_gateway.index.manifest import Manifest
from nlq_gateway.index.recipe import Recipe

NEWEST = "newest"
_LONG_AGO = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class Current:
    """The version in use, and the time of its last confirmation (ISO 8601): made, confirmed or chosen."""

    version: str
    checked_at: str

    @property
    def age_s(self) -> float:
        """Seconds since the confirmation."""
        return (datetime.now(UTC) - datetime.fromisoformat(self.checked_at)).total_seconds()


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions under one folder."""

    root: Path

    def all(self) -> Iterator[tuple[Manifest, Path]]:
        """The complete versions of this format, newest first, with any recipe."""
        folders = [folder for folder in self.root.iterdir() if folder.is_dir()] if self.root.is_dir() else []
        for folder in sorted(folders, key=lambda one: one.name, reverse=True):
            if folder.name.startswith("."):
                continue
            try:
                yield Manifest.read(folder), folder
            except IndexProblem:
                continue

    def fitting(self, recipe: Recipe) -> Iterator[tuple[Manifest, Path]]:
        """The versions with this recipe."""
        return ((one, folder) for one, folder in self.all() if one.fingerprint == recipe.fingerprint)

    def current(self, recipe: Recipe) -> Current | None:
        """The version in use for a recipe: the one pointed at, else the newest that fits."""
        try:
            found = Current(**json.loads(self._pointer(recipe).read_text(encoding="utf-8")))
            if Manifest.read(self.root / found.version).fingerprint == recipe.fingerprint:
                return found
        except (OSError, ValueError, TypeError, IndexProblem):
            pass
        newest = next(self.fitting(recipe), None)
        return Current(newest[1].name, newest[0].built_at) if newest else None

    def point(self, recipe: Recipe, version: str, checked_at: datetime | None = None) -> None:
        """Make a version the one in use, confirmed as of now or of another time."""
        now = (checked_at or datetime.now(UTC)).isoformat(timespec="milliseconds")
        partial = self.root / f".current-{uuid.uuid4().hex}"
        partial.write_text(json.dumps({"version": version, "checked_at": now}) + "\n", encoding="utf-8")
        os.replace(partial, self._pointer(recipe))

    def publish(self, folder: Path, manifest: Manifest, recipe: Recipe, keep: int) -> Path:
        """Give a complete version its name, put it to use, and remove old ones beyond `keep`."""
        final = self.root / manifest.version
        os.replace(folder, final)
        self.point(recipe, manifest.version)
        for _, old in list(self.fitting(recipe))[keep:]:
            shutil.rmtree(old, ignore_errors=True)
        return final

    def use(self, recipe: Recipe, version: str) -> Path:
        """Put another version to use, or the newest: until a newer one is made. Its folder is returned.

        Raises:
            IndexMissing: there is no such version, or it has another recipe.
        """
        fitting = {folder.name: folder for _, folder in self.fitting(recipe)}
        chosen = next(iter(fitting), NEWEST) if version == NEWEST else version
        if chosen not in fitting:
            raise self.missing(recipe, f"no version {version} that fits")
        self.point(recipe, chosen)
        return fitting[chosen]

    def set_aside(self, version: Path, recipe: Recipe) -> None:
        """Move a damaged version away: the newest good one is in use, as if it were old.

        Raises:
            OSError: the folder cannot be moved.
        """
        aside = self.root / f".damaged-{version.name}"
        shutil.rmtree(aside, ignore_errors=True)
        with contextlib.suppress(FileNotFoundError):
            os.replace(version, aside)
        shutil.rmtree(aside, ignore_errors=True)
        if newest := next(self.fitting(recipe), None):
            self.point(recipe, newest[1].name, _LONG_AGO)

    def missing(self, recipe: Recipe, what: str = "no index that fits", hint: str = "") -> IndexMissing:
        """The error with the reasons why none of the versions fits."""
        others = [
            f"{folder.name}: {'; '.join(recipe.differences(manifest)) or 'it fits'}"
            for manifest, folder in self.all()
        ]
        return IndexMissing(
            f"There is {what}" + (f" ({' | '.join(others)})." if others else "."),
            place=self.root,
            hint=hint or "`nlq index SOURCE --versions` lists those that there are.",
        )

    def _pointer(self, recipe: Recipe) -> Path:
        return self.root / f"current-{recipe.fingerprint}.json"
