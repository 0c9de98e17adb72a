"""Wordings of a condition, an edge or a qualifier in English; `clauses` draws among them.

Places: `{a}` an attribute, `{an_a}` the same with its article, `{v}` a value, `{at}` in or on, `{n}` the
counted noun, `{r}` a relation, `{o}` the other set, `{q}` a qualifier; `{has}` etc. are verbs that agree.
"""

from __future__ import annotations

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
PLACES = {"=": ("{at}",), ">": ("after ", "later than "), "<": ("before ", "earlier than ", "prior to ")}
PLACES["!="] = ("not {at}",)
EVENTS = {
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
COUNTED = {
    "=": ("with {v} {n}", "that {has} {v} {n}", "that {has} exactly {v} {n}"),
    ">": ("with more than {v} {n}", "that {has} over {v} {n}", "that {has} more than {v} {n}"),
    "<": ("with fewer than {v} {n}", "that {has} less than {v} {n}", "with under {v} {n}"),
    "!=": ("that {has} a number of {n} other than {v}", "that do not have {v} {n}"),
}
THINGS = {
    "employees": "employees",
    "students count": "students",
    "units sold": "units sold",
    "population": "people",
}
WITH = (
    "whose {r} is {o}",
    "with {o} as {r}",
    "with the {r} {o}",
    "that {{has|have}} {o} as {r}",
    "that {{has|have}} the {r} {o}",
)
THAT_IS = (
    "that {{is|are}} the {r} of {o}",
    "that {{is|are}} the {r} of {o}",
    "that {{is|are}} {o}'s {r}",
    "that {o} has as {r}",
    "which {{is|are}} the {r} of {o}",
)
QUALIFIED = (
    " ({q} {v})",
    " (the {q} of this statement is {v})",
    " (the {q} is {v})",
    " with {q} {v}",
    ", {q} {v}",
)
WHEN = {
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
COMPARED = {
    "<": ("less than", "below", "before"),
    ">": ("more than", "above", "after"),
    "!=": ("not", "other than"),
}
