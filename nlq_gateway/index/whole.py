"""Checks that the files of a version have the sizes noted at the build.

A full disk, or an interrupted copy, leaves files that open and fail later, at a question.
"""

from __future__ import annotations

import json
from pathlib import Path

from nlq_gateway.index.errors import IndexDamaged

SIZES = "sizes.json"


def note_sizes(folder: Path) -> None:
    """Note the sizes of all files in a version's folder; called once they are complete."""
    sizes = {file.name: file.stat().st_size for file in sorted(folder.iterdir()) if file.is_file()}
    (folder / SIZES).write_text(json.dumps(sizes) + "\n", encoding="utf-8")


def require_whole(folder: Path) -> None:
    """Raise IndexDamaged if a file has another size than was noted; earlier versions noted none."""
    try:
        sizes: dict[str, int] = json.loads((folder / SIZES).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return
    except (OSError, ValueError):
        sizes = {SIZES: 0}
    wrong = [name for name, size in sizes.items() if _size(folder / name) != size]
    if wrong:
        hint = "The gateway builds it again; `nlq index --fresh` does at once."
        raise IndexDamaged(f"{', '.join(wrong)} of the index is not whole.", place=folder, hint=hint)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return -1
