"""Clauses of English about sets: what a condition or an edge says, as it follows `that` or a noun.

A clause is a text with `{has|have}` and the like for verbs that agree; what follows `that` can also be
the predicate of a question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from nlq_gateway.wording.english import PREPOSITIONS, article, plural
from nlq_gateway.wording.phrases import finite
from nlq_gateway.wording.relations import Frame, readings_of
from training.kqapro.surfaces import commas, commas_and_units, day_first, month_first, units, without_scheme
from training.kqapro.trees import Call, Edge

EQUAL = (
    "whose {a} is {v}",
    "whose {a} is {v}",
    "whose {a} equals {v}",
    "with {a} {v}",
    "with the {a} {v}",
    "with {an_a} of {v}",
    "with {v} as {a}",
    "that {has} the {a} {v}",
    "that {has} {an_a} of {v}",
    "that {has} {v} as {a}",
    "having {a} {v}",
    "having {v} as the {a}",
)
EXACT = (*EQUAL, "whose {a} is exactly {v}", "whose {a} is equal to {v}", "with {an_a} of exactly {v}")
MORE = (
    "whose {a} is greater than {v}",
    "whose {a} is more than {v}",
    "whose {a} is larger than {v}",
    "whose {a} is higher than {v}",
    "whose {a} is above {v}",
    "whose {a} is over {v}",
    "whose {a} exceeds {v}",
    "with {an_a} of more than {v}",
    "with {an_a} greater than {v}",
    "with {an_a} above {v}",
    "with {an_a} over {v}",
    "that {has} {an_a} of over {v}",
    "that {has} {an_a} larger than {v}",
    "that {has} {an_a} higher than {v}",
)
LESS = (
    "whose {a} is less than {v}",
    "whose {a} is smaller than {v}",
    "whose {a} is lower than {v}",
    "whose {a} is below {v}",
    "whose {a} is under {v}",
    "whose {a} does not reach {v}",
    "with {an_a} of less than {v}",
    "with {an_a} smaller than {v}",
    "with {an_a} below {v}",
    "with {an_a} under {v}",
    "that {has} {an_a} of under {v}",
    "that {has} {an_a} lower than {v}",
    "that {has} {an_a} of fewer than {v}",
)
OTHER = (
    "whose {a} is not {v}",
    "whose {a} isn't {v}",
    "whose {a} is not equal to {v}",
    "whose {a} is different from {v}",
    "whose {a} is not exactly {v}",
    "with {an_a} other than {v}",
    "with {an_a} not equal to {v}",
    "with {an_a} different from {v}",
    "that {has} {an_a} other than {v}",
    "that {has} {an_a} not equal to {v}",
)
IN_TIME = {
    "=": (
        "whose {a} is {v}",
        "whose {a} is {at}{v}",
        "with {a} {v}",
        "with the {a} {v}",
        "that {has} {a} {v}",
    ),
    ">": ("whose {a} is after {v}", "whose {a} is later than {v}", "with {an_a} after {v}"),
    "<": ("whose {a} is before {v}", "whose {a} is earlier than {v}", "with {an_a} before {v}"),
    "!=": ("whose {a} is not {v}", "whose {a} is not {at}{v}", "with {an_a} other than {v}"),
}
_PLACES = {"=": ("{at}",), ">": ("after ", "later than "), "<": ("before ", "earlier than ", "prior to ")}
_PLACES["!="] = ("not {at}",)
_EVENTS = {
    "date of birth": ("born", "that {was} born"),
    "date of death": ("that died", "deceased"),
    "inception": ("founded", "established", "that {was} founded", "created", "formed"),
    "publication date": (
        "published",
        "released",
        "that {was} published",
        "that {was} released",
        "that came out",
    ),
    "dissolved, abolished or demolished": ("dissolved", "that {was} abolished", "demolished"),
    "date of official opening": ("opened", "that {was} officially opened"),
    "first flight": ("first flown", "that first flew"),
    "start time": ("that started", "that began", "starting"),
    "end time": ("that ended", "ending"),
    "time of discovery or invention": ("discovered", "that {was} discovered", "invented"),
    "work period (start)": ("that started working", "active since"),
    "date of first performance": ("first performed", "that {was} first performed"),
}
_COUNTED = {
    "=": ("with {v} {n}", "that {has} {v} {n}", "that {has} exactly {v} {n}"),
    ">": ("with more than {v} {n}", "that {has} over {v} {n}", "that {has} more than {v} {n}"),
    "<": ("with fewer than {v} {n}", "that {has} less than {v} {n}", "with under {v} {n}"),
    "!=": ("that {has} a number of {n} other than {v}", "that do not have {v} {n}"),
}
_THINGS = {
    "employees": "employees",
    "students count": "students",
    "units sold": "units sold",
    "population": "people",
}
_WITH = (
    "whose {r} is {o}",
    "with {o} as {r}",
    "with the {r} {o}",
    "that {{has|have}} {o} as {r}",
    "that {{has|have}} the {r} {o}",
)
_THAT_IS = (
    "that {{is|are}} the {r} of {o}",
    "that {{is|are}} the {r} of {o}",
    "that {{is|are}} {o}'s {r}",
    "that {o} has as {r}",
    "which {{is|are}} the {r} of {o}",
)
_QUALIFIED = (
    " ({q} {v})",
    " (the {q} of this statement is {v})",
    " (the {q} is {v})",
    " with {q} {v}",
    ", {q} {v}",
)
_WHEN = {
    ("point in time", "="): (" {at}{v}", " as of {v}"),
    ("start time", "="): (" since {v}", " from {v} on", " starting {at}{v}"),
    ("end time", "="): (" until {v}", " up to {v}", " ending {at}{v}"),
    ("point in time", "<"): (" before {v}",),
    ("point in time", ">"): (" after {v}",),
    ("start time", ">"): (" starting after {v}",),
    ("start time", "<"): (" starting before {v}",),
    ("end time", "<"): (" ending before {v}",),
    ("end time", ">"): (" ending after {v}",),
}
_COMPARED = {
    "<": ("less than", "below", "before"),
    ">": ("more than", "above", "after"),
    "!=": ("not", "other than"),
}


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
        """A value as people write it: mostly as it is, some with commas, plural units, months.

        Args:
            text: the value.
            kind: how the functions over its type end, as `Num`.
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
            a=label, an_a=f"{article(label)} {label}", v=said, at=at, n=_THINGS.get(label, noun), **_VERBS
        )

    def qualifier(self, call: Call) -> str:
        """What a qualifier filter adds behind a clause, with the blank before it."""
        label, value, operator = (*call.inputs, "=")[:3]
        at = "on " if call.function.endswith("Date") else "in "
        said = self.value(value, call.function.removeprefix("QFilter"))
        if (label, operator) in _WHEN and self.random.random() < 0.7:
            return self.pick(_WHEN[label, operator]).format(v=said, at=at)
        if operator in _COMPARED:
            words = _COMPARED[operator]
            said = f"{words[-1] if operator != '!=' and at and 'time' in label else words[0]} {said}"
        return self.pick(_QUALIFIED).format(q=label, v=said)

    def edge(self, edge: Edge, other: str) -> str:
        """The clause of an edge to the set that `other` describes."""
        framed, noun = self._framed(edge, other), edge.relation
        words = noun.lower().split()
        if framed and (words[-1] in PREPOSITIONS or self.random.random() < 0.45):
            return framed
        if edge.direction == "backward":
            return self.pick(_WITH).format(r=noun, o=other)
        return self.pick(_THAT_IS).format(r=noun, o=other)

    def _framed(self, edge: Edge, other: str) -> str:
        reading = self.random.choice(readings_of(edge.relation))
        frame = reading.forward if edge.direction == "backward" else reading.backward
        return f"that {_verb(frame)} {frame.link} {other}".replace("  ", " ") if frame else ""

    def _ways(self, label: str, operator: str, kind: str) -> tuple[str, ...]:
        if kind in ("Year", "Date"):
            if label in _EVENTS and self.random.random() < 0.6:
                places = self.pick(_PLACES[operator])
                return tuple(f"{event} {places}{{v}}" for event in _EVENTS[label])
            return IN_TIME[operator]
        counted = label.startswith("number of ") or label in _THINGS
        if counted and kind == "Num" and self.random.random() < 0.5:
            return _COUNTED[operator]
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
