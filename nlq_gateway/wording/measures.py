"""Values and numbers of a program as noun phrases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compilers.kopl.functions import Kind
from nlq_gateway.wording import english
from nlq_gateway.wording.attributes import qualified, value_of
from nlq_gateway.wording.english import words_of
from nlq_gateway.wording.phrases import Phrase

if TYPE_CHECKING:
    from nlq_gateway.wording.writer import Writer


@dataclass(frozen=True, slots=True)
class Measure:
    """What has a value or is a number.

    `noun` belongs to `owner`, as population to Germany; `words` say it all where nothing owns it. `parts` are
    what is added up.
    """

    noun: str = ""
    owner: Phrase | None = None
    tail: str = ""
    words: str = ""
    parts: tuple[str, ...] = ()

    @property
    def many(self) -> bool:
        """Whether these are values of several things."""
        return self.owner is not None and self.owner.many

    @property
    def name(self) -> str:
        """What it is called without its owner, singular."""
        return self.noun or self.words

    def text(self) -> str:
        """The whole phrase: the population of Germany in 2010."""
        if self.owner is None:
            return self.words
        noun = english.plural(self.noun) if self.many and not self.owner.pronoun else self.noun
        return words_of(self.owner.having(noun), self.tail)

    def aggregated(self, word: str) -> str:
        """The phrase of a number taken over the values: the average age of the singers."""
        if self.owner is None:
            return f"the {word} of {self.words}"
        return words_of(self.owner.having(f"{word} {self.noun}"), self.tail)


def _values(writer: Writer, at: int) -> Measure:
    source = writer.source(at)
    return Measure(writer.attribute(at).noun, writer.phrase(source))


def _values_under(writer: Writer, at: int) -> Measure:
    source = writer.source(at)
    label = writer.lexicon.label(Kind.QUALIFIER, writer.argument(at, 1), writer.choice(at, 1))
    item = writer.item(at, 1, Kind.QUALIFIER)
    value = value_of(writer.argument(at, 2), None, item.value_types if item else ())
    tail = qualified(label, value, "=")
    return Measure(writer.attribute(at).noun, writer.phrase(source), tail)


def _counted(writer: Writer, at: int) -> Measure:
    phrase = writer.phrase(writer.source(at))
    return Measure(words=f"the number of {phrase.name if phrase.is_plain_name else phrase.bare(True)}")


def _aggregate(*words: str) -> Callable[[Writer, int], Measure]:
    def read(writer: Writer, at: int) -> Measure:
        return Measure(words=writer.measure(writer.source(at)).aggregated(writer.pick(words)))

    return read


def _different(writer: Writer, at: int) -> Measure:
    values = writer.measure(writer.source(at))
    if values.owner is None:
        return Measure(words=f"the number of different values of {values.words}")
    nouns = english.plural(values.noun)
    owner = values.owner.definite()
    return Measure(words=f"the number of different {words_of(nouns, 'of', owner, values.tail)}")


_CALCULATED = {
    "+": "the sum of {first} and {second}",
    "-": "the difference between {first} and {second}",
    "*": "the product of {first} and {second}",
    "/": "the ratio of {first} to {second}",
}


def _calculated(writer: Writer, at: int) -> Measure:
    first, second = writer.sources(at)
    one = writer.measure(first)
    shared = writer.shared(first, second)
    if shared is not None:
        many = writer.phrase(shared).many
        writer = writer.meaning(shared, Phrase(name="them", pronoun="their" if many else "its", many=many))
    other = writer.measure(second)
    operator = writer.argument(at, 0)
    form = _CALCULATED[operator]
    if operator == "+" and one.parts:
        parts = (*one.parts, other.text())
        return Measure(words=f"the sum of {english.listed(parts)}", parts=parts)
    parts = (one.text(), other.text()) if operator == "+" else ()
    return Measure(words=form.format(first=one.text(), second=other.text()), parts=parts)


MEASURES: Mapping[str, Callable[[Writer, int], Measure]] = {
    "QueryAttr": _values,
    "QueryAttrUnderCondition": _values_under,
    "Count": _counted,
    "Sum": _aggregate("total"),
    "Average": _aggregate("average", "mean"),
    "Minimum": _aggregate("minimum", "lowest", "smallest"),
    "Maximum": _aggregate("maximum", "highest", "largest"),
    "CountValues": _different,
    "Calculate": _calculated,
}
