"""Names the channels of layers' inputs that are far larger than the others, in the model file.

    python -m training.channels

onnxruntime multiplies these in float32 (`LinearGraph.linear`). The encoders read the questions of the
prompts' examples, and the judge's these beside programs. Run it after a network was trained and packed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from nlq_gateway.judging.reader import DIRECTIONS, LONGEST, PROGRAMS, RESULTS
from nlq_gateway.neural import MODEL, Array, Weights, open_tokenizer, open_weights
from nlq_gateway.neural.encoder import Text, TokenEmbedding, layers_of, runs_of
from nlq_gateway.neural.layers import EncoderLayer, Linear
from nlq_gateway.neural.products import EXACT

# One channel of so many is multiplied in float32.
ONE_IN = 24
_EXAMPLES = resources.files("nlq_gateway.drafts.generation.prompting").joinpath("examples.jsonl")
_MAPS = ("query", "key", "value", "mixed", "wide", "narrow")


@dataclass(frozen=True, slots=True)
class Recorder:
    """An affine map that keeps the largest size of each channel of its inputs under its name."""

    name: str
    of: Linear
    largest: dict[str, Array] = field(repr=False)

    def __call__(self, x: Array) -> Array:
        """The images of rows."""
        sizes = np.abs(x).max(axis=0)
        self.largest[self.name] = np.maximum(self.largest.get(self.name, sizes), sizes)
        return self.of(x)


def main() -> None:
    """Write the channels into the model file."""
    weights = open_weights(MODEL)
    largest: dict[str, Array] = {}
    for prefix, depth, texts in _readings():
        _read(weights, weights.under(prefix), depth, texts, largest)
    tensors = {
        name: np.array(one) for name, one in weights.tensors.items() if not name.endswith((EXACT, "largest"))
    }
    tensors |= {f"{name}.{EXACT}": _most(name, sizes) for name, sizes in largest.items()}
    save_file(tensors, MODEL, dict(weights.notes))
    MODEL.chmod(0o644)
    print(f"{len(largest)} maps")


def _readings() -> Iterator[tuple[str, int | None, list[Text]]]:
    """The encoders by their prefix and depth, with what each reads."""
    examples = [json.loads(line) for line in _EXAMPLES.read_text("utf-8").splitlines()]
    tokenizer = open_tokenizer(LONGEST)
    questions = [tokenizer.encode(one["question"]).ids for one in examples]
    yield "", None, questions
    names = [tokenizer.encode(one["program"]).ids[1:] for one in examples]
    yield "drafter.", None, [[*one, *more] for one, more in zip(questions, names, strict=True)]
    pairs: list[Text] = [tokenizer.encode(one["question"], one["program"]).ids for one in examples]
    for prefix, depth in (PROGRAMS, RESULTS, DIRECTIONS):
        yield prefix, depth, pairs


def _read(
    shared: Weights, own: Weights, depth: int | None, texts: Sequence[Text], largest: dict[str, Array]
) -> None:
    texts = sorted(texts, key=len)
    states, runs = TokenEmbedding.of(shared)(texts), runs_of(texts)
    for weights in list(layers_of(own, shared))[:depth]:
        states = _recording(weights, largest)(states, runs)


def _recording(weights: Weights, largest: dict[str, Array]) -> EncoderLayer:
    layer = EncoderLayer.of(weights)
    maps = {name: Recorder(weights.prefix + name, getattr(layer, name), largest) for name in _MAPS}
    return replace(layer, **maps)  # type: ignore[arg-type]


def _most(name: str, sizes: Array) -> NDArray[np.int64]:
    """The numbers of a map's largest channels, in their order; the inputs of `mixed` have no large ones."""
    exact = np.sort(np.argsort(-sizes, kind="stable")[: len(sizes) // ONE_IN])
    return exact[:0] if name.endswith("mixed") else exact


if __name__ == "__main__":
    main()
