"""Graphs for onnxruntime, made in memory from the package's own weights.

An ONNX model is a protocol buffer (https://onnx.ai/onnx/repo-docs/IR.html); the few of its messages that are
needed here are written directly, so that neither a second copy of the weights nor a library that writes
models has to come with the package.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlq_gateway.neural.weights import Weights

Attribute = int | float
Shape = Sequence[int | str]

_ELEMENTS = {"float32": 1, "uint8": 2, "int8": 3, "int64": 7}
UINT8 = _ELEMENTS["uint8"]
_MICROSOFT = "com.microsoft"
_VERSIONS = {"": 18, _MICROSOFT: 1}
_FORMAT = 8
_EPSILON = 1e-12


@dataclass(slots=True)
class OnnxGraph:
    """Collects inputs, constants and operators by name; each operator returns the name of its result."""

    _written: list[bytes] = field(default_factory=list)
    _numbers: count[int] = field(default_factory=count)

    def input(self, name: str, shape: Shape) -> str:
        """The name of an input of float32; a dimension that is a text may be of any length."""
        self._written.append(_described(11, name, shape))
        return name

    def output(self, value: str, name: str, shape: Shape) -> str:
        """The name of an output of float32, which gives a value."""
        self._written.append(_node("Identity", (value,), (name,), "", {}))
        self._written.append(_described(12, name, shape))
        return name

    def constant(self, array: NDArray[Any]) -> str:
        """The name of a constant tensor."""
        name = self._name()
        self._written.append(_field(5, _tensor(name, array)))
        return name

    def call(self, operator: str, *inputs: str, **attributes: Attribute) -> str:
        """The result of one of ONNX's own operators."""
        return self._call("", operator, inputs, 1, attributes)[0]

    def contributed(self, operator: str, *inputs: str, **attributes: Attribute) -> str:
        """The result of one of onnxruntime's own operators."""
        return self.calls(operator, 1, *inputs, **attributes)[0]

    def calls(self, operator: str, results: int, *inputs: str, **attributes: Attribute) -> list[str]:
        """The given number of results of one of onnxruntime's own operators."""
        return self._call(_MICROSOFT, operator, inputs, results, attributes)

    def number(self, value: float) -> str:
        """The name of a constant of float32."""
        return self.constant(np.array(value, np.float32))

    def norm(self, x: str, weights: Weights) -> str:
        """Layer normalisation over the last axis."""
        scale, bias = self.constant(weights["weight"]), self.constant(weights["bias"])
        return self.call("LayerNormalization", x, scale, bias, epsilon=_EPSILON)

    def gelu(self, x: str) -> str:
        """The exact Gaussian error linear unit."""
        return self.contributed("Gelu", x)

    def model(self) -> bytes:
        """The model, as onnxruntime reads it."""
        versions = (
            _field(8, _field(1, domain.encode()) + _number(2, number)) for domain, number in _VERSIONS.items()
        )
        graph = b"".join(self._written) + _field(2, b"graph")
        return _number(1, _FORMAT) + _field(7, graph) + b"".join(versions)

    def _call(
        self,
        domain: str,
        operator: str,
        inputs: Sequence[str],
        results: int,
        attributes: dict[str, Attribute],
    ) -> list[str]:
        names = [self._name() for _ in range(results)]
        self._written.append(_node(operator, inputs, names, domain, attributes))
        return names

    def _name(self) -> str:
        return f"t{next(self._numbers)}"


def _node(
    operator: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    domain: str,
    attributes: dict[str, Attribute],
) -> bytes:
    parts = [
        *(_field(1, name.encode()) for name in inputs),
        *(_field(2, name.encode()) for name in outputs),
        _field(4, operator.encode()),
        _field(7, domain.encode()),
        *(_field(5, _attribute(name, value)) for name, value in attributes.items()),
    ]
    return _field(1, b"".join(parts))


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, float):
        return _field(1, name.encode()) + _key(2, 5) + struct.pack("<f", value) + _number(20, 1)
    return _field(1, name.encode()) + _number(3, value) + _number(20, 2)


def _tensor(name: str, array: NDArray[Any]) -> bytes:
    sizes = b"".join(_number(1, size) for size in array.shape)
    kind = _number(2, _ELEMENTS[array.dtype.name])
    return sizes + kind + _field(8, name.encode()) + _field(9, array.tobytes())


def _described(number: int, name: str, shape: Shape) -> bytes:
    """The description of a float32 value as an input or output."""
    sizes = (_number(1, one) if isinstance(one, int) else _field(2, one.encode()) for one in shape)
    dimensions = b"".join(_field(1, size) for size in sizes)
    kind = _field(1, _number(1, _ELEMENTS["float32"]) + _field(2, dimensions))
    return _field(number, _field(1, name.encode()) + _field(2, kind))


def _number(number: int, value: int) -> bytes:
    return _key(number, 0) + _varint(value)


def _field(number: int, content: bytes) -> bytes:
    return _key(number, 2) + _varint(len(content)) + content


def _key(number: int, kind: int) -> bytes:
    return _varint(number << 3 | kind)


def _varint(value: int) -> bytes:
    """A whole number, seven bits a byte, the lowest first; one below 0 as the 64 bits of its complement."""
    value %= 1 << 64
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)
