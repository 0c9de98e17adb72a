"""Requests of clients, and parsing of responses; the same for sync and async clients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import httpx2

from compilers.kopl.program import Program
from nlq_gateway.client.answer import Compilation, GatewayAnswer, answer_of, compilation_of
from nlq_gateway.client.options import AnyProgram, AskOptions, CompileOptions, RunOptions
from nlq_gateway.client.problems import GatewayProblem, GatewayUnreachable
from nlq_gateway.core.errors import UnknownDataset
from nlq_gateway.trace import Json, program_json

Read = TypeVar("Read")

# Statuses of servers in front of a gateway, which send no problem documents (RFC 9110, 15.5 and 15.6).
_RETRYABLE = frozenset({429, 502, 503, 504})
_FOREIGN = "unexpected-response"


@dataclass(frozen=True, slots=True)
class ClientRequest(Generic[Read]):
    """One request, and the parser of its response."""

    method: str
    path: str
    body: Json | None
    read: Callable[[Any], Read]


def asking(question: str, options: AskOptions) -> ClientRequest[GatewayAnswer]:
    """The call that asks a question."""
    return ClientRequest("POST", "nlq", {"question": question, **_fields(options)}, answer_of)


def running(program: AnyProgram, options: RunOptions) -> ClientRequest[GatewayAnswer]:
    """The call that runs a program."""
    return ClientRequest("POST", "run", {"program": _sent(program), **_fields(options)}, answer_of)


def compiling(program: AnyProgram, options: CompileOptions) -> ClientRequest[Compilation]:
    """The call that compiles a program."""
    return ClientRequest("POST", "compile", {"program": _sent(program), **_fields(options)}, compilation_of)


def listing(dataset: str | None) -> ClientRequest[tuple[str, ...]]:
    """The call that lists the example questions of a dataset, named by id or alias; None for the first."""
    return ClientRequest("GET", "datasets", None, lambda document: _examples(document, dataset))


def _examples(document: Json, dataset: str | None) -> tuple[str, ...]:
    """The example questions of one dataset in a document of `/datasets`."""
    listed = document["datasets"]
    for one in listed:
        if dataset is None or dataset in (one["id"], *one["aliases"]):
            return tuple(one.get("examples", ()))
    known = ", ".join(one["id"] for one in listed)
    raise UnknownDataset(f"there is no dataset {dataset!r}", hint=f"known datasets: {known}")


def _fields(options: Mapping[str, Any]) -> Json:
    """The options by the names of the HTTP interface."""
    fields = {"lang" if name == "language" else name: value for name, value in options.items()}
    if "pins" in fields:
        fields["pins"] = [
            {"step": step, "argument": argument, "iri": iri}
            for (step, argument), iri in fields["pins"].items()
        ]
    return fields


def _sent(program: AnyProgram) -> Any:
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
    if response.status_code == httpx2.codes.OK and isinstance(document, dict):
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
