"""Requests of clients, and parsing of responses; the same for sync and async clients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, Unpack
from urllib.parse import quote

import httpx2

from compilers.kopl.program import Program
from nlq_gateway.client.answer import Compilation, GatewayAnswer, answer_of, compilation_of
from nlq_gateway.client.documents import (
    Connected,
    Dataset,
    Described,
    FeedbackTaken,
    SchemaKind,
    SchemaListing,
    Suggestion,
)
from nlq_gateway.client.options import AnyProgram, AskOptions, CompileOptions, RunOptions, pin_documents
from nlq_gateway.client.problems import GatewayProblem, GatewayUnreachable
from nlq_gateway.core.errors import UnknownDataset
from nlq_gateway.trace import Json, program_json

Read = TypeVar("Read")

# Statuses of servers in front of a gateway, which send no problem documents (RFC 9110, 15.5 and 15.6).
_RETRYABLE = frozenset({429, 502, 503, 504})
_FOREIGN = "unexpected-response"


def _unchanged(document: Any) -> Any:
    return document


@dataclass(frozen=True, slots=True)
class ClientRequest(Generic[Read]):
    """One request, and the parser of its response; `parameters` that are None are not sent.

    A path with `{dataset}` is one of the first dataset, whose id the client has yet to ask for.
    """

    method: str
    path: str
    body: Json | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    read: Callable[[Any], Read] = _unchanged

    @property
    def sent(self) -> Json:
        """The keyword arguments of the client's request."""
        given = {name: value for name, value in self.parameters.items() if value is not None}
        return {"method": self.method, "url": self.path, "json": self.body, "params": given}

    @property
    def of_first(self) -> bool:
        """True if the path is to name the first dataset."""
        return "{dataset}" in self.path

    def at(self, dataset: str) -> ClientRequest[Read]:
        """The request about a dataset."""
        return replace(self, path=self.path.format(dataset=quote(dataset, "")))


def ask(question: str, **options: Unpack[AskOptions]) -> ClientRequest[GatewayAnswer]:
    """The answer to a question, with keyword arguments as for `nlq_gateway.Gateway.ask`."""
    return ClientRequest("POST", "nlq", {"question": question, **_fields(options)}, read=answer_of)


def run(program: AnyProgram, **options: Unpack[RunOptions]) -> ClientRequest[GatewayAnswer]:
    """The answer that a program finds, with keyword arguments as for `nlq_gateway.Gateway.run`."""
    return ClientRequest("POST", "run", {"program": _sent(program), **_fields(options)}, read=answer_of)


def compile(program: AnyProgram, **options: Unpack[CompileOptions]) -> ClientRequest[Compilation]:
    """A program's query, which is not sent, with arguments as for `nlq_gateway.Gateway.compile`."""
    body = {"program": _sent(program), **_fields(options)}
    return ClientRequest("POST", "compile", body, read=compilation_of)


def explain(sparql: str, *, dataset: str | None = None) -> ClientRequest[Compilation]:
    """The program of a SELECT or an ASK, with the pins by which `run` gives the query's rows."""
    return ClientRequest("POST", "explain", {"sparql": sparql, "dataset": dataset}, read=compilation_of)


def datasets() -> ClientRequest[list[Dataset]]:
    """The datasets that can be asked, the first one being the default."""
    return ClientRequest("GET", "datasets", read=lambda document: document["datasets"])


def first_dataset() -> ClientRequest[str]:
    """The id of the default dataset."""
    return ClientRequest("GET", "datasets", read=lambda document: _entry(document, None)["id"])


def examples(dataset: str | None = None) -> ClientRequest[tuple[str, ...]]:
    """A few questions that can be asked of a dataset, the first one by default."""
    return ClientRequest(
        "GET", "datasets", read=lambda listed: tuple(_entry(listed, dataset).get("examples", ()))
    )


def schema(
    text: str = "", *, kind: SchemaKind | None = None, limit: int | None = None, dataset: str | None = None
) -> ClientRequest[SchemaListing]:
    """The classes, relations, attributes and qualifiers of a graph, by name or IRI; the commonest without."""
    return _about("schema", dataset, {"q": text, "kind": kind, "limit": limit})


