"""Every operation of the interface, one row each. A route without a row fails the tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel

from nlq_gateway.edges.http import downloads, requests
from nlq_gateway.edges.http.adapters.chat_requests import ChatBody
from nlq_gateway.edges.http.answers import EVENTS, JSON, RESULTS
from nlq_gateway.edges.http.openapi import documents
from nlq_gateway.edges.http.sparql import request as sparql_request
from nlq_gateway.edges.http.sparql.formats import GRAPHS, TABLES
from nlq_gateway.trace import Trace
from nlq_gateway.trace.parts import CompiledTrace, ExplainedTrace

HTML, TEXT = "text/html", "text/plain"
OPENMETRICS = "application/openmetrics-text"

# Problems of every request, and of those that involve a store, a program or a model.
ANY = ("invalid-request", "unauthorized", "misdirected", "rate-limited", "internal")
DATASET = ("unknown-dataset", "forbidden", "overloaded")
STORE = (
    "endpoint-unreachable",
    "endpoint-error",
    "endpoint-unauthorized",
    "incomplete-result",
    "endpoint-timeout",
    "query-refused",
    "cancelled",
)
QUESTION = ("too-large", "question-timeout")
PROGRAM = ("invalid-program", "unsupported-program", "too-large")


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """One method of one address.

    `answers` has by media type the schema of a 200 response: a part of a trace, a type of `documents`, or
    None for text and bytes. `body` and `query` are the models of the request. `problems` are the possible
    codes besides `ANY`; `more` are responses other than 200 that are no problems. `open` ones need no
    credentials. `example` names an entry of examples.json. `errors` is the schema of JSON that replaces
    problems.
    """

    method: str
    path: str
    id: str
    tag: str
    summary: str
    answers: Mapping[str, Any]
    problems: tuple[str, ...] = ()
    description: str = ""
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    more: Mapping[str, str] = field(default_factory=dict)
    headers: tuple[str, ...] = ()
    parameters: tuple[Mapping[str, Any], ...] = ()
    body_content: Mapping[str, Any] = field(default_factory=dict)
    open: bool = False
    example: str = ""
    errors: Any = None


_TAKEN_AWAY: Mapping[str, Any] = dict.fromkeys(downloads.MEDIA_TYPES)
_ROWS = {**dict.fromkeys((*TABLES, *GRAPHS)), RESULTS: documents.SparqlResults}
_CACHED: Mapping[str, Any] = {
    "more": {"304": "not modified since the version that `If-None-Match` names"},
    "headers": ("ETag",),
}
_ANSWERED: Mapping[str, Any] = {
    "answers": {JSON: Trace, RESULTS: documents.SparqlResults, EVENTS: None, **_TAKEN_AWAY},
    "more": {"204": "a stream that was lost (`Last-Event-ID`) is not asked for again: ask anew"},
    "headers": ("Link",),
}
_TO_PAGE = {"303": "a browser that asks without a query is led to the page"}

_GRAPHS = {
    "type": "array",
    "items": {"type": "string", "maxLength": sparql_request.LONGEST_IRI},
    "description": "IRIs of graphs; empty ones are passed over",
    "maxItems": sparql_request.MOST_GRAPHS,
}
_QUERY = {"type": "string", "examples": ["SELECT ?s { ?s ?p ?o } LIMIT 1"]}
_SPARQL_FIELDS = {"query": _QUERY, "default-graph-uri": _GRAPHS, "named-graph-uri": _GRAPHS}
_FORMAT = {"type": "string", "examples": ["json", "csv"]}
_SPARQL_QUERY = tuple(
    {"name": name, "in": "query", "schema": schema}
    for name, schema in {**_SPARQL_FIELDS, "format": _FORMAT}.items()
)
_SPARQL_BODY = {
    sparql_request.QUERY: _QUERY,
    sparql_request.FORM: {"type": "object", "properties": _SPARQL_FIELDS, "required": ["query"]},
}
_READ_ONLY = "SPARQL 1.1 Protocol, read-only."
_STREAMED = (
    "As `text/event-stream` the same data come as events; the schema is of one event. The last event is "
    "`done`. Closing the connection cancels the work."
)


def _sparql(path: str, name: str, summary: str) -> tuple[ApiOperation, ApiOperation]:
    """Return both methods of an address of the SPARQL 1.1 Protocol."""
    get = ApiOperation(
        method="get",
        path=path,
        id=name,
        tag="SPARQL",
        summary=summary,
        answers=_ROWS,
        problems=(*DATASET, *STORE),
        description=f"{_READ_ONLY} Without parameters it is the service description.",
        parameters=_SPARQL_QUERY,
        more=_TO_PAGE,
    )
    post = replace(
        get,
        method="post",
        id=f"{name}ByPost",
        problems=(*get.problems, "too-large"),
        description=_READ_ONLY,
        parameters=(),
        more={},
        body_content=_SPARQL_BODY,
    )
    return get, post


def _decision(verb: str, name: str, summary: str) -> ApiOperation:
    """The address of a curator's decision."""
    return ApiOperation(
        method="post",
        path=f"/feedback/{{number}}/{verb}",
        id=name,
        tag="traces",
        summary=summary,
        answers={JSON: documents.FeedbackTaken},
        problems=("not-found", "forbidden", "traces-unavailable"),
        description="For clients with the role `curator`. It replaces an earlier decision.",
    )


