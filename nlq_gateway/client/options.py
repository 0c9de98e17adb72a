"""The keyword arguments that questions and programs may have, in this process and over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

from compilers.kopl.notations import read_program
from compilers.kopl.program import Program

# IRIs by (step, argument): steps count from 1, arguments from 0, as in bindings.
Pins: TypeAlias = Mapping[tuple[int, int], str]
# Text in any notation, the parsed JSON of one, or a program.
AnyProgram: TypeAlias = str | Sequence[Any] | Mapping[str, Any] | Program


class CompileOptions(TypedDict, total=False):
    """Options of compiling a program.

    `dataset` is an id or alias, the first one if left out. `pins` are the IRIs of arguments. `strict` refuses
    the functions beyond KQA Pro's. `dialect` is virtuoso, fuseki, oxigraph or sparql11.
    """

    dataset: str
    pins: Pins
    strict: bool
    dialect: str


class RunOptions(TypedDict, total=False):
    """Options of running a program, which is compiled in the endpoint's dialect.

    `language` is a BCP 47 tag that orders labels. `max_rows` and `timeout_ms` bound each query.
    """

    dataset: str
    pins: Pins
    strict: bool
    language: str
    max_rows: int
    timeout_ms: int


class AskOptions(TypedDict, total=False):
    """Options of a question.

    `nlq_gateway.Gateway.ask` documents each of them.
    """

    dataset: str
    language: str
    strategy: str
    guess: bool
    only: bool
    execute: bool
    max_rows: int
    timeout_ms: int
    pins: Pins


def program_of(source: AnyProgram) -> Program:
    """The program in any of its forms; raises ProgramSyntaxError."""
    return source if isinstance(source, Program) else read_program(source)
