"""Operators and directions as words, to the symbol or word that the parameter has (SymKGQA, 3.3 and A.4)."""

from __future__ import annotations

import re

from compilers.kopl.functions import Kind, Parameter
from compilers.kopl.program import Program
from compilers.kopl.repair.base import Change, Fix, TypesOf, arguments, with_argument

# The meaning of each word. Words of age are left out: "older" is more or less by the attribute.
_SAID: dict[str, frozenset[str]] = {
    said: frozenset(words.split())
    for said, words in {
        "more": """> more greater larger bigger higher longer taller over above after later exceeds
            exceeding beyond gt since increase greaterthan morethan heavier""",
        "most": """most largest biggest greatest highest longest tallest latest top upper maximal desc
            descending argmax heaviest deepest""",
        "maximum": "max maximum",
        "less": "< less fewer smaller lower shorter below under before earlier until lt lessthan lighter",
        "least": """least smallest lowest shortest earliest bottom minimal asc ascending argmin lightest
            fewest""",
        "minimum": "min minimum",
        "equal": "= == === is are was were eq equal equals exactly same in on",
        "unequal": "!= <> ≠ not isnt neq ne unequal differs different except",
        "at least": ">= ≥ => ge gte",
        "at most": "<= ≤ =< le lte",
    }.items()
}
_DIRECTED: dict[str, frozenset[str]] = {
    "forward": frozenset(
        """forward forwards fwd outgoing out outward outwards right to -> → object tail head_to_tail
        subject_to_object direct normal""".split()
    ),
    "backward": frozenset(
        """backward backwards back bwd incoming in inward inwards left from <- ← inverse inversed inv reverse
        reversed tail_to_head object_to_subject by""".split()
    ),
}
_PHRASES = {
    "at least": "at least", "not less": "at least", "no less": "at least", "not fewer": "at least",
    "or more": "at least", "minimum of": "at least", "greater or equal": "at least",
    "at most": "at most", "not more": "at most", "no more": "at most", "or less": "at most",
    "up to": "at most", "maximum of": "at most", "less or equal": "at most",
    "not equal": "unequal", "other": "unequal", "different from": "unequal",
}  # fmt: skip
_FILLERS = re.compile(r"\b(?:is|are|was|were|be|the|than|to|of|a|an)\b")
# The parameter's choices for each meaning, in order of preference.
_CHOICES = {
    "more": (">", "greater", "largest", "descending"),
    "most": ("largest", "greater", "descending"),
    "maximum": ("<=", "largest", "greater", "descending"),
    "less": ("<", "less", "smallest", "ascending"),
    "least": ("smallest", "less", "ascending"),
    "minimum": (">=", "smallest", "less", "ascending"),
    "at least": (">=", "greater"),
    "at most": ("<=", "less"),
    "equal": ("=",),
    "unequal": ("!=",),
    "forward": ("forward",),
    "backward": ("backward",),
}
_LONGEST = 40


def choice_of(text: str, parameter: Parameter) -> str | None:
    """The one of the parameter's choices that a text means, or None."""
    if text in parameter.choices:
        return text
    said = said_by(text, parameter)
    return next((one for one in _CHOICES.get(said or "", ()) if one in parameter.choices), None)


def said_by(text: str, parameter: Parameter) -> str | None:
    """The meaning of a text in place of a parameter's choice: a key of `_CHOICES`."""
    plain = " ".join(text.strip(" \"'`.()").lower().replace("_", " ").split())
    if not plain or len(plain) > _LONGEST:
        return None
    forms = (plain, plain.replace(" ", "_"), " ".join(_FILLERS.sub(" ", plain).split()))
    directed = parameter.kind == Kind.DIRECTION
    phrases = () if directed else _PHRASES.items()
    known = next(
        (said for phrase, said in phrases if any(f" {phrase} " in f" {form} " for form in forms)), None
    )
    table = _DIRECTED if directed else _SAID
    return known or next((said for said, words in table.items() if not words.isdisjoint(forms)), None)


def _worded(program: Program, index: int, _: TypesOf | None) -> Change | None:
    step = program.steps[index]
    for at, parameter, text in arguments(step):
        if not parameter.choices or text in parameter.choices:
            continue
        meant = choice_of(text, parameter)
        if meant is not None:
            return with_argument(program, index, at, meant, f"{text!r} is written {meant} here")
    return None


WORDS: tuple[Fix, ...] = (_worded,)
