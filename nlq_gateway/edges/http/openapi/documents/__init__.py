"""The shapes of what the gateway sends as JSON.

A trace, its events and what a program compiles to declare themselves what is sent of them
(`nlq_gateway/trace/part.py`). The others are here. They describe: what is sent is made elsewhere, and the
tests hold it against them. What is `NotRequired` is left out where there is nothing to say. Clients should
expect members that are not listed, which later versions may add.
"""

from __future__ import annotations

from nlq_gateway.edges.http.openapi.documents.adapters import (
    ChatCompletion,
    ChatError,
    ChatModel,
    ChatModels,
    FoundQuery,
)
from nlq_gateway.edges.http.openapi.documents.service import (
    Connected,
    Datasets,
    Described,
    FeedbackTaken,
    FunctionEntry,
    Health,
    Problem,
    Readiness,
    SchemaListing,
    SparqlResults,
    Suggestion,
)
from nlq_gateway.trace import Trace
from nlq_gateway.trace.events import DoneEvent, GroundingEvent, LinksEvent, ProgramEvent, SparqlEvent
from nlq_gateway.trace.values import StepTrace

# The data of each event of a stream.
EVENTS: dict[str, type] = {
    **{event.name: event for event in (LinksEvent, ProgramEvent, GroundingEvent, SparqlEvent, StepTrace)},
    "answer": Trace,
    "error": Problem,
    DoneEvent.name: DoneEvent,
}

__all__ = [
    "EVENTS",
    "ChatCompletion",
    "ChatError",
    "ChatModel",
    "ChatModels",
    "Connected",
    "Datasets",
    "Described",
    "FeedbackTaken",
    "FoundQuery",
    "FunctionEntry",
    "Health",
    "Problem",
    "Readiness",
    "SchemaListing",
    "SparqlResults",
    "Suggestion",
]
