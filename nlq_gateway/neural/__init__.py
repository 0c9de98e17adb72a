"""The package's own weights, and transformers that run on them in numpy.

`weights` opens the model file, `layers` has what transformers are made of, `encoder` the text encoder that
the embedding and every later part share, `tokens` its tokenizer.
"""

from nlq_gateway.neural.encoder import Encoder, TokenEmbedding, run_layers, runs_of, shared_encoder
from nlq_gateway.neural.layers import EncoderLayer, Linear, Norm, Run, attend, gelu
from nlq_gateway.neural.tokens import open_tokenizer
from nlq_gateway.neural.weights import MODEL, Array, Rows, Weights, open_weights, shared_weights

__all__ = [
    "MODEL",
    "Array",
    "Encoder",
    "EncoderLayer",
    "Linear",
    "Norm",
    "Rows",
    "Run",
    "TokenEmbedding",
    "Weights",
    "attend",
    "gelu",
    "open_tokenizer",
    "open_weights",
    "run_layers",
    "runs_of",
    "shared_encoder",
    "shared_weights",
]
