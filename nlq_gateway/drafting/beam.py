"""Beam search over the decisions that the grammar, the question and the graph's schema allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from compilers.kopl.functions import Kind, Parameter, ValueType
from compilers.kopl.program import Program
from nlq_gateway.drafting.catalogue import Catalogue, Chosen
from nlq_gateway.drafting.grammar import Written, wants_text
from nlq_gateway.drafting.network import Memory, Network, log_softmax
from nlq_gateway.drafting.pieces import LONGEST_STRETCH, Pieces, Stretch, fits, value_text
from nlq_gateway.drafting.vocabulary import BEGIN, WORD_ID
from nlq_gateway.neural import Array
from nlq_gateway.types import LiteralMention

WIDTH = 6
LEAST = -6.0


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A program so far, with its log-probability and what its arguments point at."""

    written: Written = field(default_factory=Written)
    score: float = 0.0
    decisions: int = 0
    first: int | None = None
    items: Chosen = field(default_factory=dict)
    stretches: dict[tuple[int, int], Stretch] = field(default_factory=dict)

    @property
    def place(self) -> tuple[int, int]:
        """The step and argument that comes next."""
        return len(self.written.steps) - 1, len(self.written.steps[-1].inputs)


@dataclass(frozen=True, slots=True)
class Finished:
    """A program with its log-probability over all decisions, and what its arguments point at."""

    program: Program
    score: float
    decisions: int
    items: Chosen
    stretches: dict[tuple[int, int], Stretch]


@dataclass(frozen=True, slots=True)
class _Next:
    """A way to go on: the parent's row, the new hypothesis, and what the decoder takes for it."""

    row: int
    hypothesis: Hypothesis
    input: Array


@dataclass(frozen=True, slots=True)
class Search:
    """One question's search; `catalogue` has the items of the memory's shelf."""

    network: Network
    memory: Memory
    catalogue: Catalogue
    pieces: Pieces
    literals: Sequence[LiteralMention]

    def run(self, width: int = WIDTH) -> tuple[Finished, ...]:
        """The programs that are found, the likeliest first."""
        beam, inputs = [Hypothesis()], self.network.word_input(WORD_ID[BEGIN])[None]
        past, finished = self.network.past(), list[Finished]()
        for _ in range(self.network.longest):
            states, past = self.network.step(inputs, past, self.memory)
            ways = sorted(self._ways(beam, states), key=lambda way: -way.hypothesis.score)
            finished += [_finished(way.hypothesis) for way in ways[:width] if way.hypothesis.written.ended]
            kept = [way for way in ways if not way.hypothesis.written.ended][:width]
            finished.sort(key=lambda one: -one.score)
            if not kept or _is_settled(finished, kept[0].hypothesis, width):
                break
            beam = [way.hypothesis for way in kept]
            inputs = np.stack([way.input for way in kept])
            past = past.of([way.row for way in kept])
        return tuple(finished[:width])

    def _ways(self, beam: Sequence[Hypothesis], states: Array) -> Iterator[_Next]:
        words = self.network.words(states)
        firsts, lasts = self.network.firsts(states, self.memory), self.network.lasts(states, self.memory)
        items = self.network.item_scores(states, self.memory)
        for row, one in enumerate(beam):
            wanted = one.written.wanted
            if one.first is not None and wanted is not None:
                yield from self._last(row, one, wanted, lasts[row])
            elif wanted is None or not (wants_text(wanted) or wanted.kind in _ITEMS):
                yield from self._word(row, one, words[row])
            elif wants_text(wanted):
                yield from self._first(row, one, wanted, firsts[row])
            else:
                yield from self._item(row, one, wanted, items[row])

    def _word(self, row: int, one: Hypothesis, logs: Array) -> Iterator[_Next]:
        for word in one.written.words(self._typed()):
            number = WORD_ID[word]
            if logs[number] > LEAST:
                after = replace(_scored(one, logs[number]), written=one.written.after_word(word))
                yield _Next(row, after, self.network.word_input(number))

    def _first(self, row: int, one: Hypothesis, wanted: Parameter, logs: Array) -> Iterator[_Next]:
        typed = self._stretches(wanted)
        allowed = self.pieces.starts.values() if typed is None else {first for first, _ in typed}
        for token in allowed:
            if logs[token] > LEAST:
                after = replace(_scored(one, logs[token]), first=token)
                yield _Next(row, after, self.network.pointed_input(self.memory, token, last=False))

    def _last(self, row: int, one: Hypothesis, wanted: Parameter, logs: Array) -> Iterator[_Next]:
        typed, first = self._stretches(wanted), one.first or 0
        allowed = (
            self.pieces.ends.values() if typed is None else {last for begin, last in typed if begin == first}
        )
        for token in allowed:
            if first <= token < first + LONGEST_STRETCH and logs[token] > LEAST:
                text = self._text((first, token), wanted)
                after = replace(
                    _scored(one, logs[token]),
                    written=one.written.after_argument(text),
                    first=None,
                    stretches={**one.stretches, one.place: (first, token)},
                )
                yield _Next(row, after, self.network.pointed_input(self.memory, token, last=True))

    def _item(self, row: int, one: Hypothesis, wanted: Parameter, scores: Array) -> Iterator[_Next]:
        same_kind = self.catalogue.fitting_kind(wanted)
        fitting = self.catalogue.fitting(wanted, one.written.steps, one.items)
        if not fitting.any():
            return
        logs = log_softmax(np.where(same_kind, scores, np.float32(-1e4)))
        for item in np.flatnonzero(fitting & (logs > LEAST)):
            after = replace(
                _scored(one, logs[item]),
                written=one.written.after_argument(self.catalogue.items[item].label),
                items={**one.items, one.place: int(item)},
            )
            yield _Next(row, after, self.memory.shelf.inputs[item])

    def _typed(self) -> frozenset[ValueType]:
        types = (ValueType.QUANTITY, ValueType.YEAR, ValueType.DATE)
        return frozenset(t for t in types if any(fits(literal, t) for literal in self.literals))

    def _stretches(self, wanted: Parameter) -> list[Stretch] | None:
        """Where the question states values of the type that is wanted; None where any words will do."""
        value_type = wanted.value_type
        if value_type in (None, ValueType.STRING):
            return None
        places = (self.pieces.stretch(o.start, o.end) for o in self.literals if fits(o, value_type))
        return [place for place in places if place is not None]

    def _text(self, stretch: Stretch, wanted: Parameter) -> str:
        """The argument as the program states it."""
        if wanted.kind == Kind.VALUE and wanted.value_type != ValueType.STRING:
            for literal in self.literals:
                if self.pieces.stretch(literal.start, literal.end) == stretch:
                    return value_text(literal, wanted.value_type)
        return self.pieces.words(*stretch)


_ITEMS = (Kind.CONCEPT, Kind.RELATION, Kind.ATTRIBUTE, Kind.QUALIFIER)


def _scored(one: Hypothesis, log: float) -> Hypothesis:
    return replace(one, score=one.score + float(log), decisions=one.decisions + 1)


def _finished(one: Hypothesis) -> Finished:
    return Finished(Program(one.written.steps), one.score, one.decisions, one.items, one.stretches)


def _is_settled(finished: Sequence[Finished], best: Hypothesis, width: int) -> bool:
    """Whether nothing that is still open can come among the likeliest ones."""
    return len(finished) >= width and finished[width - 1].score >= best.score
