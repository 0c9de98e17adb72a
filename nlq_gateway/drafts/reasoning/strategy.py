"""The default strategy: needs no model, grows programs from what the question mentions.

A beam of partial programs is kept (BYOKG, section 3.3), scored by the weight of the question's words
that they explain less the cost of steps that nothing in the question speaks for. Growth ends when a round
brings nothing that comes near the best so far; finished programs of all sizes compete.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heapify, heappop, heapreplace

import numpy as np

from compilers.kopl.functions import Kind, Type
from compilers.kopl.program import Program
from compilers.kopl.values import String
from nlq_gateway.core.checkpoint import interruptible
from nlq_gateway.core.types import Draft, Links, LiteralMention
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.endings.each import kinds_of_each
from nlq_gateway.drafts.reasoning.endings.finish import choose, finish, finish_pairs
from nlq_gateway.drafts.reasoning.endings.tables import left_aside, tables
from nlq_gateway.drafts.reasoning.field import Clue, Field
from nlq_gateway.drafts.reasoning.sets.grow import begin, grow
from nlq_gateway.drafts.reasoning.sets.kinds import passed_over
from nlq_gateway.drafts.reasoning.sets.others import remarks_of
from nlq_gateway.drafts.reasoning.sets.pairs import Pair, combine
from nlq_gateway.drafts.reasoning.sets.paths import Joins
from nlq_gateway.drafts.reasoning.sets.reachable import checked
from nlq_gateway.drafts.reasoning.sketch import Sketch
from nlq_gateway.drafts.reasoning.surroundings import Surroundings
from nlq_gateway.drafts.reasoning.vocabulary import Vocabulary
from nlq_gateway.index import Index
from nlq_gateway.index.naming import NamingAttributes
from nlq_gateway.question.reading.reading import QuestionReading

NAME = "bottom-up"
# The programs of a round that grow further.
Prune = Callable[[Sequence[Program]], Set[Program]]
VARIANTS = 2
# The most steps of programs that are joined in pairs.
SHORT = 3
# Twice as many words as the longest question of the benchmarks has.
LONG = 100


@dataclass(frozen=True, slots=True)
class Breadth:
    """The bounds of the search: rounds of growth, programs kept per round, drafts returned.

    After `seconds`, the store is no longer asked for the results of programs.
    """

    rounds: int = 5
    beam: int = 16
    drafts: int = 24
    seconds: float = 1.0

    def for_words(self, number: int) -> Breadth:
        """The breadth for a question of so many words: a long one keeps half the programs of a round."""
        return self if number <= LONG else replace(self, beam=self.beam // 2)


@dataclass(frozen=True)
class BottomUp:
    """Drafts programs for linked questions over one index. Safe to share between threads."""

    index: Index
    surroundings: Surroundings
    breadth: Breadth = Breadth()

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The schema, prepared once."""
        return Vocabulary(self.index)

    @cached_property
    def joins(self) -> Joins:
        """The ways between concepts."""
        return Joins(self.vocabulary)

    @cached_property
    def naming(self) -> NamingAttributes:
        """The attributes that show members of concepts."""
        return NamingAttributes(self.index)

    def draft(self, reading: QuestionReading, prune: Prune | None = None) -> tuple[Draft, ...]:
        """The best programs, best first; none when no program uses all names and values of the question.

        `prune` may leave out what has grown after each round.
        """
        field = self._field(reading)
        kept = self._search(field, prune)
        finished = [done for done in _finished(field, kept) if not field.overlooks(done)]
        if kinds_of_each(field):
            finished = [done for done in finished if done.steps[-1].signature.output == Type.ROWS] or finished
        return _drafts(field, _best_first(field, finished), self.breadth.drafts)

    def _field(self, reading: QuestionReading) -> Field:
        """The input of the rules."""
        links = reading.links
        mentions = (*links.mentions[: w.MENTIONS], *links.others[: w.OTHER_MENTIONS])
        stated = [Clue(literal) for literal in links.literals[: w.CLUES]]
        clues = (*stated, *self._texts(links, reading)[: w.CLUES])
        return Field(
            reading,
            self.vocabulary,
            self.surroundings,
            mentions,
            clues,
            self._bridges(reading),
            self.joins,
            self.naming,
        )

    def _texts(self, links: Links, reading: QuestionReading) -> tuple[Clue, ...]:
        """Words of the question that are string values in the graph."""
        text, tokens = links.question.text, reading.tokens
        spans = {
            text[tokens[first].start : tokens[last].end]: (tokens[first].start, tokens[last].end)
            for first in range(len(tokens))
            for last in range(first, min(first + 6, len(tokens)))
            if any(reading.weights[i] > 0 for i in range(first, last + 1))
        }
        quoted = {
            str(literal.value): literal for literal in links.literals if isinstance(literal.value, String)
        }
        found: dict[LiteralMention, set[str]] = {}
        for mention in links.texts:
            for hit in mention.hits:
                literal = LiteralMention(mention.start, mention.end, mention.text, String(hit.value))
                found.setdefault(literal, set()).update(hit.predicates)
        for words, value, predicate in self.surroundings.holders((*spans, *quoted)):
            start, end = (quoted[words].start, quoted[words].end) if words in quoted else spans[words]
            literal = LiteralMention(start, end, words, String(value))
            found.setdefault(literal, set()).add(predicate)
        return tuple(Clue(literal, frozenset(predicates)) for literal, predicates in found.items())

    def _bridges(self, reading: QuestionReading) -> dict[str, float]:
        """The relations nearest to the question and to its prepositions, with their similarity.

        They may become steps that no single word speaks for.
        """
        nearest = self._nearest_relations([reading.links.question.text], w.BRIDGES)
        return {**nearest, **self._nearest_relations(reading.prepositions, w.PREPOSITION_BRIDGES)}

    def _nearest_relations(self, texts: Sequence[str], size: int) -> dict[str, float]:
        best: dict[str, float] = {}
        if not texts:
            return best
        scores = (self.index.schema_vectors @ self.index.encode(texts).T).max(axis=1)
        for row in np.argsort(-scores):
            item = self.index.schema[self.index.schema_texts[row][0]]
            if item.kind == Kind.RELATION:
                best.setdefault(item.iri, float(scores[row]))
            if len(best) >= size:
                break
        return best

    def _search(self, field: Field, prune: Prune | None) -> list[Sketch]:
        weights = field.reading.weights
        breadth = self.breadth.for_words(len(weights))
        begun = checked(field.surroundings, _best(list(begin(field)), weights, 2 * breadth.beam))
        frontier = [sketch for sketch in begun if not sketch.empty]
        known = [sketch for sketch in begun if sketch.empty]
        deadline = time.monotonic() + breadth.seconds
        best = _highest(frontier, weights)
        for _ in range(breadth.rounds):
            found = [sketch for sketch in known if not sketch.empty]
            grown = [new for sketch in interruptible(frontier) for new in grow(field, sketch)]
            paired = [
                new
                for number, one in enumerate(interruptible(frontier))
                for new in combine(field, one, (*found, *frontier[:number]))
            ]
            known += frontier
            frontier = _beam(grown + paired, weights, breadth.beam)
            if time.monotonic() < deadline:
                frontier = checked(field.surroundings, frontier)
            known += [sketch for sketch in frontier if sketch.empty]
            pruning = time.monotonic()
            frontier = _pruned([sketch for sketch in frontier if not sketch.empty], prune)
            deadline += time.monotonic() - pruning
            reached = _highest(frontier, weights)
            if reached < best - w.PATIENCE:
                break
            best = max(best, reached)
        return known + frontier