def suggest(
    text: str, *, limit: int | None = None, dataset: str | None = None
) -> ClientRequest[list[Suggestion]]:
    """Completions of a partly written question: whole questions, and names."""
    return _about("suggest", dataset, {"q": text, "limit": limit})


def describe(
    name: str | None = None,
    *,
    iri: str | None = None,
    language: str | None = None,
    facts: int | None = None,
    dataset: str | None = None,
) -> ClientRequest[Described]:
    """The facts of an entity, or questions about a class, by its name or IRI; at most `facts` of them."""
    return _about("describe", dataset, {"name": name, "iri": iri, "lang": language, "facts": facts})


def path(
    start: str, to: str, *, language: str | None = None, dataset: str | None = None
) -> ClientRequest[Connected]:
    """The shortest paths between two entities, each given by its name or IRI."""
    return _about("path", dataset, {"from": start, "to": to, "lang": language})


def feedback(
    answer: GatewayAnswer | str, correct: bool, *, program: AnyProgram | None = None, comment: str = ""
) -> ClientRequest[FeedbackTaken]:
    """Say whether an answer, or the one of a trace's id, was right, and the right program if it was not."""
    trace = answer if isinstance(answer, str) else answer.trace["id"]
    body = {"correct": correct, "program": _sent(program), "comment": comment}
    return ClientRequest("POST", f"traces/{quote(trace, '')}/feedback", body)


def _about(what: str, dataset: str | None, parameters: Json) -> ClientRequest[Any]:
    request: ClientRequest[Any] = ClientRequest("GET", f"datasets/{{dataset}}/{what}", parameters=parameters)
    return request if dataset is None else request.at(dataset)


def _entry(document: Json, dataset: str | None) -> Dataset:
    """One dataset, the first for None, in a document of `/datasets`; raises UnknownDataset."""
    listed: list[Dataset] = document["datasets"]
    for one in listed:
        if dataset is None or dataset in (one["id"], *one["aliases"]):
            return one
    known = ", ".join(one["id"] for one in listed) or "none that this client may read"
    said = f"there is no dataset {dataset!r}" if dataset else "there is no dataset"
    raise UnknownDataset(said, hint=f"known datasets: {known}")


def _fields(options: Mapping[str, Any]) -> Json:
    """The options by the names of the HTTP interface."""
    fields = {"lang" if name == "language" else name: value for name, value in options.items()}
    return {**fields, "pins": pin_documents(fields["pins"])} if "pins" in fields else fields


def _sent(program: AnyProgram | None) -> Any:
    return program_json(program)["steps"] if isinstance(program, Program) else program


@contextmanager
def reaching(address: str) -> Iterator[None]:
    """Around a request: raises GatewayUnreachable for every failure of the connection."""
    try:
        yield
    except httpx2.TimeoutException:
        hint = "raise `timeout_s` of the client, or lower `timeout_ms` of the question"
        raise GatewayUnreachable(f"{address} did not answer in time", hint=hint) from None
    except httpx2.TransportError as error:
        hint = "is the gateway running at this address?"
        raise GatewayUnreachable(f"{address} cannot be reached: {error}", hint=hint) from None


def result_of(call: ClientRequest[Read], response: httpx2.Response) -> Read:
    """Parse a response; raises GatewayProblem if it is an error."""
    document = _json(response)
    if response.status_code == httpx2.codes.OK and isinstance(document, dict | list):
        return call.read(document)
    raise _problem(response, document if isinstance(document, dict) else {})


def _json(response: httpx2.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None


def _problem(response: httpx2.Response, document: Json) -> GatewayProblem:
    status = response.status_code
    code = str(document.get("type", "")).rpartition("/problems/")[2] or _FOREIGN
    told = f"{response.url} answered {status} without a problem document"
    return GatewayProblem(
        str(document.get("detail", document.get("title", told))),
        code=code,
        status=status,
        retryable=document.get("retryable", status in _RETRYABLE),
        hint=document.get("hint", "is this the address of a gateway?" if code == _FOREIGN else ""),
        retry_after_s=_seconds(response.headers.get("Retry-After", "")),
        document=document,
    )


def _seconds(header: str) -> float | None:
    """The seconds of a `Retry-After`; a gateway sends no dates."""
    return float(header) if header.isdecimal() else None
