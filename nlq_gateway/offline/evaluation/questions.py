"""The content of a line of a question file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from compilers.errors import CompilerError
from compilers.kopl.check import require_valid
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from nlq_gateway.core.errors import InvalidRequest
from nlq_gateway.core.json_lines import JsonLine, read_json_lines
from nlq_gateway.offline.evaluation.families import hops

Gold = tuple[str | tuple[str, ...], ...]

_NUMBERED = re.compile(r"[-_]?\d+$")
_PROGRAM_KEYS = ("program", "kopl")


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with its gold answers: strings, rows of strings, or None with a gold query.

    `language` is that of the question and of its answers. `program` is a gold program, and `topics` are
    labels of entities that the question is about; both only help to say what went wrong. `unanswerable` says
    that the graph does not have what is asked for: right is to refuse an answer.
    """

    id: str
    text: str
    kind: str
    answers: Gold | None = None
    sparql: str | None = None
    language: str = "en"
    program: Program | None = None
    topics: tuple[str, ...] = ()
    unanswerable: bool = False


def read_questions(file: str, limit: int | None = None) -> Iterator[GoldQuestion]:
    """The questions of a JSON Lines file, at most `limit` of them.

    Raises:
        InvalidRequest: for a file that cannot be read, or a line that is no question; it names the line.
    """
    for position, line in enumerate(read_json_lines(file)):
        if limit is not None and position >= limit:
            return
        yield _question(file, line)


def _question(file: str, line: JsonLine) -> GoldQuestion:
    if line.error:
        raise line.error
    record = line.value
    if not isinstance(record, dict) or not isinstance(record.get("question"), str):
        raise InvalidRequest(
            f"{file}, line {line.number}: an object with `question` expected",
            hint='write {"id": "1", "question": "...", "answers": ["..."]}',
        )
    gold = record.get("gold")
    gold = gold if isinstance(gold, dict) else {}
    answers, sparql = record.get("answers"), gold.get("sparql") or record.get("sparql")
    unanswerable = record.get("unanswerable") is True
    if unanswerable and answers:
        raise InvalidRequest(f"{file}, line {line.number}: `answers` of an `unanswerable` question")
    if answers is None and not isinstance(sparql, str) and not unanswerable:
        raise InvalidRequest(f"{file}, line {line.number}: neither `answers` nor `sparql` is given")
    identifier = str(record.get("id", line.number))
    given = answers if answers is not None or not unanswerable else []
    gold_answers = None if given is None else _gold(given, f"{file}, line {line.number}")
    kind = kind_of(record, gold, identifier)
    language = str(record.get("lang", "en"))
    program, topics = _program(record, gold), _topics(record.get("topic"))
    return GoldQuestion(
        identifier,
        record["question"],
        kind,
        gold_answers,
        sparql,
        language,
        program,
        topics,
        unanswerable,
    )


def _program(record: dict[str, Any], gold: dict[str, Any]) -> Program | None:
    """The first that is a valid program; others are passed over, as no score depends on them."""
    for source in (record, gold):
        for key in _PROGRAM_KEYS:
            try:
                program = read_program(source[key])
                require_valid(program)
            except (KeyError, CompilerError):
                continue
            return program
    return None


def _topics(topic: Any) -> tuple[str, ...]:
    labels = topic if isinstance(topic, list) else [topic]
    return tuple(label for label in labels if isinstance(label, str))


def _gold(answers: Any, place: str) -> Gold:
    if not isinstance(answers, list):
        raise InvalidRequest(f"{place}: `answers` is not a list")
    return tuple(tuple(map(_text, item)) if isinstance(item, list) else _text(item) for item in answers)


def _text(value: Any) -> str:
    """A gold value as the gateway writes it: yes and no for booleans, "" for nothing."""
    named = {True: "yes", False: "no"}.get(value) if isinstance(value, bool) else None
    return named or ("" if value is None else str(value))


def kind_of(record: dict[str, Any], gold: dict[str, Any], identifier: str) -> str:
    """The group that a question is counted in: its hops, family or level, else its id without numbers."""
    path = gold.get("path")
    if isinstance(path, str):
        return hops(path.count("_to_"))
    for source in (record, gold):
        for name in ("family", "level", "kind"):
            if isinstance(source.get(name), (str, int)):
                return str(source[name])
    return _NUMBERED.sub("", identifier) or "all"
