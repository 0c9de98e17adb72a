"""Data files as a store on disk that is loaded once and shared by every later run."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from connectors.base import Limits
from connectors.errors import DataError
from connectors.oxigraph import EmbeddedOxigraph
from connectors.rdf_files import load_files
from nlq_gateway.core.types import Progress
from nlq_gateway.settings import SAMPLE, private_folder

_FORMAT = 1
_PREFIXES = "prefixes.json"


def files_of(sources: Sequence[str]) -> tuple[Path, ...]:
    """The files that data settings name; the built-in graph's own for `builtin:sample`."""
    found: list[Path] = []
    for source in sources:
        if source == SAMPLE:
            folder = Path(str(resources.files("nlq_gateway.sample")))
            found.extend(sorted(folder.glob("*.ttl")))
        else:
            found.append(Path(source))
    return tuple(found)


def content_key(files: Sequence[Path]) -> str:
    """A short text that changes when a file does (by path, size and time of change).

    Raises:
        DataError: a file is not there.
    """
    parts: list[object] = [_FORMAT]
    for file in files:
        try:
            state = file.stat()
        except OSError as error:
            raise DataError("the file cannot be read", file=str(file), hint="check the path") from error
        parts.append((str(file.resolve()), state.st_size, state.st_mtime_ns))
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def open_data(
    files: Sequence[Path], root: Path, limits: Limits, progress: Progress | None = None, *, name: str = "data"
) -> EmbeddedOxigraph:
    """Open a read-only store with the files' triples, loaded under `root` at the first call.

    `name` is its address: clients see it, and must not see folders.

    Raises:
        DataError: a file is missing or is not RDF.
    """
    folder = root / content_key(files)
    private_folder(root)
    with (root / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / _PREFIXES).is_file():
            report = progress or (lambda _stage, _done, _total: None)
            prefixes = load_files(folder / "store", files, lambda done, total: report("load", done, total))
            (folder / _PREFIXES).write_text(json.dumps(prefixes), encoding="utf-8")
    store = EmbeddedOxigraph.open(folder / "store", address=name, limits=limits)
    store.prefixes = json.loads((folder / _PREFIXES).read_text(encoding="utf-8"))
    return store
