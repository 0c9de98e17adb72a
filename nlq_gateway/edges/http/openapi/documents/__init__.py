"""The shapes of what the gateway sends as JSON.

They describe: what is sent is made elsewhere, and the tests hold it against them. What is `NotRequired` is
left out where there is nothing to say. Clients should expect members that are not listed, which later
versions may add.
"""

from __future__ import annotations

from nlq_gateway.edges.http.openapi.documents.adapters import (
    ChatCompletion,
    ChatError,
    ChatModel,
    ChatModels,
    FoundQuery,
)
from nlq_gateway.edges.http.openapi.documents.answer import Answer
from nlq_gateway.edges.http.openapi.documents.events import EVENTS
from nlq_gateway.edges.http.openapi.documents.service import (
    Compiled,
    Datasets,
    Described,
    Explained,
    FeedbackTaken,
    FunctionEntry,
    Health,
    Problem,
    Readiness,
    SchemaListing,
    SparqlResults,
    Suggestion,
)

__all__ = [
    "EVENTS",
    "Answer",
    "ChatCompletion",
    "ChatError",
    "ChatModel",
    "ChatModels",
    "Compiled",
    "Datasets",
    "Described",
    "Explained",
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
