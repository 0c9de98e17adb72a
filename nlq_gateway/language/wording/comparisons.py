"""Questions which of some has more, and whether a value is as stated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.values import Quantity
from nlq_gateway.language.wording.attributes import (
    TIME_WORDS,
    AttributeWording,
    attribute_of,
    compared,
    property_of,
    value_of,
    value_text,
)
from nlq_gateway.language.wording.english import sentence, words_of
from nlq_gateway.language.wording.phrases import inverted
from nlq_gateway.language.wording.sets import attribute_words, superlative
from nlq_gateway.language.wording.writer import Writer

_COMMANDS = ("Show", "Give me", "Name")


def between(writer: Writer, at: int) -> list[str]:
    """Questions which of two has more."""
    first, second = (writer.phrase(source) for source in writer.sources(at))
    attribute = writer.attribute(at)
    greater = writer.argument(at, 1) == "greater"
    names = f"{first.definite()} or {second.definite()}"
    item = writer.item(at, 0, Kind.ATTRIBUTE)
    nouns = [phrase.head(False) for phrase in (first, second) if not phrase.is_plain_name]
    lexicon = writer.lexicon
    person = lexicon.is_person(*nouns) if nouns else lexicon.are_people(item, "domains")
    which = "Who" if person else "Which"
    forms = []
    adjective = attribute.degree(greater != writer.is_time(at), False)
    if attribute.happened and writer.is_time(at):
        order = "later" if greater else "earlier"
        forms.append(f"{which} {attribute.happened} {order}, {names}?")
    if adjective:
        forms.append(f"{which} is {adjective}, {names}?")
        forms.append(f"Is {first.definite()} or {second.definite()} {adjective}?")
    more = _comparative(writer, at, attribute, greater)
    forms += [f"{which} has {more}, {names}?", f"Which of {names.replace(' or ', ' and ', 1)} has {more}?"]
    return forms if names.count(" or ") == 1 else forms[:-1]


def _comparative(writer: Writer, at: int, attribute: AttributeWording, greater: bool) -> str:
    if attribute.counted:
        return f"{'more' if greater else 'fewer'} {attribute.counted}"
    if writer.is_time(at):
        return f"the {'later' if greater else 'earlier'} {attribute.noun}"
    size = writer.pick(("larger", "higher", "greater") if greater else ("smaller", "lower"))
    return f"the {size} {attribute.noun}"


def among(writer: Writer, at: int) -> list[str]:
    """Questions which of a set has the most."""
    phrase = writer.phrase(writer.source(at))
    attribute = writer.attribute(at)
    adjective = attribute.degree((writer.argument(at, 1) == "largest") != writer.is_time(at), True)
    most = attribute_words(writer, at)
    has = f"is the {adjective}" if adjective else f"has {most}"
    if phrase.name:
        return [f"Which {phrase.bare(False)} {has}?"]
    one = superlative(phrase, most, adjective, "", False)
    who = "Who" if phrase.person else "What"
    of_all = replace(phrase, many=True).definite()
    which = f"Which of {of_all}" if phrase.is_role else f"Which {phrase.bare(False)}"
    forms = [
        f"{who} is {one.definite()}?",
        f"{which} {has}?",
        sentence(f"{writer.pick(_COMMANDS)} {one.definite()}", "."),
    ]
    if attribute.happened and writer.is_time(at):
        order = "last" if writer.argument(at, 1) == "largest" else "first"
        forms.insert(1, f"{which} {attribute.happened} {order}?")
    if not adjective and not phrase.is_role:
        forms[:2] = forms[1::-1]
    return forms


_WORDS = {
    "=": "",
    "!=": "other than",
    "<": "less than",
    ">": "greater than",
    "<=": "at most",
    ">=": "at least",
}


def verify(value_type: ValueType) -> Callable[[Writer, int], list[str]]:
    """The questions whether a value is as stated."""

    def read(writer: Writer, at: int) -> list[str]:
        source = writer.source(at)
        measure = writer.measure(source)
        operator = "=" if value_type == ValueType.STRING else writer.argument(at, 1)
        value = value_of(writer.argument(at, 0), value_type, ())
        attribute = writer.attribute(source) if measure.owner else attribute_of("value")
        be = "Are" if measure.many else "Is"
        forms = []
        item = writer.item(source, 0, Kind.ATTRIBUTE) if measure.owner else None
        stated = property_of(item, writer.argument(at, 0))
        clause = stated or compared(attribute, value, operator)
        owner = measure.owner
        if owner is not None and (stated or clause.verb != "have"):
            rest = words_of(clause.rest, measure.tail)
            forms.append(sentence(inverted(clause, owner.definite(), owner.many, rest)))
        words = _WORDS[operator] if isinstance(value, Quantity) else TIME_WORDS.get(operator, _WORDS["!="])
        forms.append(f"{be} {words_of(measure.text(), words, value_text(value))}?")
        if owner is not None and clause.verb == "have" and not stated:
            rest = words_of(clause.rest, measure.tail)
            forms.append(sentence(inverted(clause, owner.definite(), owner.many, rest)))
        return forms

    return read