OPERATIONS: tuple[ApiOperation, ...] = (
    ApiOperation(
        method="post",
        path="/nlq",
        id="ask",
        tag="questions",
        summary="Answer a question",
        problems=(*DATASET, *STORE, *QUESTION, "model-unavailable"),
        description=f"The answer with its whole trace, or the store's own result. {_STREAMED}",
        body=requests.NlqBody,
        query=requests.TableQuery,
        **_ANSWERED,
        example="ask",
    ),
    ApiOperation(
        method="get",
        path="/nlq",
        id="askByAddress",
        tag="questions",
        summary="Answer a question in the address",
        problems=(*DATASET, *STORE, *QUESTION, "model-unavailable"),
        description="The simple case, and `EventSource`. `pins` need POST.",
        query=requests.NlqAddress,
        **_ANSWERED,
    ),
    ApiOperation(
        method="post",
        path="/run",
        id="run",
        tag="programs",
        summary="Run a program",
        problems=(*DATASET, *STORE, *PROGRAM),
        description=f"No language model takes part. {_STREAMED}",
        body=requests.RunBody,
        query=requests.TableQuery,
        **_ANSWERED,
        example="run",
    ),
    ApiOperation(
        method="post",
        path="/compile",
        id="compile",
        tag="programs",
        summary="Compile a program",
        answers={JSON: CompiledTrace},
        problems=(*DATASET, *STORE, *PROGRAM),
        description="The store is not asked.",
        body=requests.CompileBody,
        example="compile",
    ),
    ApiOperation(
        method="post",
        path="/explain",
        id="explain",
        tag="programs",
        summary="Explain a query",
        answers={JSON: ExplainedTrace},
        problems=(*DATASET, "query-refused", "unsupported-program", "too-large"),
        description="The program with the query's rows, and the position of each step in the query. "
        "The store is not asked.",
        body=requests.ExplainBody,
        example="explain",
    ),
    ApiOperation(
        method="get",
        path="/datasets",
        id="listDatasets",
        tag="datasets",
        summary="List the datasets",
        answers={JSON: documents.Datasets},
        example="datasets",
    ),
    ApiOperation(
        method="get",
        path="/datasets/{dataset}/schema",
        id="searchSchema",
        tag="datasets",
        summary="Search a graph's schema",
        answers={JSON: documents.SchemaListing},
        problems=(*DATASET, *STORE),
        description="Without `q` the commonest items come first.",
        query=requests.SchemaQuery,
        **_CACHED,
        example="schema",
    ),
    ApiOperation(
        method="get",
        path="/datasets/{dataset}/functions",
        id="listFunctions",
        tag="datasets",
        summary="List the functions of programs",
        answers={JSON: list[documents.FunctionEntry]},
        description="The functions with the types of their inputs, their arguments and their results.",
        problems=DATASET,
        **_CACHED,
    ),
    ApiOperation(
        method="get",
        path="/datasets/{dataset}/describe",
        id="describeThing",
        tag="datasets",
        summary="Describe an entity or a class",
        answers={JSON: documents.Described},
        problems=(*DATASET, *STORE, "not-found"),
        description="A thing by its facts, both directions, each group with a question; a class by what can "
        "be asked of it. `iri` says which, or `name` the likeliest, with `others` that may be meant.",
        query=requests.DescribeQuery,
    ),
    ApiOperation(
        method="get",
        path="/datasets/{dataset}/path",
        id="connectThings",
        tag="datasets",
        summary="How two things are connected",
        answers={JSON: documents.Connected},
        problems=(*DATASET, *STORE, "not-found"),
        description="The shortest paths of relations, of either direction, between two things, each given by "
        "its IRI or a name; the likeliest thing of a name is taken, with `others` that may be meant.",
        query=requests.PathQuery,
    ),
    ApiOperation(
        method="get",
        path="/datasets/{dataset}/suggest",
        id="suggest",
        tag="datasets",
        summary="Complete a question",
        answers={JSON: list[documents.Suggestion]},
        problems=(*DATASET, *STORE),
        description="Completions of the end of `q`: questions with answers, and names.",
        query=requests.SuggestQuery,
    ),
    ApiOperation(
        method="get",
        path="/traces/{trace_id}",
        id="getTrace",
        tag="traces",
        summary="A stored answer",
        answers={JSON: Trace, **_TAKEN_AWAY},
        problems=("not-found", "forbidden", "traces-unavailable"),
        description="Only the newest traces are stored.",
        query=requests.TableQuery,
        **_CACHED,
    ),
    ApiOperation(
        method="post",
        path="/traces/{trace_id}/feedback",
        id="giveFeedback",
        tag="traces",
        summary="Say whether an answer was right",
        answers={JSON: documents.FeedbackTaken},
        problems=("not-found", "forbidden", "invalid-program", "too-large", "traces-unavailable"),
        description="It is kept, and teaches once a curator approved it; that of curators teaches at once "
        "where `server.feedback` is `trusted`. Where it is `off`, there is nothing here.",
        body=requests.FeedbackBody,
        example="feedback",
    ),
    _decision("approve", "approveFeedback", "Have questions be answered by feedback"),
    _decision("reject", "rejectFeedback", "Have no question be answered by feedback"),
    *_sparql("/sparql", "querySparql", "Query the first dataset"),
    *_sparql("/{dataset}/sparql", "queryDataset", "Query a dataset"),
    ApiOperation(
        method="get",
        path="/text2sparql",
        id="findQuery",
        tag="adapters",
        summary="A question's query",
        answers={JSON: documents.FoundQuery},
        problems=(*DATASET, *STORE, *QUESTION, "unanswerable"),
        description="For TEXT2SPARQL's clients. The query has only the answer's columns.",
        query=requests.Text2SparqlBody,
        headers=("Link",),
    ),
    ApiOperation(
        method="post",
        path="/v1/chat/completions",
        id="completeChat",
        tag="adapters",
        summary="Answer the last message of a chat",
        answers={JSON: documents.ChatCompletion, EVENTS: None},
        problems=(*DATASET, *STORE, *QUESTION),
        description="For OpenAI's clients. The model is a dataset. `stream` decides the media type.",
        body=ChatBody,
        headers=("Link",),
        errors=documents.ChatError,
    ),
    ApiOperation(
        method="get",
        path="/v1/models",
        id="listModels",
        tag="adapters",
        summary="The datasets as models",
        answers={JSON: documents.ChatModels},
        errors=documents.ChatError,
    ),
    ApiOperation(
        method="get",
        path="/v1/models/{name}",
        id="getModel",
        tag="adapters",
        summary="A dataset as a model",
        answers={JSON: documents.ChatModel},
        problems=DATASET,
        errors=documents.ChatError,
    ),
    ApiOperation(
        method="get",
        path="/healthz",
        id="health",
        tag="operation",
        summary="Health of the process",
        answers={JSON: documents.Health},
        open=True,
        example="health",
    ),
    ApiOperation(
        method="get",
        path="/readyz",
        id="readiness",
        tag="operation",
        summary="Readiness of an endpoint, or of all if `server.ready` is `all`",
        answers={JSON: documents.Readiness},
        problems=("overloaded",),
        open=True,
        example="ready",
    ),
    ApiOperation(
        method="get",
        path="/metrics",
        id="metrics",
        tag="operation",
        summary="Metrics for Prometheus",
        answers={TEXT: None, OPENMETRICS: None},
    ),
    ApiOperation(
        method="get",
        path="/openapi.json",
        id="describe",
        tag="operation",
        summary="This document",
        answers={JSON: dict[str, Any]},
        **_CACHED,
        open=True,
    ),
    ApiOperation(
        method="get",
        path="/problems/{code}",
        id="explainProblem",
        tag="operation",
        summary="Explain a problem",
        answers={HTML: None, TEXT: None},
        problems=("not-found",),
        open=True,
    ),
    ApiOperation(
        method="get",
        path="/",
        id="page",
        tag="operation",
        summary="The page",
        answers={HTML: None},
        **_CACHED,
        open=True,
    ),
)
