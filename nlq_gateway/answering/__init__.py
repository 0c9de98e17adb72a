"""The way from a question to its answer: the only package that knows the order of the stages.

order.py               the tuple of stages of a question, and the loop that runs them
pipeline.py            all endpoints, and what can be asked of them
strategies.py          which way a question goes, and how both ways vote on each other
sources.py             where drafts come from, besides a language model
selection.py           the likeliest drafts, run until one is believed
readings.py            readings to choose from, where none is sure enough
attempt.py             one draft: checked, grounded, compiled, run
grounding/             names in a program become IRIs of the graph
store_surroundings.py  what the store tells the reasoner of what is near
closures.py            what relations of any depth lead to, where a store follows none
execution.py           one query, in parts where the store gives up on it as one
probes.py              count and examples of each step
labels.py              labels in another language, for things that have no other
qualifiers.py          several values of one thing, told apart
tables.py              a result as a table
response/              the answer in a sentence
model_stages.py        what is made once of an endpoint for a language model
writing.py, looking.py what the model writes for a question, as drafts
with_model.py          what comes of these: carried out, refined, put into words
written_trace.py       what a model wrote, as a trace shows it
connecting.py          how two things are connected
describing.py          what the graph has of a thing, and what can be asked of a class
explaining.py          a query of one's own as a program, and where each step is in it
example_questions.py   questions for a graph that comes without any
readiness.py           endpoints and model made ready in the background
once.py                a property that is made once
"""

from __future__ import annotations

from nlq_gateway.answering.attempt import Ask
from nlq_gateway.answering.connecting import MOST_RELATIONS, Connection, ThingPath, connected
from nlq_gateway.answering.describing import DescribedFacts, Description, SuggestedQuestion, meant_by
from nlq_gateway.answering.example_questions import make_examples
from nlq_gateway.answering.explaining import explained
from nlq_gateway.answering.grounding import Pin
from nlq_gateway.answering.pipeline import Pipeline

__all__ = [
    "MOST_RELATIONS",
    "Ask",
    "Connection",
    "DescribedFacts",
    "Description",
    "Pin",
    "Pipeline",
    "SuggestedQuestion",
    "ThingPath",
    "connected",
    "explained",
    "make_examples",
    "meant_by",
]