def _finished(field: Field, kept: Sequence[Sketch]) -> Iterator[Sketch]:
    """Yield the complete programs: the endings of each program, or of two short ones joined."""
    aside = left_aside(field)
    telling = [sketch for sketch in kept if field.tells_names(sketch)]
    chosen = [one for one in choose(field, kept) if not field.overlooks(one)]
    if chosen:
        yield from chosen
        return
    for sketch in interruptible(telling):
        yield from finish(field, sketch._replace(cost=sketch.cost + aside))
        yield from tables(field, sketch)
    yield from finish_pairs(field, [sketch for sketch in kept if len(sketch.steps) <= SHORT])


def _best_first(field: Field, finished: Sequence[Sketch]) -> Iterator[Sketch]:
    """The finished programs with the price of what they pass over, best first.

    That is worked out for those that come up alone: without it a program is worth no less.
    """
    weights = field.reading.weights
    queue = [
        (-sketch.value(weights), len(sketch.steps), number, False, sketch)
        for number, sketch in enumerate(finished)
    ]
    heapify(queue)
    while queue:
        _, length, number, is_priced, sketch = queue[0]
        if is_priced:
            heappop(queue)
            yield sketch
        else:
            priced = sketch._replace(cost=sketch.cost + passed_over(field, sketch))
            heapreplace(queue, (-priced.value(weights), length, number, True, priced))


