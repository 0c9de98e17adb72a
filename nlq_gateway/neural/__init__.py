"""The package's own weights, and transformers that run on them in onnxruntime, or else in numpy.

`weights` opens the model file, `encoder` has the text encoders, `stack` their layers in both, and `tokens`
the tokenizer. `layers` has the parts of transformers in numpy; `graph` makes models for
onnxruntime, with the affine maps of `products`; `session` runs them, and `processor` decides on int8.
"""

from nlq_gateway.neural.encoder import (
    Encoder,
    FirstEncoders,
    Text,
    means,
    shared_encoder,
)
from nlq_gateway.neural.layers import Linear, Norm, gelu
from nlq_gateway.neural.processor import new_graph
from nlq_gateway.neural.products import LinearGraph
from nlq_gateway.neural.session import Session, runtime
from nlq_gateway.neural.tokens import open_tokenizer
from nlq_gateway.neural.weights import MODEL, Array, Weights, open_weights, shared_weights

__all__ = [
    "MODEL",
    "Array",
    "Encoder",
    "FirstEncoders",
    "Linear",
    "LinearGraph",
    "Norm",
    "Session",
    "Text",
    "Weights",
    "gelu",
    "means",
    "new_graph",
    "open_tokenizer",
    "open_weights",
    "runtime",
    "shared_encoder",
    "shared_weights",
]
