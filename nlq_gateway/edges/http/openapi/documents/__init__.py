"""Schemas of the gateway's JSON.

A trace, its events and compiled programs declare their schemas themselves (`nlq_gateway/trace/part.py`). The
others are here. They only describe: other code makes the documents, and the tests compare them. `NotRequired`
members are omitted if they are empty. Clients should expect members that are not listed, which later versions
may add.
"""

from __future__ import annotations

from nlq_gateway.client.documents import (
    Connected,
    Datasets,
    Described,
    FeedbackTaken,
    SchemaListing,
    Suggestion,
)
from nlq_gateway.edges.http.openapi.documents.adapters import (
    ChatCompletion,
    ChatError,
    ChatModel,
    ChatModels,
    FoundQuery,
)
from nlq_gateway.edges.http.openapi.documents.service import (
    FunctionEntry,
    Health,
    Problem,
    Readiness,
    SparqlResults,
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
