"""The way from a question to its answer: the only package that knows the order of the stages.

order.py               the tuple of stages of a question, and the loop that runs them
pipeline.py            all endpoints, and the requests that they answer
strategies.py          the path of a question, and the votes of both paths on each other
sources.py             the sources of drafts besides a language model
selection.py           runs the best drafts and takes the likeliest answer
other_readings.py      warnings of readings besides the one that is answered
readings.py            readings to choose from, if none is sure enough
attempt.py             one draft: checked, grounded, compiled, run
grounding/             IRIs of the graph for the names in a program
store_surroundings.py  the reasoner's questions to the store, cached
closures.py            relations of any depth, step by step, for stores that follow none
execution.py           one query, in parts if the store gives up on the whole
probes.py              count and examples of each step
left_out.py, ties.py   what a table does not show
contents.py            what a thing without a name holds
why_nothing.py         why a step finds nothing, where the index tells it
labels.py              labels in another language, for things that have no other
qualifiers.py          qualifiers that distinguish several values of one thing
tables.py, headings.py  a result as a table, the names of its columns
response/              the answer in a sentence
model_stages.py        parts made once for each endpoint for a language model
writing.py, looking.py the model's programs for a question, as drafts, and its texts in the trace
with_model.py          these drafts carried out, refined, put into words
connecting.py          paths between two things
describing.py          the facts of a thing, and the questions about a class
explaining.py          a client's query as a program, with the place of each step
example_questions.py   questions for a graph that has no examples
readiness.py           prepares endpoints and model in the background
once.py                a property that is made once
"""

from __future__ import annotations

from nlq_gateway.answering.attempt import Ask
from nlq_gateway.answering.connecting import MOST_RELATIONS, Connection, connected
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
    "connected",
    "explained",
    "make_examples",
    "meant_by",
]
