"""The model file that comes with the package: safetensors, with matrices as int8 by row.

The format: 8 bytes with the header's length, a JSON header with each tensor's type, shape and offsets, then
the data (https://huggingface.co/docs/safetensors/index#format). A matrix of int8 stands beside a vector
with a scale for each of its rows, which has the matrix's name and `.scale`.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlq_gateway.core.errors import ModelDamaged

MODEL = Path(__file__).with_name("model.safetensors")
SCALE = ".scale"

Array = NDArray[np.float32]

_TYPES: dict[str, type[np.generic]] = {
    "F32": np.float32,
    "F16": np.float16,
    "I8": np.int8,
    "I32": np.int32,
    "I64": np.int64,
}


@dataclass(frozen=True, slots=True, eq=False)
class StoredMatrix:
    """A matrix in its stored form; rows become float32 on look-up."""

    values: NDArray[Any]
    scales: Array

    def __getitem__(self, rows: Sequence[int] | NDArray[np.int64]) -> Array:
        """The rows with these numbers: float32, shape (numbers, columns)."""
        found: Array = self.values[rows] * self.scales[rows, None]
        return found

    def __len__(self) -> int:
        return len(self.values)

    def all(self) -> Array:
        """The whole matrix in float32."""
        dense: Array = self.values * self.scales[:, None]
        return dense


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Tensors by name, and notes (texts) that were stored with them; both below a prefix."""

    tensors: Mapping[str, NDArray[Any]]
    notes: Mapping[str, str] = field(default_factory=dict)
    prefix: str = ""

    def __contains__(self, name: str) -> bool:
        return self.prefix + name in self.tensors

    def __getitem__(self, name: str) -> Array:
        """A tensor as float32; a float32 one is a view of the file. Raises KeyError for an unknown name."""
        if name + SCALE in self:
            return self.rows(name).all()
        return self.tensors[self.prefix + name].astype(np.float32, copy=False)

    def rows(self, name: str) -> StoredMatrix:
        """A matrix for looking up rows. Raises KeyError for an unknown name."""
        values = self.tensors[self.prefix + name]
        scales = self[name + SCALE] if name + SCALE in self else np.ones(len(values), np.float32)
        return StoredMatrix(values, scales)

    def under(self, prefix: str) -> Weights:
        """The tensors with this beginning of their names, by the rest of the names."""
        return replace(self, prefix=self.prefix + prefix)

    def numbered(self) -> Iterator[Weights]:
        """The tensors under `0.`, `1.` and so on, up to the first number without any."""
        number = 0
        while any(name.startswith(f"{self.prefix}{number}.") for name in self.tensors):
            yield self.under(f"{number}.")
            number += 1


@cache
def shared_weights() -> Weights:
    """The package's own weights, mapped once per process; raises ModelDamaged."""
    return open_weights(MODEL)


def open_weights(file: Path) -> Weights:
    """Map a model file: processes share its pages, and a row that is never used is never read.

    The file must be whole, that is, its header must describe exactly the bytes that follow; the bytes
    themselves are not checked.

    Raises:
        ModelDamaged: when the file cannot be read or is not whole.
    """
    try:
        with file.open("rb") as stream:
            data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        start = 8 + int.from_bytes(data[:8], "little")
        header = json.loads(data[8:start])
        notes = header.pop("__metadata__", {})
        end = max((entry["data_offsets"][1] for entry in header.values()), default=0)
        if start + end != len(data):
            raise ValueError(f"it has {len(data)} bytes, where its header says {start + end}")
        return Weights({name: _tensor(data, start, entry) for name, entry in header.items()}, notes)
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise ModelDamaged(
            f"{file} is not a whole model file: {error}.", hint="Install the package again."
        ) from error


def _tensor(data: mmap.mmap, start: int, entry: Mapping[str, Any]) -> NDArray[Any]:
    dtype, shape = np.dtype(_TYPES[entry["dtype"]]), entry["shape"]
    first, end = entry["data_offsets"]
    if end - first != prod(shape) * dtype.itemsize:
        raise ValueError(f"{end - first} bytes for {entry['dtype']} of the shape {shape}")
    return np.frombuffer(data, dtype, prod(shape), start + first).reshape(shape)
