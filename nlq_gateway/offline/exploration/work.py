"""Shared helpers of the forms of programs: the current set, and queries about its members."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from compilers.answers import AnswerValue
from compilers.kopl.functions import Kind
from nlq_gateway.language.wording import Wording
from nlq_gateway.offline.exploration.asking import Row, StoreAsker
from nlq_gateway.offline.exploration.literals import LONGEST, Pairs, WrittenValue, literal_of
from nlq_gateway.offline.exploration.schema import Idea, IdeaPart, Move, SchemaItems
from nlq_gateway.offline.exploration.sketch import LabelledIri, ProgramSketch

FARTHEST = 2_000


@dataclass(frozen=True, slots=True)
class Site:
    """A set that an idea has led to; `others` are the same walk from elsewhere."""

    sketch: ProgramSketch
    idea: Idea
    anchor: LabelledIri | None = None
    others: tuple[ProgramSketch, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """The store, the schema, the wording and the chance of one idea."""

    asker: StoreAsker
    schema: SchemaItems
    wording: Wording
    rng: Random

    def attribute(self, part: IdeaPart, position: int = 0) -> LabelledIri:
        """An attribute of a part, as an argument."""
        return self.schema.name(Kind.ATTRIBUTE, part.attributes[position])

    def relate(self, sketch: ProgramSketch, move: Move) -> ProgramSketch:
        """The sketch with a relation more."""
        return sketch.then("Relate", self.schema.name(Kind.RELATION, move.relation), move.direction)

    def window(self, sketch: ProgramSketch, columns: tuple[int, int], facts: int) -> tuple[Row, ...]:
        """Rows from somewhere in the middle, where there are that many."""
        offset = self.rng.randrange(max(1, min(facts - 1, FARTHEST)))
        rows = self.asker.rows(sketch, columns, offset=offset)
        return rows or (self.asker.rows(sketch, columns) if offset else ())

    def pairs(self, sketch: ProgramSketch, step: ProgramSketch) -> Pairs:
        """Members of a sketch's set with what a step more finds of them, in a fixed order."""
        rows = self.asker.rows(step, (sketch.end, step.end))
        found = [(row[0], row[1]) for row in rows if row[0] is not None and row[1] is not None]
        return sorted(found, key=lambda pair: (pair[0].value, str(pair[1]), pair[1].value))

    def values(self, sketch: ProgramSketch, attribute: LabelledIri) -> Pairs:
        """Members with a value of an attribute."""
        return self.pairs(sketch, sketch.then("QueryAttr", attribute))

    def linked(self, sketch: ProgramSketch, move: Move) -> Pairs:
        """Members with what a move leads to."""
        return self.pairs(sketch, self.relate(sketch, move))

    def literals(self, sketch: ProgramSketch) -> list[WrittenValue]:
        """The values that a program yields, in a fixed order."""
        answer = self.asker.answer(sketch)
        found = map(literal_of, answer.values) if answer is not None else ()
        return sorted({one for one in found if one is not None}, key=lambda one: one.text)

    def narrows(self, narrowed: ProgramSketch, whole: ProgramSketch) -> bool:
        """True if a condition keeps some members of a set and drops some."""
        left = self.asker.count(narrowed)
        return 0 < left < self.asker.count(whole)


def named(cell: AnswerValue | None) -> LabelledIri | None:
    """An entity of a row as an argument; None for what has no IRI, or no name that fits a question."""
    if cell is None or cell.type != "iri":
        return None
    label = str(cell)
    return (
        LabelledIri(cell.value, label)
        if label.strip() and len(label) <= LONGEST and "\n" not in label
        else None
    )


Build = Callable[[Work, Site, IdeaPart], Iterator[ProgramSketch]]
