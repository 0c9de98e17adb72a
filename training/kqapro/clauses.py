"""English clauses about sets: a condition or an edge as it follows `that` or a noun.

A clause is a text with `{has|have}` and the like for verbs that agree; the part after `that` can also be
the predicate of a question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from nlq_gateway.language.wording.english import PREPOSITIONS, article, plural
from nlq_gateway.language.wording.phrases import finite
from nlq_gateway.language.wording.relations import Frame, readings_of
from training.kqapro.clause_phrasings import (
    COMPARED,
    COUNTED,
    EQUAL,
    EVENTS,
    EXACT,
    IN_TIME,
    LESS,
    MORE,
    OTHER,
    PLACES,
    QUALIFIED,
    THAT_IS,
    THINGS,
    WHEN,
    WITH,
)
from training.kqapro.surfaces import commas, commas_and_units, day_first, month_first, units, without_scheme
from training.kqapro.trees import Call, Edge

_VERBS = {"has": "{has|have}", "is": "{is|are}", "was": "{was|were}"}
_AGREEING = re.compile(r"\{(\w+)\|(\w+)\}")


@dataclass(frozen=True, slots=True)
class English:
    """Draws among the ways of saying a thing."""

    random: Random

    def pick(self, ways: tuple[str, ...]) -> str:
        """One of the ways."""
        return self.random.choice(ways)

    def value(self, text: str, kind: str) -> str:
        """A value in a human spelling: mostly unchanged, some with commas, plural units, months.

        Args:
            text: the value.
            kind: the ending of the functions over its type, as `Num`.
        """
        ways = [text, text, text, without_scheme(text)]
        if kind == "Num":
            ways += [commas(text), units(text), units(text), commas_and_units(text)]
        if self.random.random() < 0.3:
            ways += [month_first(text), day_first(text)]
        return self.random.choice([way for way in ways if way])

    def condition(self, call: Call) -> str:
        """The clause of a filter on an attribute."""
        label, value, operator = (*call.inputs, "=")[:3]
        kind = call.function.removeprefix("Filter")
        at = "in " if kind == "Year" else "on " if kind == "Date" else ""
        way = self.pick(self._ways(label, operator, kind))
        noun = label.removeprefix("number of ")
        said = self.value(value, kind)
        return way.format(
            a=label, an_a=f"{article(label)} {label}", v=said, at=at, n=THINGS.get(label, noun), **_VERBS
        )

    def qualifier(self, call: Call) -> str:
        """The words of a qualifier filter after a clause, with the blank before them."""
        label, value, operator = (*call.inputs, "=")[:3]
        at = "on " if call.function.endswith("Date") else "in "
        said = self.value(value, call.function.removeprefix("QFilter"))
        if (label, operator) in WHEN and self.random.random() < 0.7:
            return self.pick(WHEN[label, operator]).format(v=said, at=at)
        if operator in COMPARED:
            words = COMPARED[operator]
            said = f"{words[-1] if operator != '!=' and at and 'time' in label else words[0]} {said}"
        return self.pick(QUALIFIED).format(q=label, v=said)

    def edge(self, edge: Edge, other: str) -> str:
        """The clause of an edge to the set that `other` describes."""
        framed, noun = self._framed(edge, other), edge.relation
        words = noun.lower().split()
        if framed and (words[-1] in PREPOSITIONS or self.random.random() < 0.45):
            return framed
        if edge.direction == "backward":
            return self.pick(WITH).format(r=noun, o=other)
        return self.pick(THAT_IS).format(r=noun, o=other)

    def _framed(self, edge: Edge, other: str) -> str:
        reading = self.random.choice(readings_of(edge.relation))
        frame = reading.forward if edge.direction == "backward" else reading.backward
        return f"that {_verb(frame)} {frame.link} {other}".replace("  ", " ") if frame else ""

    def _ways(self, label: str, operator: str, kind: str) -> tuple[str, ...]:
        if kind in ("Year", "Date"):
            if label in EVENTS and self.random.random() < 0.6:
                places = self.pick(PLACES[operator])
                return tuple(f"{event} {places}{{v}}" for event in EVENTS[label])
            return IN_TIME[operator]
        counted = label.startswith("number of ") or label in THINGS
        if counted and kind == "Num" and self.random.random() < 0.5:
            return COUNTED[operator]
        return {"=": EXACT if kind == "Num" else EQUAL, ">": MORE, "<": LESS, "!=": OTHER}[operator]


def agreed(clause: str, is_many: bool) -> str:
    """The clause with its verbs in the singular or the plural."""
    return _AGREEING.sub(lambda found: found.group(2 if is_many else 1), clause)


def _verb(frame: Frame) -> str:
    one, several = (finite(frame.verb, is_many, frame.past) for is_many in (False, True))
    return f"{{{one}|{several}}}"


def heads(concept: str, is_many: bool, random: Random) -> str:
    """The noun for a concept; humans are persons too."""
    noun = random.choice(("person", "human", "person")) if concept == "human" else concept
    return plural(noun) if is_many else noun
