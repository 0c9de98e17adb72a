"""Affine maps of int8 in graphs for onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlq_gateway.neural.graph import UINT8, OnnxGraph
from nlq_gateway.neural.weights import SCALE, Array, Weights

# Beside a matrix: the channels of its inputs that are multiplied in float32.
EXACT = "exact"
# Without these, inputs become int8 with one scale per block: smaller blocks are more exact, and slower.
BLOCK = 32
_BITS = 8
_MOST, _MIDDLE = 127, 128
_INT8_INPUTS = 4
_LEAST = 1e-9


@dataclass(slots=True)
class LinearGraph(OnnxGraph):
    """A graph with affine maps. `int8`: multiply int8 matrices as such; otherwise as float32."""

    int8: bool = field(default=True, kw_only=True)

    def linear(self, x: str, weights: Weights) -> str:
        """The images of rows under an affine map; rows of a matrix where the map names `exact` channels.

        These are multiplied in float32. A few channels of a transformer's states are far larger than all
        others, and would leave these a few steps of int8 each (Dettmers et al., "LLM.int8()", 2022).
        """
        rows = weights.rows("weight")
        if not self.int8 or rows.values.dtype != np.int8 or rows.values.shape[1] % BLOCK:
            return self.call("Add", self._dense(x, rows.all()), self.constant(weights["bias"]))
        if EXACT not in weights:
            return self._by_blocks(x, rows.values, rows.scales, weights["bias"])
        exact = weights.rows(EXACT).values
        others = rows.values.T.copy()
        others[exact] = 0
        images = self._by_rows(x, others, rows.scales, weights["bias"], exact)
        if not len(exact):
            return images
        large = self.call("Gather", x, self.constant(exact), axis=-1)
        matrix = self.constant(np.ascontiguousarray(rows.all()[:, exact].T))
        return self.call("Gemm", large, matrix, images)

    def linears(self, x: str, each: Sequence[Weights]) -> list[str]:
        """The images of the same rows under several affine maps: one product, if these have the same form."""
        together = _stacked(each)
        if together is None:
            return [self.linear(x, one) for one in each]
        sizes = self.constant(np.array([len(one["bias"]) for one in each]))
        return self._call("", "Split", (self.linear(x, together), sizes), len(each), {"axis": -1})

    def _dense(self, x: str, weight: Array) -> str:
        return self.call("MatMul", x, self.constant(np.ascontiguousarray(weight.T)))

    def _by_rows(
        self, x: str, matrix: NDArray[np.int8], scales: Array, bias: Array, exact: NDArray[np.int64]
    ) -> str:
        """The images of inputs in int8, each row of a scale that all but its exact channels set."""
        others = x
        if len(exact):
            counted = np.ones(len(matrix), np.float32)
            counted[exact] = 0
            others = self.call("Mul", x, self.constant(counted))
        most = self.call("ReduceMax", self.call("Abs", others), self.constant(np.array([-1])))
        scale = self.call("Max", self.call("Mul", most, self.number(1 / _MOST)), self.number(_LEAST))
        step = self.call("Reshape", scale, self.constant(np.array([-1])))
        middles = self.call("Add", self.call("Mul", step, self.number(0)), self.number(_MIDDLE))
        rounded = self.call("QuantizeLinear", x, step, self.call("Cast", middles, to=UINT8), axis=0)
        middle = self.constant(np.array(_MIDDLE, np.uint8))
        given = (self.constant(matrix), self.number(1), self.constant(scales), middle)
        product = self.contributed("MatMulIntegerToFloat", rounded, *given)
        return self.call("Add", self.call("Mul", product, scale), self.constant(bias))

    def _by_blocks(self, x: str, values: NDArray[np.int8], scales: Array, bias: Array) -> str:
        outputs, inputs = values.shape
        blocks = inputs // BLOCK
        # Without a zero point, the operator takes the bytes as numbers from -128.
        raised = (values.view(np.uint8) ^ np.uint8(_MIDDLE)).reshape(outputs, blocks, BLOCK)
        given = (self.constant(raised), self.constant(np.repeat(scales, blocks)), "", "", self.constant(bias))
        sizes = {"K": inputs, "N": outputs, "bits": _BITS, "block_size": BLOCK}
        return self.contributed("MatMulNBits", x, *given, accuracy_level=_INT8_INPUTS, **sizes)


def _stacked(each: Sequence[Weights]) -> Weights | None:
    """The maps as one, whose images are theirs side by side; None if they have other `exact` channels."""
    rows = [one.rows("weight") for one in each]
    exact = [tuple(one.rows(EXACT).values) if EXACT in one else None for one in each]
    if len({*exact}) > 1 or len({one.values.dtype for one in rows}) > 1:
        return None
    tensors: dict[str, NDArray[Any]] = {
        "weight": np.concatenate([one.values for one in rows]),
        "weight" + SCALE: np.concatenate([one.scales for one in rows]),
        "bias": np.concatenate([one["bias"] for one in each]),
    }
    return Weights(tensors if exact[0] is None else {**tensors, EXACT: np.array(exact[0], np.int64)})
