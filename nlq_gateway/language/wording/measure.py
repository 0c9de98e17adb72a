"""A value or a number as a noun phrase."""

from __future__ import annotations

from dataclasses import dataclass

from nlq_gateway.language.wording import english
from nlq_gateway.language.wording.english import words_of
from nlq_gateway.language.wording.phrases import Phrase


@dataclass(frozen=True, slots=True)
class MeasureWording:
    """A value or a number in words.

    `noun` belongs to `owner`, as population to Germany; without an owner, `words` are the whole text. `parts`
    are the summands.
    """

    noun: str = ""
    owner: Phrase | None = None
    tail: str = ""
    words: str = ""
    parts: tuple[str, ...] = ()

    @property
    def many(self) -> bool:
        """True if these are values of several things."""
        return self.owner is not None and self.owner.many

    @property
    def name(self) -> str:
        """The noun without its owner, singular."""
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
