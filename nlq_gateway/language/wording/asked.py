"""Questions for simple programs in other languages than English, from their `wording.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from compilers.kopl.program import Program
from nlq_gateway.index.introspect.units import without_unit
from nlq_gateway.language.detection import ENGLISH, usual_language
from nlq_gateway.language.tables import tables

_Own = Mapping[str, Any]


def speaks(tag: str) -> bool:
    """True if simple programs have words in a language."""
    return "asked" in tables().get(tag, {})


def language_asked(tags: Iterable[str]) -> str:
    """The language of questions over a graph with labels in these: its own if that has words, or English."""
    usual = usual_language(tags)
    return usual if speaks(usual) else ENGLISH


def question_in(tag: str, program: Program) -> str:
    """The question that a program answers; "" where the language has no words for it or for its names."""
    steps = program.steps
    names = [name for step in steps for name in step.inputs]
    match tuple(step.function for step in steps):
        case "FindAll", "FilterConcept", "Count" | "What" as last:
            return _said(tag, "count" if last == "Count" else "list", thing=names[0])
        case "FindAll", "FilterConcept", "SelectAmong":
            return _said(tag, "most", thing=names[0], measure=names[1], end=names[2])
        case "Find", "QueryAttr":
            return _said(tag, "value", name=names[0], measure=names[1])
        case "Find", "Relate", "What" if names[2] == "forward":
            form = _relation_form(tables()[tag], names[1])
            # "Was frisst Löwe?" lacks an article, of which people's names have none.
            plain = form == "verb" and " " not in names[0]
            return "" if plain else _said(tag, form, name=names[0], relation=names[1])
        case _:
            return ""


def _relation_form(own: _Own, name: str) -> str:
    """The key of the questions for a relation: its name is a noun, a verb, or "" for neither."""
    forms = {"verb": "verb", "noun": "related"}
    return next((forms[key] for key, form in own["relation_forms"].items() if re.fullmatch(form, name)), "")


def _said(tag: str, key: str, **names: str) -> str:
    """The first of a key's questions of which every word is known."""
    own, known = tables()[tag], dict(names)
    if "thing" in names:
        gender, known["things"] = _noun(tag, names["thing"])
        known["which"] = own.get("which", {}).get(gender, "")
    measured = names.get("measure") or names.get("relation")
    if "measure" in names:
        known["measure"] = measured = next(without_unit((names["measure"],)), names["measure"])
    if measured:
        gender, _ = _noun(tag, measured)
        known["the"] = own["the"].get(gender, "")
        known["many"] = measured if gender == "p" else ""
        known.setdefault("which", own.get("which", {}).get(gender, ""))
    if "end" in names:
        forms = own["most"][_measure_kind(own, str(measured))][names["end"]]
        known["most"] = forms.get(gender, "").format(measure=measured)
    for text in own["asked"].get(key, ()):
        if all(known.get(field) for field in re.findall(r"\{(\w+)\}", text)):
            return _contracted(own, text.format_map(known))
    return ""


def _measure_kind(own: _Own, measure: str) -> str:
    """The kind of a measure by the ending of its noun, which decides the words for more and less."""
    head = measure.lower().partition(" ")[0]
    kinds = (kind for kind, endings in own["measures"].items() if head.endswith(tuple(endings.split())))
    return next(kinds, "plain")


def _contracted(own: _Own, text: str) -> str:
    for form, contracted in own.get("contractions", {}).items():
        text = re.sub(form, contracted, text)
    return text


def _noun(tag: str, text: str) -> tuple[str, str]:
    """The gender and the plural of a noun, "" where they are not known."""
    own, (head, _, rest) = tables()[tag], text.partition(" ")
    if rest and rest.split()[0] not in own["noun_links"].split():
        return "", ""
    lower = head.lower()
    ending = max((one for one in _endings(tag) if lower.endswith(one)), key=len, default="")
    if not ending:
        return "", ""
    gender, plural = _endings(tag)[ending]
    many = head[: len(head) - len(ending)] + plural
    many = many[:1].upper() + many[1:] if head[:1].isupper() else many
    return gender, f"{many} {rest}".strip()


@cache
def _endings(tag: str) -> Mapping[str, tuple[str, str]]:
    """The gender and the plural's ending of nouns with an ending."""
    found: Mapping[str, str] = tables()[tag]["nouns_by_gender"]
    pairs = ((gender, pair.partition("/")) for gender, text in found.items() for pair in text.split())
    return {ending: (gender, plural) for gender, (ending, _, plural) in pairs}
