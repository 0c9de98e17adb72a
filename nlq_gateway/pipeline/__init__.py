"""From a question to its answer: the only package that knows the order of the stages.

gateway.py  all endpoints and the way through the stages
sources.py  where drafts come from, besides a language model
answering.py     which way a question goes: without a language model, or also with it
with_model.py    the way through the language model
model_stages.py  the stages that this way needs over one endpoint
bearers.py       who is meant, where several things bear a name
"""

from __future__ import annotations

from nlq_gateway.carrying import Ask
from nlq_gateway.grounding import Pin
from nlq_gateway.pipeline.gateway import Gateway

__all__ = ["Ask", "Gateway", "Pin"]
