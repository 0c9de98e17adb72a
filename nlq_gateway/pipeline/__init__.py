"""From a question to its answer: the only package that knows the order of the stages.

gateway.py  all endpoints and the way through the stages
sources.py  where drafts come from, besides a language model
"""

from __future__ import annotations

from nlq_gateway.carrying import Ask
from nlq_gateway.grounding import Pin
from nlq_gateway.pipeline.gateway import Gateway

__all__ = ["Ask", "Gateway", "Pin"]
