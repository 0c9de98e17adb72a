"""Values and numbers of a program as noun phrases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from compilers.kopl.functions import Kind, ValueType
from nlq_gateway.language.wording import english
from nlq_gateway.language.wording.attributes import qualified, value_of, value_text
from nlq_gateway.language.wording.english import words_of
from nlq_gateway.language.wording.phrases import MeasureWording, Phrase
from nlq_gateway.language.wording.writer import Writer


def _values(writer: Writer, at: int) -> MeasureWording:
    return MeasureWording(writer.attribute(at).noun, writer.phrase(writer.source(at)))


def _values_under(writer: Writer, at: int) -> MeasureWording:
    label = writer.lexicon.label(Kind.QUALIFIER, writer.argument(at, 1), writer.choice(at, 1))
    item = writer.item(at, 1, Kind.QUALIFIER)
    value = value_of(writer.argument(at, 2), None, item.value_types if item else ())
    tail = qualified(label, value, "=")
    return MeasureWording(writer.attribute(at).noun, writer.phrase(writer.source(at)), tail)


def _counted(writer: Writer, at: int) -> MeasureWording:
    phrase = writer.phrase(writer.source(at))
    return MeasureWording(words=f"the number of {phrase.name if phrase.is_plain_name else phrase.bare(True)}")


def _aggregate(*words: str) -> Callable[[Writer, int], MeasureWording]:
    def read(writer: Writer, at: int) -> MeasureWording:
        return MeasureWording(words=writer.measure(writer.source(at)).aggregated(writer.pick(words)))

    return read


def _different(writer: Writer, at: int) -> MeasureWording:
    values = writer.measure(writer.source(at))
    if values.owner is None:
        return MeasureWording(words=f"the number of different values of {values.words}")
    nouns = english.plural(values.noun)
    owner = values.owner.definite()
    return MeasureWording(words=f"the number of different {words_of(nouns, 'of', owner, values.tail)}")


_CALCULATED = {
    "+": "the sum of {first} and {second}",
    "-": "the difference between {first} and {second}",
    "*": "the product of {first} and {second}",
    "/": "the ratio of {first} to {second}",
}


def _calculated(writer: Writer, at: int) -> MeasureWording:
    first, second = writer.sources(at)
    one = writer.measure(first)
    shared = writer.shared(first, second)
    if shared is not None:
        many = writer.phrase(shared).many
        writer = writer.meaning(shared, Phrase(name="them", pronoun="their" if many else "its", many=many))
    other = writer.measure(second)
    operator = writer.argument(at, 0)
    if operator == "+" and one.parts:
        parts = (*one.parts, other.text())
        return MeasureWording(words=f"the sum of {english.listed(parts)}", parts=parts)
    parts = (one.text(), other.text()) if operator == "+" else ()
    return MeasureWording(
        words=_CALCULATED[operator].format(first=one.text(), second=other.text()), parts=parts
    )


def _stated(writer: Writer, at: int) -> MeasureWording:
    return MeasureWording(words=value_text(value_of(writer.argument(at, 0), ValueType.QUANTITY, ())))


def _rounded(writer: Writer, at: int) -> MeasureWording:
    decimals = int(writer.argument(at, 0))
    to = f"{english.number_word(decimals)} decimal{'s' * (decimals != 1)}" if decimals else "a whole number"
    return MeasureWording(words=f"{writer.measure(writer.source(at)).text()} rounded to {to}")


def _period(writer: Writer, at: int) -> MeasureWording:
    times, period = writer.measure(writer.source(at)), writer.argument(at, 0)
    if not times.noun:
        return MeasureWording(words=f"the {period} of {times.text()}")
    named = times.noun.removesuffix(" date")
    is_dated = named != times.noun
    noun = f"{named} {period}" if is_dated else f"{period} of {named.removeprefix('date of ')}"
    return replace(times, noun=noun)


MEASURES: Mapping[str, Callable[[Writer, int], MeasureWording]] = {
    "QueryAttr": _values,
    "QueryAttrUnderCondition": _values_under,
    "Count": _counted,
    "Sum": _aggregate("total"),
    "Average": _aggregate("average", "mean"),
    "Minimum": _aggregate("minimum", "lowest", "smallest"),
    "Maximum": _aggregate("maximum", "highest", "largest"),
    "CountValues": _different,
    "Calculate": _calculated,
    "Number": _stated,
    "Round": _rounded,
    "Period": _period,
}
