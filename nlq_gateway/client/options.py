"""The keyword arguments that questions and programs may have, in this process and over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

from compilers.kopl.notations import read_program
from compilers.kopl.program import Program

# IRIs by (step, argument), or as `pins` of a document: steps count from 1, arguments from 0, as in bindings.
Pins: TypeAlias = Mapping[tuple[int, int], str] | Sequence[Mapping[str, Any]]
# Text in any notation, the parsed JSON of one, or a program.
AnyProgram: TypeAlias = str | Sequence[Any] | Mapping[str, Any] | Program


class CompileOptions(TypedDict, total=False):
    """Options of compiling a program.

    `dataset` is an id or alias, the first one if left out. `pins` are the IRIs of arguments. `strict` refuses
    the functions beyond KQA Pro's. `dialect` is virtuoso, fuseki, oxigraph or sparql11.
    """

    dataset: str | None
    pins: Pins | None
    strict: bool
    dialect: str | None


class RunOptions(TypedDict, total=False):
    """Options of running a program, which is compiled in the endpoint's dialect.

    `language` is a BCP 47 tag that orders labels. `max_rows` and `timeout_ms` bound each query.
    """

    dataset: str | None
    pins: Pins | None
    strict: bool
    language: str
    max_rows: int | None
    timeout_ms: int | None


class AskOptions(TypedDict, total=False):
    """Options of a question.

    `nlq_gateway.Gateway.ask` documents each of them.
    """

    dataset: str | None
    language: str
    strategy: str
    guess: bool
    only: bool
    execute: bool
    max_rows: int | None
    timeout_ms: int | None
    pins: Pins | None


def pin_documents(pins: Pins | None) -> Sequence[Mapping[str, Any]]:
    """The pins as the HTTP interface takes them."""
    if not isinstance(pins, Mapping):
        return pins or ()
    return [{"step": step, "argument": argument, "iri": iri} for (step, argument), iri in pins.items()]


def program_of(source: AnyProgram) -> Program:
    """The program in any of its forms; raises ProgramSyntaxError."""
    return source if isinstance(source, Program) else read_program(source)
