"""Questions for the qualifiers of facts, and these as noun phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from compilers.kopl.values import Value
from nlq_gateway.language.wording import english
from nlq_gateway.language.wording.attributes import WHEN, compared, qualifier_noun, value_of, value_text
from nlq_gateway.language.wording.english import sentence, words_of
from nlq_gateway.language.wording.phrases import Clause, MeasureWording, Phrase, inverted
from nlq_gateway.language.wording.sets import reading_at
from nlq_gateway.language.wording.writer import NoForm, Writer

_PLACE_WORDS = frozenset(["place", "location", "country", "region", "city"])
# A qualifier named with a preposition: for work, located in the region, located at street address.
_PLACED = re.compile(r"(?:located )?([a-z]+) (?:the )?(.+)")
_PLAINNESS = {"be": 1, "have": 2}


def _label(writer: Writer, at: int, place: int) -> str:
    return qualifier_noun(
        writer.lexicon.label(Kind.QUALIFIER, writer.argument(at, place), writer.choice(at, place))
    )


def _of_value(writer: Writer, at: int) -> MeasureWording:
    """The qualifier of a value as a noun phrase."""
    owner, attribute = writer.phrase(writer.source(at)), writer.attribute(at)
    label = _label(writer, at, 2)
    return MeasureWording(
        words=f"the {label} for the {attribute.noun} {value_text(_value(writer, at))} of {owner.definite()}"
    )


def _value(writer: Writer, at: int) -> Value:
    item = writer.item(at, 0, Kind.ATTRIBUTE)
    return value_of(writer.argument(at, 1), None, item.value_types if item else ())


def attribute_qualifier(writer: Writer, at: int) -> list[str]:
    """Questions for the qualifier of a value."""
    owner, attribute = writer.phrase(writer.source(at)), writer.attribute(at)
    value = _value(writer, at)
    label, text = _label(writer, at, 2), value_text(value)
    forms = [f"When was {owner.having(attribute.noun)} {text}?"] if label in WHEN else []
    if attribute.done and label.partition(" ")[0] in _PLACE_WORDS:
        clause = compared(attribute, value, "=")
        forms.append(sentence(f"where {inverted(clause, owner.definite(), owner.many, clause.rest)}"))
    forms.append(f"What is {_of_value(writer, at).words}?")
    forms.append(f"What is the {label} for {owner.definite()} having the {attribute.noun} {text}?")
    return forms


@dataclass(frozen=True, slots=True)
class _Said:
    """A fact of two as a sentence: who does what, and the relation's noun."""

    subject: Phrase
    clause: Clause
    noun: str


def _fact(writer: Writer, at: int) -> tuple[_Said, str]:
    """The fact of a step, by the verb that says most, and what its qualifier asks of the noun."""
    first, second = (writer.phrase(source) for source in writer.sources(at))
    reading = reading_at(writer, at)
    ways = ((reading.forward, first, second), (reading.backward, second, first))
    said = [
        _Said(subject, Clause(verb.verb, verb.link, target.definite(), verb.past), reading.noun)
        for verb, subject, target in ways
        if verb is not None
    ]
    if not said:
        raise NoForm
    best = min(said, key=lambda one: _PLAINNESS.get(one.clause.verb, 0))
    beside = f"{second.definite()} as {reading.noun} of {first.definite()}" if reading.noun else ""
    return best, beside


def _of_relation(writer: Writer, at: int) -> MeasureWording:
    """The qualifier of a relation as a noun phrase."""
    said, beside = _fact(writer, at)
    label = _label(writer, at, 1)
    return MeasureWording(words=f"the {label} of {beside}" if beside else f"the {label} for {_doing(said)}")


def _doing(said: _Said) -> str:
    return words_of(said.subject.definite(), english.gerund(said.clause.verb), said.clause.rest)


def relation_qualifier(writer: Writer, at: int) -> list[str]:
    """Questions for the qualifier of a relation of two."""
    said, _ = _fact(writer, at)
    label = _label(writer, at, 1)
    asked = inverted(said.clause, said.subject.definite(), said.subject.many, said.clause.rest)
    forms = _timed(label, said.clause, said.subject, asked)
    if (placed := _PLACED.fullmatch(label)) and placed[1] in english.PREPOSITIONS:
        forms.append(f"{placed[1].capitalize()} which {placed[2]} {asked}?")
    return [*forms, f"What is {_of_relation(writer, at).words}?", f"What is the {label} for {_doing(said)}?"]


def _timed(label: str, clause: Clause, subject: Phrase, asked: str) -> list[str]:
    who, starts = subject.definite(), clause.link.partition(" ")[0] in ("the", "a", "an")
    if label in WHEN:
        return [f"When {asked}?"]
    if label == "start time":
        return [f"When did {who} become {clause.rest}?" if starts else f"Since when {asked}?"]
    if label == "end time":
        stopped = f"When did {who} stop being {clause.rest}?"
        return [stopped if clause.verb == "be" else f"Until when {asked}?"]
    return []


QUALIFIERS: Mapping[str, Callable[[Writer, int], MeasureWording]] = {
    "QueryAttrQualifier": _of_value,
    "QueryRelationQualifier": _of_relation,
}
