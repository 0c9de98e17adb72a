"""`nlq run` and `nlq compile`: programs in, one line of JSON for each out; text for one on a terminal."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.grounded import GroundedProgram
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from compilers.layouts import Options
from compilers.probes import compile_probes
from nlq_gateway.answering import Pipeline
from nlq_gateway.client.plain import plain
from nlq_gateway.core.errors import KNOWN_ERRORS, ConfigurationError, InvalidRequest
from nlq_gateway.core.json_lines import read_json_lines
from nlq_gateway.edges.cli.ask import answer_lines, query_lines
from nlq_gateway.edges.cli.failures import error_object, explain
from nlq_gateway.edges.cli.source import has_source, opened

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Item:
    """A program to read, under the id of its result, or the reason why there is none."""

    id: Any
    source: Any = None
    error: Exception | None = None

    def program(self) -> Program:
        """The program; raises ProgramSyntaxError or InvalidRequest."""
        if self.error:
            raise self.error
        return read_program(self.source)


@dataclass(frozen=True, slots=True)
class ProgramOutput:
    """What became of a program: its line of JSON with warnings for standard error, or lines of text."""

    line: Json
    text: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def run(options: argparse.Namespace) -> int:
    """Execute the programs: `{id, answers, sparql}`, or `{id, answers: null, sparql, error}`.

    Warnings are on standard error. Text has the answer with them, and the query.
    """
    with opened(options) as pipeline:
        return _each(options, lambda p: _executed(pipeline, p, options.strict), ("answers", "sparql"))


def compile_(options: argparse.Namespace) -> int:
    """Compile the programs: `{id, sparql, source_map}`, or those as null with `error`.

    A single program comes with `probes`, the queries about its steps; many do when `--probes` asks for them.
    Text has the query alone.
    """
    blanks, strict = ("sparql", "source_map"), options.strict
    with_probes = options.probes or not options.jsonl
    if has_source(options):
        dialect = None if options.dialect == "auto" else options.dialect
        with opened(options, dialect=False) as pipeline:

            def by_source(program: Program) -> ProgramOutput:
                return _compiled(*pipeline.bind(program, dialect=dialect, strict=strict), with_probes, strict)

            return _each(options, by_source, blanks)
    if options.layout in (None, "auto"):
        hint = "give a source (--data, --config), or --layout for programs with IRIs"
        raise ConfigurationError("without a source the layout is needed", hint=hint)
    chosen = Options(dialect=DIALECTS["sparql11" if options.dialect in (None, "auto") else options.dialect])

    def by_layout(program: Program) -> ProgramOutput:
        return _compiled(GroundedProgram(program), options.layout, chosen, with_probes, strict)

    return _each(options, by_layout, blanks)


def _executed(pipeline: Pipeline, program: Program, strict: bool) -> ProgramOutput:
    trace = pipeline.run(program, probes=False, strict=strict)
    answers = list(trace.answer.strings) if trace.answer else []
    line = {"answers": answers, "sparql": trace.query.text if trace.query else None}
    text = (*answer_lines(trace), *query_lines(trace))
    told = (*filter(None, (trace.diagnosis,)), *(warning.message for warning in trace.warnings))
    return ProgramOutput(line, text, told)


def _compiled(
    grounded: GroundedProgram, layout: str, options: Options, with_probes: bool, strict: bool
) -> ProgramOutput:
    query = compile_program(grounded, layout, options, strict=strict)
    compiled: Json = {"sparql": query.text, "source_map": query.source_map()}
    if with_probes:
        compiled["probes"] = [probe.as_json() for probe in compile_probes(grounded, layout, options)]
    return ProgramOutput(compiled, (query.text.rstrip("\n"),))


def _each(
    options: argparse.Namespace, work: Callable[[Program], ProgramOutput], blanks: tuple[str, ...]
) -> int:
    """Print what became of each program as soon as it is done; 1 if one of them failed."""
    failures = 0
    show = _show_text if options.text or (sys.stdout.isatty() and not options.jsonl) else _show_line
    for item in _lines(options.jsonl) if options.jsonl else _single(options.program):
        try:
            done = work(item.program())
        except KNOWN_ERRORS as error:
            failures += 1
            done = ProgramOutput({**dict.fromkeys(blanks), "error": error_object(error)})
            _say(item, error, options)
        show(item, done, options)
    return 1 if failures else 0


def _show_text(_: Item, done: ProgramOutput, __: argparse.Namespace) -> None:
    """Print lines of text; into a file as they are, with characters that a terminal acts on."""
    for line in done.text:
        print(plain(line) if sys.stdout.isatty() else line)


def _show_line(item: Item, done: ProgramOutput, options: argparse.Namespace) -> None:
    for warning in done.warnings:
        print(plain(f"nlq: {f'{item.id}: ' if options.jsonl else ''}warning: {warning}"), file=sys.stderr)
    print(json.dumps({"id": item.id, **done.line}, ensure_ascii=False), flush=True)


def _say(item: Item, error: Exception, options: argparse.Namespace) -> None:
    """Report the error on standard error; with several programs, also its id."""
    text = f"nlq: {item.id}: {error_object(error)['message']}" if options.jsonl else explain(error)
    print(text, file=sys.stderr)


def _lines(file: str) -> Iterator[Item]:
    for line in read_json_lines(file):
        if line.error:
            yield Item(line.number, error=line.error)
        elif isinstance(line.value, dict) and "program" in line.value:
            yield Item(line.value.get("id", line.number), line.value["program"])
        else:
            message = f"{file}, line {line.number}: an object with `program` expected"
            yield Item(line.number, error=InvalidRequest(message, hint='write {"id": "1", "program": [...]}'))


def _single(file: str) -> Iterator[Item]:
    """The program of a file: JSON (perhaps with an id) or text in another notation."""
    text = _text(file)
    name = "-" if file == "-" else Path(file).stem
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict) and "program" in data:
        yield Item(data.get("id", name), data["program"])
    else:
        yield Item(name, text)


def _text(file: str) -> str:
    try:
        body = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return body.decode("utf-8-sig")
    except OSError as error:
        raise InvalidRequest(f"the program {file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidRequest(f"the program {file} is not text in UTF-8") from None
