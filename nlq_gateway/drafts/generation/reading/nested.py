"""Calls within calls: `Count(FilterConcept(Relate(Find(Fargo), directed by, forward), person))`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compilers.errors import ProgramSyntaxError
from compilers.kopl.functions import function_named
from compilers.kopl.notations.calls import ParsedCall, read_call
from nlq_gateway.drafts.generation.reading.lines import known_name

_INNER = re.compile(r"(?P<name>[^\W\d]\w*)\(")
_ARROW = re.compile(r"\s*(?:->|→|\.)\s*(?=[^\W\d]\w*\()")
_VARIABLE = re.compile(r"expression_\d{1,4}")
_STEP = re.compile(r"(?:step[\s_]*|[#$])(\d{1,4})", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,4}")
_DEEPEST = 30
_LONGEST = 5_000
# Begins a branch in CodeAlignKGQA's notation, and ends a program; neither is a step.
BEGINS, ENDS = "START", "STOP"


@dataclass(frozen=True, slots=True)
class Unfolded:
    """The calls within a call, itself last, possibly none; `source` is the index of its result."""

    calls: tuple[ParsedCall, ...]
    source: int | None


def unfolded(
    call: ParsedCall, first: int, steps: Mapping[int, int], names: Mapping[str, int | None], depth: int = 0
) -> Unfolded:
    """A call's own steps, `first` being the index of the first of them.

    `steps` are the indices of the steps by the numbers that the text gives them, `names` by the variables
    that it assigns; None is a branch without steps. Arguments that name one of them, or are calls
    themselves, feed the call. Raises ProgramSyntaxError for a variable that is not assigned.
    """
    made: list[ParsedCall] = []
    sources: list[int] = []
    inputs: list[str] = []
    begun = False
    for text in call.inputs:
        inner = _calls_in(text) if depth < _DEEPEST else ()
        if inner:
            for one in inner:
                found = unfolded(one, first + len(made), steps, names, depth + 1)
                made += found.calls
                last = found.source
            sources += [] if last is None else [last]
            begun = begun or last is None
        elif text in names:
            source = names[text]
            sources += [] if source is None else [source]
            begun = begun or source is None
        elif (named := _STEP.fullmatch(text)) and int(named[1]) in steps:
            sources.append(steps[int(named[1])])
        elif _VARIABLE.fullmatch(text):
            raise ProgramSyntaxError(f"{text} is not assigned yet", hint="assign it before a call names it")
        else:
            inputs.append(text)
    if call.function.upper() in (BEGINS, ENDS):
        return Unfolded(tuple(made), sources[-1] if sources else None)
    return _fed(call, inputs, sources, begun, first, made, steps)


def _fed(
    call: ParsedCall,
    inputs: Sequence[str],
    sources: Sequence[int],
    begun: bool,
    first: int,
    made: Sequence[ParsedCall],
    steps: Mapping[int, int],
) -> Unfolded:
    """The call with its inputs; if fewer than it takes are named, the open steps feed it, too."""
    name = known_name(call.function) or call.function
    function = function_named(name)
    wanted = len(function.inputs) if function and not function.variadic else len(sources)
    numbers = [steps[int(text)] for text in inputs if _NUMBER.fullmatch(text) and int(text) in steps]
    if function and not function.parameters and function.inputs and numbers and len(numbers) == len(inputs):
        inputs, sources = (), (*sources, *numbers)
    dependencies = call.dependencies
    if dependencies is None and (begun or (sources and len(sources) >= wanted)):
        dependencies = tuple(sources)
    return Unfolded((*made, ParsedCall(name, tuple(inputs), dependencies)), first + len(made))


def _calls_in(text: str) -> tuple[ParsedCall, ...]:
    """The call in an argument, or the calls of a chain in it; () for a name."""
    begins = _INNER.match(text) if len(text) <= _LONGEST else None
    if begins is None or not _is_function(begins["name"]):
        return ()
    found: list[ParsedCall] = []
    at = 0
    try:
        while True:
            call, at = read_call(text, at)
            found.append(call)
            arrow = _ARROW.match(text, at)
            if arrow is None:
                break
            at = arrow.end()
    except ProgramSyntaxError:
        return ()
    return tuple(found) if not text[at:].strip() else ()


def _is_function(name: str) -> bool:
    return known_name(name) is not None or name in (BEGINS, ENDS)
