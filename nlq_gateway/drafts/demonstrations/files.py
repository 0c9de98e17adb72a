"""Reads and writes demonstrations as JSON Lines: examples files, and the corpus of an exploration.

Example questions made for a graph without any have a file for each version of its index.

A line is `{"question": ..., "program": ...}`, or with `"questions": [...]`, or with `"sparql": ...` in place
of the program. `bindings` names the IRIs that are meant: `[{"step": 1, "argument": 0, "iri": "..."}]`, steps
counted from 1 and arguments from 0. Other members are ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compilers.errors import CompilerError
from compilers.kopl.check import require_valid
from compilers.kopl.functions import NAMING_KINDS
from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program
from nlq_gateway.core.errors import ConfigurationError, InvalidRequest
from nlq_gateway.core.json_lines import JsonLine, read_json_lines
from nlq_gateway.core.types import Demonstration
from nlq_gateway.settings import cache_folder

SOURCES = ("example", "explored", "confirmed")
SHOWN = 20
_SHAPE = 'write {"question": "...", "program": [...]} or {"question": "...", "sparql": "..."}'

Choices = Mapping[tuple[int, int], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class QueryExample:
    """A question with the query that answers it; `place` is its place in the file."""

    place: str
    question: str
    sparql: str
    source: str


@dataclass(frozen=True, slots=True)
class Read:
    """The contents of a file: questions with programs, and questions with queries."""

    demonstrations: tuple[Demonstration, ...] = ()
    queries: tuple[QueryExample, ...] = ()


class _Wrong(Exception):
    """A fault in a line."""


def corpus_file(endpoint: str) -> Path:
    """The default corpus file of the exploration of the endpoint with this id."""
    return cache_folder() / "endpoints" / endpoint / "corpus.jsonl"


def read_demonstrations(file: str) -> Read:
    """The demonstrations of a file, each of a line's questions with its program or query.

    Raises:
        ConfigurationError: when the file, JSON Lines or `.gz` of them, cannot be read or has wrong lines; its
            message names them all.
    """
    found: list[Demonstration | QueryExample] = []
    problems: list[tuple[int, str]] = []
    try:
        for line in read_json_lines(file):
            try:
                found.extend(_demonstrations(file, line))
            except _Wrong as error:
                problems.append((line.number, str(error)))
    except InvalidRequest as error:
        raise ConfigurationError(error.message, file=file) from None
    if problems:
        raise _refusal(file, problems)
    return Read(
        tuple(one for one in found if isinstance(one, Demonstration)),
        tuple(one for one in found if isinstance(one, QueryExample)),
    )


def _refusal(file: str, problems: list[tuple[int, str]]) -> ConfigurationError:
    told = "\n".join(f"  line {number}: {what}" for number, what in problems[:SHOWN])
    more = f"\n  and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
    lines = "line is" if len(problems) == 1 else "lines are"
    message = f"{file}: {len(problems)} {lines} wrong\n{told}{more}"
    return ConfigurationError(message, file=file, line=problems[0][0], hint=_SHAPE)


def _demonstrations(file: str, line: JsonLine) -> Iterator[Demonstration | QueryExample]:
    if line.error:
        raise _Wrong(line.error.message.partition(": ")[2])
    record = line.value
    if not isinstance(record, dict):
        raise _Wrong("an object is expected")
    questions = _questions(record)
    source = record.get("source", "example")
    if source not in SOURCES:
        raise _Wrong(f"`source` is none of {', '.join(SOURCES)}")
    if "program" in record:
        program = _program(record["program"])
        choices = _choices(record.get("bindings", []), program)
        yield from (Demonstration(question, program, source, choices) for question in questions)
    elif isinstance(record.get("sparql"), str):
        place = f"{file}, line {line.number}"
        yield from (QueryExample(place, question, record["sparql"], source) for question in questions)
    else:
        raise _Wrong("neither `program` nor `sparql` is given")


def _questions(record: dict[str, Any]) -> list[str]:
    given = record["questions"] if "questions" in record else [record.get("question")]
    if not isinstance(given, list) or not all(isinstance(text, str) and text.strip() for text in given):
        raise _Wrong("`question` is text, or `questions` a list of texts, none of them empty")
    return given


def _program(source: object) -> Program:
    try:
        program = read_program(source)
        require_valid(program)
    except CompilerError as error:
        raise _Wrong(f"the program is wrong: {error.message}") from None
    return program


def _choices(bindings: object, program: Program) -> Choices:
    if not isinstance(bindings, list):
        raise _Wrong("`bindings` is not a list")
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    for binding in bindings:
        place, iri = _binding(binding, program)
        found[place] = (*found.get(place, ()), iri)
    return found


def _binding(binding: object, program: Program) -> tuple[tuple[int, int], str]:
    shape = '`bindings` has something else than {"step": 1, "argument": 0, "iri": "..."}'
    if not isinstance(binding, dict):
        raise _Wrong(shape)
    step, argument, iri = (binding.get(name) for name in ("step", "argument", "iri"))
    if not isinstance(step, int) or not isinstance(argument, int) or not isinstance(iri, str):
        raise _Wrong(shape)
    parameters = program.steps[step - 1].signature.parameters if 0 < step <= len(program) else ()
    if not (0 <= argument < len(parameters) and parameters[argument].kind in NAMING_KINDS):
        raise _Wrong(f"`bindings` names argument {argument} of step {step}, which is no name")
    return (step - 1, argument), iri


def demonstrations_of(record: object) -> tuple[Demonstration, ...]:
    """The demonstrations of a parsed line with a program; raises InvalidRequest."""
    try:
        found = tuple(_demonstrations("", JsonLine(1, record)))
    except _Wrong as error:
        raise InvalidRequest(str(error), hint=_SHAPE) from None
    return tuple(one for one in found if isinstance(one, Demonstration))


def record_of(demonstration: Demonstration) -> dict[str, Any]:
    """The demonstration as a line of a file."""
    record: dict[str, Any] = {
        "question": demonstration.question,
        "program": json.loads(NOTATIONS["json"].write(demonstration.program)),
    }
    bindings = [
        {"step": step + 1, "argument": argument, "iri": iri}
        for (step, argument), iris in sorted(demonstration.choices.items())
        for iri in iris
    ]
    return record | ({"bindings": bindings} if bindings else {}) | {"source": demonstration.source}


def write_demonstrations(file: Path, demonstrations: Iterable[Demonstration]) -> None:
    """Write an examples file; raises OSError."""
    lines = (json.dumps(record_of(one), ensure_ascii=False) + "\n" for one in demonstrations)
    file.write_text("".join(lines), encoding="utf-8")


def made_file(folder: Path, version: str) -> Path:
    """The file for the questions of a version, in an endpoint's folder."""
    return folder / "questions" / f"{version}.json"


def read_made(file: Path) -> tuple[str, ...]:
    """The questions of a file; () if there is no such file, or it cannot be read."""
    try:
        return tuple(map(str, json.loads(file.read_text(encoding="utf-8"))))
    except (OSError, ValueError, TypeError):
        return ()


def write_made(file: Path, questions: Sequence[str]) -> None:
    """Write the questions, and remove those of other versions; raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_suffix(".new")
    temporary.write_text(json.dumps(list(questions), ensure_ascii=False), encoding="utf-8")
    os.replace(temporary, file)
    for other in file.parent.glob("*.json"):
        if other != file:
            other.unlink(missing_ok=True)