def _beam(sketches: Sequence[Sketch | Pair], weights: tuple[float, ...], size: int) -> list[Sketch]:
    """The best programs; those that start from a name keep places of their own.

    Without that, sets that nothing narrows crowd out the one that a name leads to in a few steps.
    """
    named = [sketch for sketch in sketches if sketch.names_entity]
    others = [sketch for sketch in sketches if not sketch.names_entity]
    return _best(named, weights, size if not others else size * 2 // 3) + _best(
        others, weights, size if not named else size // 3
    )


def _pruned(sketches: list[Sketch], prune: Prune | None) -> list[Sketch]:
    """The sketches whose programs stay."""
    if prune is None:
        return sketches
    kept = prune(tuple(dict.fromkeys(sketch.program for sketch in sketches)))
    return [sketch for sketch in sketches if sketch.program in kept]


def _highest(sketches: Sequence[Sketch], weights: tuple[float, ...]) -> float:
    return max((sketch.value(weights) for sketch in sketches), default=-math.inf)


def _best(sketches: Sequence[Sketch | Pair], weights: tuple[float, ...], size: int) -> list[Sketch]:
    """The `size` best programs; of one program at most `VARIANTS` readings, which differ in their words."""
    ranked = sorted(sketches, key=lambda sketch: -sketch.value(weights))
    kept: dict[object, Sketch] = {}
    variants: Counter[object] = Counter()
    for one in ranked:
        sketch = one.sketch if isinstance(one, Pair) else one
        if (sketch.steps, sketch.arguments) in kept or variants[sketch.steps] == VARIANTS:
            continue
        kept[sketch.steps, sketch.arguments] = sketch
        variants[sketch.steps] += 1
        if len(kept) >= size:
            break
    return list(kept.values())


def _drafts(field: Field, finished: Iterable[Sketch], size: int) -> tuple[Draft, ...]:
    weights = field.reading.weights
    total = sum(weights) or 1.0
    drafts: dict[object, Draft] = {}
    for sketch in finished:
        choices = {(a.step, a.argument): a.iris for a in sketch.arguments if a.iris}
        key = (sketch.steps, tuple(sorted(choices.items())))
        if key in drafts:
            continue
        explained = sum(weights[token] * degree for token, degree in sketch.explained.items())
        drafts[key] = Draft(
            program=sketch.program,
            source=NAME,
            score=sketch.value(weights),
            parts={"explained": explained / total, "cost": sketch.cost},
            mentions={(a.step, a.argument): a.mention for a in sketch.arguments if a.mention},
            choices=choices,
            remarks=remarks_of(sketch),
            empty=sketch.empty and sketch.steps[-1].function != "Exists",
        )
        if len(drafts) >= size:
            break
    return tuple(drafts.values())
