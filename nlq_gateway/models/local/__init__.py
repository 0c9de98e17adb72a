"""A language model in this process, run by `transformers`; needs the extra `models`.

model.py         the model with the gateway's interface
loading.py       weights and tokenizer from a folder or the hub
texts.py         tokenization, with the chat template
jobs.py          requests to the worker
waiting.py       the queue of jobs: bounded, first come first served
worker.py        the thread that owns the model, and its handling of failures
writing.py       the batch in progress, a token for every row at each step
drawing.py       the next token of every row, greedily or at random
constraints.py   grammars, and the tokens they allow
scoring.py       log-probabilities of given texts
network.py       forward passes, and the cached keys and values of prefixes
blocks.py        keys and values of a batch

torch, transformers and xgrammar are imported only when a model is opened.
"""

from __future__ import annotations

from nlq_gateway.models.local.model import LocalModel

__all__ = ["LocalModel"]
