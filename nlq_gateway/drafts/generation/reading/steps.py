"""Programs as calls, numbered, assigned, chained or nested, in a model's text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from compilers.errors import ProgramSyntaxError
from compilers.kopl.notations.calls import ParsedCall, assemble, read_call
from compilers.kopl.program import Program
from nlq_gateway.drafts.generation.reading.lines import Unreadable, known_name, lines_of
from nlq_gateway.drafts.generation.reading.nested import BEGINS, ENDS, unfolded

# "Step 2:", "**Step 2.**", "- 2)", "films =", each with the decoration of Markdown.
_HEAD = re.compile(
    r"[\s>*_`#-]*+(?:step\s*(?P<step>\d{1,4})\s*[*_]*[:.)–-]|(?P<number>\d{1,4})[.):]"
    r"|(?P<variable>[^\W\d]\w*)\s*=(?=\s*[^\W\d]\w*\())[\s*_`]*",
    re.IGNORECASE,
)
_DECORATION = re.compile(r"[\s>*_`-]*")
_CALL = re.compile(r"(?P<name>[^\W\d]\w*)\s?\(")
_ALONE = re.compile(r"[^\W\d]\w*\(.*\)[\s`.;]*$")
_BETWEEN = re.compile(r"\s*(?P<mark>->|=>|→|\|>|[,;|.])?\s*")
_SOURCES = re.compile(
    r"\s*<-\s*(?P<listed>none\b|(?:steps?\s*)?\d{1,4}(?:\s*(?:,|and|&)\s*(?:steps?\s*)?\d{1,4})*)",
    re.IGNORECASE,
)
_END = re.compile(r"\W*(?:done|stop|end|finished)\W*", re.IGNORECASE)
_NEXT = re.compile(r"[\s>*_#]*question\b[^:\n]{0,20}:", re.IGNORECASE)
# An argument in quotation marks, JSON's or others; a letter after an apostrophe continues the text.
_QUOTED = re.compile(
    r"""(?<=[(,])(?P<blank>\s*)(?:
        "(?:[^"\\]|\\.)*"
        | (?: '(?P<plain>(?:[^'\\]|\\.|'(?=\w))*)'
            | “(?P<double>[^”]*)” | ‘(?P<single>[^’]*)’ | `(?P<code>[^`]*)`
          ) (?=\s*[,)])
    )""",
    re.VERBOSE,
)
_HINT = "write Step 2: Relate(directed by, backward), or Step 6: And() <- 2, 5"
_SHOWN = 200


def read(text: str) -> tuple[Program, bool]:
    """The program, without steps if there is none, and True if it is whole; raises Unreadable."""
    found = _StepsSoFar()
    for line in lines_of(text):
        if found.take(_QUOTED.sub(_as_json, line)):
            break
    return found.program(), found.ended


@dataclass(slots=True)
class _StepsSoFar:
    """The calls so far, with the model's own numbers and names, and the first line that should be a call.

    `last` is the latest number; `stopped`: the latest call ended the program; `ended`: other text follows it.
    """

    calls: list[ParsedCall] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    names: dict[str, int | None] = field(default_factory=dict)
    last: int = 0
    wrong: ProgramSyntaxError | None = None
    stopped: bool = False
    ended: bool = False

    def take(self, line: str) -> bool:
        """Take one line in; True if no later line belongs to the program."""
        if self.calls and (_END.fullmatch(line) or _NEXT.match(line)):
            self.ended = True
            return True
        head = _HEAD.match(line)
        at = _after_decoration(line) if head is None else head.end()
        if _begins_call(line, at, headed=head is not None) and self._goes_on(line, at, head):
            self._read(line, at, head)
        elif head and head["step"] and not self.ended:
            self.last = int(head["step"])
            self.wrong = self.wrong or _wrong(line)
        elif line.strip():
            self.ended = bool(self.calls)
        return False

    def program(self) -> Program:
        """The program that was read; raises Unreadable."""
        if self.wrong is not None:
            raise Unreadable(self.wrong, len(self.calls) + 1)
        return assemble(self.calls)

    def _begin(self) -> None:
        self.calls, self.numbers, self.names, self.last, self.wrong = [], {}, {}, 0, None

    def _goes_on(self, line: str, at: int, head: re.Match[str] | None) -> bool:
        """True if a call belongs to the program, and is not a mention after it.

        The number 1 again begins the program anew.
        """
        number = None if head is None else _number(head, self.last)
        if self.stopped and not line.startswith(BEGINS, at):
            return False
        if number == 1 and (self.wrong or self.ended or self.last > 1):
            self._begin()
        elif self.ended and (_ALONE.match(line, at) is None if number is None else number <= self.last):
            return False
        self.ended = False
        return True

    def _read(self, line: str, at: int, head: re.Match[str] | None) -> None:
        """Read the calls of a line; text behind the last of them is a remark."""
        while True:
            try:
                call, at = read_call(line, at)
            except ProgramSyntaxError as error:
                self.wrong = self.wrong or _in_line(error, line)
                return
            sources = _SOURCES.match(line, at)
            if sources is None and line[at:].lstrip().startswith("<-"):
                self.wrong = self.wrong or _wrong(line, "the numbers of steps expected after <-")
            try:
                self._keep(call, sources, head)
            except ProgramSyntaxError as error:
                self.wrong = self.wrong or _in_line(error, line)
                return
            between = _BETWEEN.match(line, sources.end() if sources else at)
            head = _HEAD.match(line, between.end()) if between else None
            at = head.end() if head else between.end() if between else len(line)
            if not (head or (between and between["mark"])) or not _begins_call(line, at, headed=False):
                return

    def _keep(self, call: ParsedCall, sources: re.Match[str] | None, head: re.Match[str] | None) -> None:
        listed = None
        if sources is not None:
            named = [int(one) for one in re.findall(r"\d+", sources["listed"])]
            listed = tuple(self.numbers.get(one, one - 1) for one in named)
        if self.stopped and call.function == BEGINS:
            self._begin()
        self.stopped = call.function == ENDS
        whole = ParsedCall(call.function, call.inputs, listed)
        found = unfolded(whole, len(self.calls), self.numbers, self.names)
        self.calls += found.calls
        if head and head["variable"]:
            self.names[head["variable"]] = found.source
        elif found.source is not None:
            self.last = self.last + 1 if head is None else _number(head, self.last)
            self.numbers[self.last] = found.source


def _begins_call(line: str, at: int, *, headed: bool) -> bool:
    """True if a call begins there; without a number before it, a known function's or the whole line."""
    call = _CALL.match(line, at)
    if call is None or headed:
        return call is not None
    return known_name(call["name"]) is not None or _ALONE.match(line, at) is not None


def _after_decoration(line: str) -> int:
    decoration = _DECORATION.match(line)
    return decoration.end() if decoration else 0


def _number(head: re.Match[str], last: int) -> int:
    """The number of a step; a variable gets the next one."""
    written = head["step"] or head["number"]
    return int(written) if written else last + 1


def _as_json(quoted: re.Match[str]) -> str:
    if quoted.lastgroup == "blank":
        return quoted.group()
    text = re.sub(r"\\(.)", r"\1", quoted[quoted.lastgroup or 0])
    return quoted["blank"] + json.dumps(text, ensure_ascii=False)


def _wrong(line: str, what: str = "a call expected") -> ProgramSyntaxError:
    return ProgramSyntaxError(f"{what}, in the line {line.strip()[:_SHOWN]}", hint=_HINT)


def _in_line(error: ProgramSyntaxError, line: str) -> ProgramSyntaxError:
    return ProgramSyntaxError(f"{error.message}, in the line {line.strip()[:_SHOWN]}", hint=error.hint)
