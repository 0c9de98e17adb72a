"""Everything else that is sent as JSON: queries, functions, health, problems, results."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from nlq_gateway.client.documents import ModelState
from nlq_gateway.trace.part import Count, StepNumber
from nlq_gateway.trace.parts import ProgramTrace, SparqlTrace


class FunctionParameter(TypedDict):
    """An argument of a function: the kind of its name, and the allowed words if they are known."""

    name: str
    kind: str
    choices: list[str]


class FunctionEntry(TypedDict):
    """A function of programs. `inputs` has the types that each takes; a variadic one takes many of it."""

    name: str
    inputs: list[list[str]]
    variadic: bool
    parameters: list[FunctionParameter]
    output: str
    meaning: str
    extension: bool


class Health(TypedDict):
    """The process answers."""

    status: Literal["ok"]


class EndpointState(TypedDict):
    """The state of an endpoint, and the reason if it is not ready."""

    id: str
    status: Literal["ready", "loading", "down"]
    detail: str


class Readiness(TypedDict):
    """An endpoint is available; `detail` lists the unavailable ones, with reasons."""

    status: Literal["ready"]
    endpoints: list[EndpointState]
    detail: NotRequired[str]
    model: NotRequired[ModelState]


class Issue(TypedDict):
    """A rule that a program breaks; steps count from 1, arguments from 0."""

    severity: Literal["error", "warning"]
    code: str
    step: StepNumber
    argument: Count | None
    message: str
    hint: str


class Problem(TypedDict):
    """An error (RFC 9457), with the results made before it."""

    type: Annotated[str, Field(pattern=r"^/problems/[a-z-]+$")]
    title: str
    status: Annotated[int, Field(ge=400, le=599)]
    detail: NotRequired[str]
    hint: NotRequired[str]
    retryable: bool
    issues: NotRequired[list[Issue]]
    position: NotRequired[int]
    program: NotRequired[ProgramTrace]
    sparql: NotRequired[SparqlTrace]
    endpoint: NotRequired[str]
    store_says: NotRequired[str]
    endpoints: NotRequired[list[EndpointState]]
    trace: NotRequired[str]


class ResultsHead(TypedDict):
    """The variables of a result."""

    vars: NotRequired[list[str]]
    link: NotRequired[list[str]]


class ResultRows(TypedDict):
    """The rows of a result: for each variable that is bound its RDF term."""

    bindings: list[dict[str, dict[str, Any]]]


class SparqlResults(TypedDict):
    """SPARQL 1.1 Query Results JSON Format, as the store sends it."""

    head: ResultsHead
    results: NotRequired[ResultRows]
    boolean: NotRequired[bool]
