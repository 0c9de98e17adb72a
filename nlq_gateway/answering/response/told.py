"""The names and values that a text about an answer may contain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from compilers.answers import Answer, AnswerValue
from compilers.kopl.functions import Type
from compilers.kopl.program import Program
from nlq_gateway.answering.response.mentions import Sort, keys_of, mentions_of, places_of, stem
from nlq_gateway.answering.response.values import rounded
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.trace import StepTrace

# So many letters in common make two words forms of one: direct, director, directed.
ALIKE = 4


@dataclass(frozen=True)
class Told:
    """The names and values that a text may contain; `truncated` if the graph has more answers than these.

    `language` is the tag of the language that the text is to be in. Of a table that has rows and columns, it
    speaks of the first row alone, and of how many there are.
    """

    question: str
    program: Program
    answer: Answer
    steps: tuple[StepTrace, ...] = ()
    truncated: bool = False
    language: str = ENGLISH

    @cached_property
    def is_table(self) -> bool:
        """True if one must see what belongs to what."""
        rows = self.answer.rows
        return self.answer.output == Type.ROWS and len(rows) > 1 and len(rows[0]) > 1

    @cached_property
    def values(self) -> tuple[AnswerValue, ...]:
        """The answers as sentences have them, and of rows all cells."""
        rows = self.answer.rows[:1] if self.is_table else self.answer.rows
        cells = (cell for row in rows for cell in row if cell is not None)
        found = map(rounded, cells if self.answer.output == Type.ROWS else self.answer.values)
        return tuple({str(value): value for value in found}.values())

    @cached_property
    def phrases(self) -> frozenset[tuple[str, ...]]:
        """The keys of every text that may be named as a whole."""
        inputs = (text for step in self.program.steps for text in step.inputs)
        values = map(str, (*self.values, *self.answer.evidence))
        return frozenset(keys for text in (*inputs, *values) if (keys := keys_of(text)))

    @cached_property
    def sources(self) -> frozenset[tuple[str, ...]]:
        """The same, and the question, parts of which may be named, too."""
        return self.phrases | {keys_of(self.question)}

    def states(self, keys: Sequence[str]) -> bool:
        """True if one of the sources has these keys in this order."""
        return any(any(places_of(keys, source)) for source in self.sources)

    @cached_property
    def figures(self) -> frozenset[str]:
        """The keys of the numbers and dates that may be stated, and the years of the dates."""
        inputs = (text for step in self.program.steps for text in step.inputs)
        values = (str(v) for v in (*self.values, *map(rounded, self.answer.evidence)) if v.type != "iri")
        counts = (str(step.count) for step in self.steps if step.count is not None)
        texts = " ; ".join((self.question, *inputs, *values, *counts))
        found = [m for m in mentions_of(texts) if m.sort != Sort.WORD]
        years = {m.key.split("-")[0] for m in found if m.sort == Sort.DATE}
        return frozenset({m.key for m in found} | years | self.totals | {"1"})

    @cached_property
    def totals(self) -> frozenset[str]:
        """The number of answers; for a table the number of rows, too."""
        if self.is_table:
            return frozenset({str(len(self.answer.rows))})
        return frozenset({str(len(self.values)), str(len(self.answer.rows) or len(self.values))})

    @cached_property
    def roots(self) -> frozenset[str]:
        """The stems of the words of all sources, cut to ALIKE letters."""
        return frozenset(stem(word)[:ALIKE] for source in self.sources for word in source)

    @cached_property
    def plain_words(self) -> frozenset[str]:
        """The stems of words that are written small: a sentence that begins with one names nothing."""
        texts = (self.question, *(text for step in self.program.steps for text in step.inputs))
        return frozenset(stem(m.key) for text in texts for m in mentions_of(text) if m.text.islower())

    @cached_property
    def small(self) -> bool:
        """True if an answer is written without capitals and digits, as any word is."""
        texts = (str(value) for value in self.values if value.type in ("iri", "literal"))
        return any(text.islower() and not any(letter.isdigit() for letter in text) for text in texts)
