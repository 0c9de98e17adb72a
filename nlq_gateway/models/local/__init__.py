"""A language model in this process, run by `transformers`; needs the extra `models`.

model.py         the model as the gateway sees it
loading.py       weights and tokenizer from a folder or the hub
texts.py         texts to tokens and back; what a chat template makes of a prompt
jobs.py          what is asked of the worker
waiting.py       jobs that wait: bounded, first come first served
worker.py        the thread that owns the model, and what it does when something fails
writing.py       the batch that is being written, a token for every row at each step
drawing.py       the next token of every row, greedily or by chance
constraints.py   grammars, and which tokens they allow
scoring.py       how probable given texts are
network.py       forward passes, and the kept keys and values of prefixes
blocks.py        keys and values of a batch

torch, transformers and xgrammar are imported when a model is opened, and not before.
"""

from __future__ import annotations

from nlq_gateway.models.local.model import LocalModel

__all__ = ["LocalModel"]
