"""Embedding models of sentence-transformers, from a folder or the hub: needs the extra `models`."""

from __future__ import annotations

import hashlib
import threading
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.index.embedding import Embedder, Vectors, shipped_embedder

_MODULES = "modules.json"
# The files that decide what a model does: its weights, tokenizer and settings.
_READ = (".bin", ".json", ".model", ".safetensors", ".txt")
_opening = threading.Lock()


class SentenceModel(Embedder):
    """A model of sentence-transformers, which is taken to know every language; on the GPU if there is one.

    The name of a folder's model has a hash of its files, so that vectors of a changed model are not compared
    with earlier ones.
    """

    def __init__(self, place: str) -> None:
        """Open the model of a folder, or of a name on the hub; raises ConfigurationError."""
        super().__init__()
        self._model = _opened(place)
        self._turn = threading.Lock()
        self.dimensions = self._raw([""]).shape[1]
        folder = Path(place)
        self.name = f"{folder.name} {_hash(folder)}" if folder.is_dir() else place.replace("/", " ")

    def _raw(self, texts: list[str]) -> Vectors:
        # The tokenizer keeps the padding of a batch, so that threads take turns.
        with self._turn:
            found = self._model.encode(texts, convert_to_numpy=True, show_progress_bar=False)
        return np.array(found, np.float32)


def embedder_at(place: str | None) -> Embedder:
    """The model of `index.embedding`, None for the package's own; each is opened once per process.

    Raises:
        ConfigurationError: the model cannot be opened, or the extra `models` is not installed.
        ModelDamaged: the package's own model file is not whole.
    """
    if place is None:
        return shipped_embedder()
    with _opening:
        return _shared(place)


_shared = cache(SentenceModel)


def _opened(place: str) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise ConfigurationError(
            f"the embedding model {place} needs sentence-transformers: {error}",
            hint="pip install '.[models]' in the gateway's source folder, or leave out `index.embedding`",
        ) from error
    hint = "`index.embedding` is a complete folder of sentence-transformers, or a name on the hub"
    if Path(place).is_absolute() and not Path(place, _MODULES).is_file():
        raise ConfigurationError(f"the embedding model {place} has no {_MODULES}", hint=hint)
    try:
        return SentenceTransformer(place)
    except Exception as error:
        # There is no common error class: the type depends on the missing or invalid file.
        raise ConfigurationError(
            f"the embedding model {place} cannot be opened: {error}",
            hint=f"{hint} that is cached or can be reached",
        ) from error


def _hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.suffix in _READ:
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]
