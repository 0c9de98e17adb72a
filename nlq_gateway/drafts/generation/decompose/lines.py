"""Reads a decomposition as a model writes it, one numbered sub-question a line, and the grammar for it.

    #1: who directed the film [Fargo]?
    #2: which films did #1 direct?
    #3: how many of #2 are there?

Names stand in square brackets, `#n` is an earlier sub-question's result. Other ways to number, fences, lists
in JSON and sentences around the lines are understood; a reference to a later result is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from compilers.issues import Issue

MOST_LINES = 10
_LONGEST_LINE, _SHORTEST_QUESTION = 400, 4
# The characters of a line, and of a name in it, that the grammar allows.
_LONGEST_WRITTEN, _LONGEST_NAME = 120, 80

_THOUGHT = re.compile(r"^.*</think>", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*```.*$", re.MULTILINE)
_MARKS = re.compile(r"[*`]{1,3}")
_NUMBERED = re.compile(
    r"^[\s>•-]*(?:#\s*|(?:sub-?\s?question|question|step|q)\s*#?\s*)?(\d{1,2})\s*[:.)]\s*(\S.*)$",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"[\[<{(]\s*#\s*(\d{1,2})\s*[\]>})]|#\s*\{?(\d{1,2})\}?")


@dataclass(frozen=True, slots=True)
class SubQuestionLine:
    """A sub-question: its words, with names in brackets and references as `#n`, counted from 1."""

    number: int
    text: str

    @property
    def references(self) -> tuple[int, ...]:
        """The numbers of the sub-questions that it refers to, in order."""
        return tuple(int(number) for number in re.findall(r"#(\d+)", self.text))


@dataclass(frozen=True, slots=True)
class ParsedLines:
    """The sub-questions of a text, or the issues that make it unreadable.

    An issue's step counts the sub-questions from 0.
    """

    subquestions: tuple[SubQuestionLine, ...] = ()
    issues: tuple[Issue, ...] = ()


def parse(text: str) -> ParsedLines:
    """The sub-questions in a model's text, renumbered from 1."""
    lines = _lines(_FENCE.sub("", _THOUGHT.sub("", text)))
    if not lines:
        return ParsedLines(issues=(_unreadable("there is no numbered sub-question in the text"),))
    if len(lines) > MOST_LINES:
        return ParsedLines(issues=(_unreadable(f"{len(lines)} sub-questions are more than {MOST_LINES}"),))
    position = {number: at for at, number in enumerate(lines, 1)}
    read = tuple(
        SubQuestionLine(position[number], _REFERENCE.sub(lambda found: _renumbered(found, position), words))
        for number, words in lines.items()
    )
    issues = tuple(issue for one in read for issue in _bad_references(one))
    return ParsedLines(() if issues else read, issues)


def grammar(most: int = 6) -> str:
    """The grammar of up to `most` numbered sub-questions; each refers only to those before it."""
    rules = [f'root ::= "#1: " line1{_further(1, most)}']
    for number in range(1, most + 1):
        if number > 1:
            rules.append(f'more{number} ::= "\\n#{number}: " line{number}{_further(number, most)}')
        earlier = "".join(f' | "#{before}"' for before in range(1, number))
        rules.append(f'line{number} ::= (letter | name{earlier}){{4,{_LONGEST_WRITTEN}}} "?"')
    rules.append(f'name ::= "[" [^\\[\\]#\\n]{{1,{_LONGEST_NAME}}} "]"')
    rules.append("letter ::= [^\\[\\]#?\\n]")
    return "\n".join(rules)


def _further(number: int, most: int) -> str:
    return f" more{number + 1}?" if number < most else ""


def _lines(text: str) -> dict[int, str]:
    """The lines by their own numbers: those of a list in JSON, numbered ones, else all questions."""
    listed = dict(_listed(text))
    if listed:
        return listed
    found: dict[int, str] = {}
    for line in _MARKS.sub("", text).splitlines():
        numbered = _NUMBERED.match(line[:_LONGEST_LINE])
        if numbered is None:
            continue
        number = int(numbered.group(1))
        if found and number <= max(found):
            break  # another decomposition begins
        found[number] = numbered.group(2).strip().strip('"')
    return found or dict(enumerate(_asked(text), 1))


def _asked(text: str) -> Iterator[str]:
    """The lines that end as a question does."""
    for line in map(str.strip, text.splitlines()):
        if line.endswith("?") and len(line) >= _SHORTEST_QUESTION:
            yield line[:_LONGEST_LINE]


def _listed(text: str) -> Iterator[tuple[int, str]]:
    start, end = text.find("["), text.rfind("]")
    try:
        found = json.loads(text[start : end + 1]) if 0 <= start < end else None
    except ValueError:
        return
    for at, one in enumerate(found if isinstance(found, list) else (), 1):
        words: Any = one.get("question") if isinstance(one, dict) else None
        if isinstance(words, str) and words.strip():
            number = one.get("id", at)
            yield number if isinstance(number, int) else at, words.strip()[:_LONGEST_LINE]


def _renumbered(found: re.Match[str], position: Mapping[int, int]) -> str:
    number = int(found.group(1) or found.group(2))
    return f"#{position.get(number, 0)}"


def _bad_references(one: SubQuestionLine) -> Iterator[Issue]:
    for reference in one.references:
        if not 0 < reference < one.number:
            yield Issue(
                "error",
                "bad-reference",
                one.number - 1,
                None,
                f"sub-question {one.number} refers to a result that no earlier one has",
                f"refer to #1 to #{one.number - 1}" if one.number > 1 else "begin with a name in brackets",
            )


def _unreadable(message: str) -> Issue:
    hint = "write one sub-question a line: #1: who directed [Fargo]?"
    return Issue("error", "unreadable-decomposition", 0, None, message, hint)
