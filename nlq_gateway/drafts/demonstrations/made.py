"""Example questions made for a graph without any, one file for each version of its index."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path


def made_file(folder: Path, version: str) -> Path:
    """The file for the questions of a version, in an endpoint's folder."""
    return folder / "questions" / f"{version}.json"


def read_made(file: Path) -> tuple[str, ...]:
    """The questions of a file; () if there is no such file, or it cannot be read."""
    try:
        return tuple(map(str, json.loads(file.read_text(encoding="utf-8"))))
    except (OSError, ValueError, TypeError):
        return ()


def write_made(file: Path, questions: Sequence[str]) -> None:
    """Write the questions, and remove those of other versions; raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_suffix(".new")
    temporary.write_text(json.dumps(list(questions), ensure_ascii=False), encoding="utf-8")
    os.replace(temporary, file)
    for other in file.parent.glob("*.json"):
        if other != file:
            other.unlink(missing_ok=True)
