"""What a question asks for, by its words alone: closed lists of English, with the common German ones.

The reasoner reads questions more deeply, for its own programs; this is read of any question, and held against
programs of all sources.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Wanted(StrEnum):
    """What kind of answer a question asks for."""

    NUMBER = "number"
    TIME = "time"
    VERDICT = "verdict"
    PERSON = "person"
    THINGS = "things"


class Operator(StrEnum):
    """What a question does with things besides relating them."""

    EXTREME = "extreme"
    COMPARISON = "comparison"
    DENIAL = "denial"
    CHOICE = "choice"
    TOTAL = "total"
    GROUP = "group"


_NUMBER = r"\b(how many|(the|total|different) number of|number of|count( of)?|wie viele|anzahl)\b"
_VERDICT = r"^(is|are|was|were|do|does|did|has|have|had|can|could|will|would|ist|sind|war|waren|hat|haben)\b"
_TIME = r"\b(when|(what|which) (year|date|day|month)|since when|wann)\b"
_PERSON = r"\b(who|whom|whose|wer|wen|wem|wessen)\b"
_NO_SUPERLATIVE = "interest|forest|harvest|request|guest|test|quest|contest|west|rest|invest|protest|suggest"
_SUPERLATIVE = rf"(?!({_NO_SUPERLATIVE})\b)[a-zäöü]{{2,}}est(e|en|er|es)?"
_EXTREME = (
    rf"\b(most|least|first|last|best|worst|top|maximum|minimum|max|min|{_SUPERLATIVE}"
    r"|sorted|sort|order(ed)?|descending|ascending|alphabetical(ly)?|(larg|small|great|tall|long|short|high|low|old|young|bigg)er"
    r"|more|less|fewer|earlier|later|meisten|wenigsten)\b"
)
_COMPARISON = (
    r"\b(more|less|fewer|greater|larger|smaller|higher|lower|longer|shorter|older|younger|bigger|taller"
    r"|earlier|later|at least|at most|above|over|below|under|exceed(s|ing)?|beyond|before|after|since|prior"
    r"|between|until|than"
    r"|mehr|weniger|über|unter|vor|nach|isn't|aren't|not|except|other)\b|[<>]"
)
_DENIAL = (
    r"\b(not|no|never|neither|nor|without|except|excluding|cannot|other|another|besides|but not|else|also"
    r"|same"
    r"|\w+n['’]t|nicht|kein\w*|ohne)\b"
)
_CHOICE = r"\b(or|either|oder)\b"
_TOTAL = rf"\b(average|mean|sum|total|maximum|minimum|max|min|altogether|durchschnitt\w*|{_SUPERLATIVE})\b"
_GROUP = r"\b(each|every|per|for all|corresponding|jede\w*|pro)\b"

_OPERATORS = {
    Operator.EXTREME: _EXTREME,
    Operator.COMPARISON: _COMPARISON,
    Operator.DENIAL: _DENIAL,
    Operator.CHOICE: _CHOICE,
    Operator.TOTAL: _TOTAL,
    Operator.GROUP: _GROUP,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question wants, and the operators that its words speak of."""

    wanted: Wanted
    operators: frozenset[Operator]

    @classmethod
    def of(cls, text: str) -> Asked:
        """Read a question."""
        lower = text.lower().strip()
        return cls(_wanted(lower), frozenset(one for one, cue in _CUES.items() if cue.search(lower)))


_CUES = {operator: re.compile(pattern) for operator, pattern in _OPERATORS.items()}
_WANTED = (
    (Wanted.NUMBER, re.compile(_NUMBER)),
    (Wanted.VERDICT, re.compile(_VERDICT)),
    (Wanted.TIME, re.compile(_TIME)),
    (Wanted.PERSON, re.compile(_PERSON)),
)


def _wanted(lower: str) -> Wanted:
    return next((wanted for wanted, cue in _WANTED if cue.search(lower)), Wanted.THINGS)
