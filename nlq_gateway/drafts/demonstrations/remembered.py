"""The vectors of demonstrations on disk, so that a restart does not encode them again."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nlq_gateway.index import Index
from nlq_gateway.index.embedding import Vectors
from nlq_gateway.settings import private_folder

_DIGEST = 16


class RememberedVectors:
    """Encodes texts with the index, and caches the vectors; to be used by one thread at a time.

    The file is keyed by the encoder's name and the texts; where processes write at once, the last one wins.
    """

    def __init__(self, folder: Path, index: Index) -> None:
        """Read the file; a damaged one counts as empty."""
        name = index.manifest.embedding or "none"
        self._index = index
        self._file = folder / f"vectors-{name}.npz"
        self._known: dict[bytes, Vectors] = {}
        self._new = False
        try:
            with np.load(self._file, allow_pickle=False) as saved:
                keys, rows = saved["keys"], saved["rows"]
                self._known = {key.tobytes(): row for key, row in zip(keys, rows, strict=True)}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            self._known = {}

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """One row per text: float32, unit length."""
        keys = [_key(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if missing:
            rows = self._index.encode(list(missing.values()))
            self._known.update(zip(missing, rows, strict=True))
            self._new = True
        if not texts:
            return self._index.encode([])
        return np.stack([self._known[key] for key in keys])

    def keep(self) -> None:
        """Write new vectors; if that fails, the next start encodes them again."""
        if not self._new or not self._known:
            return
        keys = np.frombuffer(b"".join(self._known), np.uint8).reshape(-1, _DIGEST)
        part = self._file.with_name(f".{self._file.name}-{os.getpid()}")
        try:
            private_folder(self._file.parent)
            with part.open("wb") as stream:
                np.savez(stream, keys=keys, rows=np.stack(list(self._known.values())))
            os.replace(part, self._file)
            self._new = False
        except OSError:
            part.unlink(missing_ok=True)


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "ignore"), digest_size=_DIGEST).digest()
