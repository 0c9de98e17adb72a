"""From a question to its answer: the only package that knows the order of the stages.

gateway.py       all endpoints and the way through the stages
sources.py       where drafts come from, besides a language model
model_stages.py  what is made once of an endpoint for a language model
writing.py       what the model writes for a question, as drafts
with_model.py    what comes of these: carried out, refined, put into words
answering.py     which way a question goes, and how both ways vote on each other
bearers.py       a program that a model wrote, for each bearer of its names
telling.py       what a model wrote, as a trace shows it
describing.py    what the graph has of a thing, and what can be asked of a class
exemplary.py     example questions for a graph that comes without any
once.py          a property that is made once
"""

from __future__ import annotations

from nlq_gateway.carrying import Ask
from nlq_gateway.grounding import Pin
from nlq_gateway.pipeline.describing import Asked, Description, Group, meant_by
from nlq_gateway.pipeline.exemplary import make_examples
from nlq_gateway.pipeline.gateway import Gateway

__all__ = ["Ask", "Asked", "Description", "Gateway", "Group", "Pin", "make_examples", "meant_by"]
