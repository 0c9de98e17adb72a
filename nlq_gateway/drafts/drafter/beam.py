"""Beam search over the decisions that the grammar, the question and the graph's schema allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compilers.kopl.functions import SCHEMA_KINDS, Kind, Parameter, ValueType
from compilers.kopl.program import Program
from nlq_gateway.core.checkpoint import interruptible
from nlq_gateway.core.types import LiteralMention, SchemaItem
from nlq_gateway.drafts.drafter.catalogue import Catalogue, Chosen
from nlq_gateway.drafts.drafter.grammar import PartialProgram, wants_text
from nlq_gateway.drafts.drafter.members import Members
from nlq_gateway.drafts.drafter.network import DecisionScores, DrafterNetwork, Memory, log_softmax
from nlq_gateway.drafts.drafter.pieces import LONGEST_STRETCH, Pieces, Stretch, fits, value_text
from nlq_gateway.drafts.drafter.vocabulary import BEGIN, END, WORD_ID, WORDS, Action, Mode
from nlq_gateway.index.members import Classes, ImpossibleStepError
from nlq_gateway.neural import Array

# True if the question means the larger values of an attribute, in a comparison or not; None if that is open.
Orders = Callable[[SchemaItem, bool], bool | None]
WIDTH = 6
LEAST = -6.0
# A program so much less likely than the best, as a log-probability, says something else: the opposite, often.
FAR = 5.0


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A program or the beginning of one, with its log-probability and the targets of its arguments.

    `known` are the classes of the members of each step whose arguments tell them.
    """

    written: PartialProgram = field(default_factory=PartialProgram)
    score: float = 0.0
    decisions: int = 0
    first: int | None = None
    items: Chosen = field(default_factory=dict)
    stretches: dict[tuple[int, int], Stretch] = field(default_factory=dict)
    known: tuple[Classes, ...] = ()

    @property
    def program(self) -> Program:
        """The program written so far."""
        return Program(self.written.steps)

    @property
    def place(self) -> tuple[int, int]:
        """The step and argument that come next."""
        return len(self.written.steps) - 1, len(self.written.steps[-1].inputs)


class _Extension(NamedTuple):
    """A possible decision of a hypothesis, with the program's log-probability after it."""

    score: float
    row: int
    action: Action


@dataclass(frozen=True)
class Search:
    """One question's search; `catalogue` has the items of the memory's shelf."""

    network: DrafterNetwork
    memory: Memory
    catalogue: Catalogue
    pieces: Pieces
    literals: Sequence[LiteralMention]
    members: Members
    orders: Orders
    may_rank: Callable[[SchemaItem], bool]

    def run(self, width: int = WIDTH) -> tuple[Hypothesis, ...]:
        """The programs found, the likeliest first."""
        beam, inputs = [Hypothesis()], self.network.word_input(WORD_ID[BEGIN])[None]
        past, finished = self.network.past(), list[Hypothesis]()
        for _ in interruptible(range(self.network.longest)):
            scores, past = self.network.step(inputs, past, self.memory)
            least = finished[0].score - FAR if finished else -np.inf
            ways = sorted((way for way in self._ways(beam, scores) if way.score >= least), reverse=True)
            likely = list(islice(self._possible(beam, ways), 2 * width))
            finished += [one for one, way in likely[:width] if way.action == _TO_END]
            kept = [(one, way) for one, way in likely if way.action != _TO_END][:width]
            finished.sort(key=lambda one: -one.score)
            if not kept or _is_settled(finished, kept[0][0].score, width):
                break
            beam = [one for one, _ in kept]
            inputs = np.stack([self._input(way.action) for _, way in kept])
            past = past.of([way.row for _, way in kept])
        return tuple(one for one in finished[:width] if one.score >= finished[0].score - FAR)

    def _possible(
        self, beam: Sequence[Hypothesis], ways: Iterable[_Extension]
    ) -> Iterator[tuple[Hypothesis, _Extension]]:
        """Each hypothesis with one more decision, but for those that never find anything."""
        for way in ways:
            try:
                yield self._followed(self._after(beam[way.row], way)), way
            except ImpossibleStepError:
                continue

    def _followed(self, one: Hypothesis) -> Hypothesis:
        """The hypothesis with what is known of the last step's members.

        Raises:
            ImpossibleStepError: the step asks for what they never have.
        """
        steps, step = one.written.steps, len(one.written.steps) - 1
        if step < len(one.known) or not (steps[step].inputs or one.written.wanted is None):
            return one
        found: Classes | None
        if not steps[step].dependencies and (step, 0) in one.stretches:
            begin, last = one.stretches[step, 0]
            found = self.members.named((self.pieces.spans[begin][0], self.pieces.spans[last][1]))
        else:
            item = self.catalogue.items[one.items[step, 0]] if (step, 0) in one.items else None
            found = self.members.found(steps, item, one.known)
        return one if found is None else replace(one, known=(*one.known, found))

    def _ways(self, beam: Sequence[Hypothesis], scores: DecisionScores) -> Iterator[_Extension]:
        for row, one in enumerate(beam):
            mode, logs, allowed = self._choices(one, scores, row)
            for value in allowed:
                if logs[value] > LEAST:
                    yield _Extension(one.score + float(logs[value]), row, Action(mode, int(value)))

    def _choices(
        self, one: Hypothesis, scores: DecisionScores, row: int
    ) -> tuple[Mode, Array, Iterable[int]]:
        """The mode of the next decision, the log-probability of each choice, and the allowed choices."""
        wanted = one.written.wanted
        if wanted is None or not (wants_text(wanted) or wanted.kind in SCHEMA_KINDS):
            logs = scores.words[row]
            said = [WORD_ID[word] for word in self._said(one)]
            if said:
                return Mode.WORD, _among(logs, said), said
            likely = {WORDS[word] for word in np.flatnonzero(logs > LEAST)}
            return Mode.WORD, logs, (WORD_ID[word] for word in one.written.words(self._typed, likely))
        if one.first is not None:
            logs, places = scores.lasts[row], self._stretches(wanted)
            if places is None:
                return Mode.LAST, logs, self._ends(one.first)
            # The network may leave out the unit of a value, of which its first word is enough.
            lasts = list({last for first, last in places if first == one.first})
            return Mode.LAST, _among(logs, lasts), lasts
        if wants_text(wanted):
            return Mode.FIRST, scores.firsts[row], self._starts(wanted)
        logs = log_softmax(np.where(self.catalogue.fitting_kind(wanted), scores.items[row], np.float32(-1e4)))
        fitting = self.catalogue.fitting(wanted, one.written.steps, one.items, self._typed)
        if one.written.steps[-1].function in _RANKING and (fitting & self._rankable).any():
            fitting = fitting & self._rankable
            logs = _among(logs, np.flatnonzero(fitting).tolist())
        return Mode.ITEM, logs, np.flatnonzero(fitting & (logs > LEAST)).tolist()

    def _said(self, one: Hypothesis) -> list[str]:
        """The choices of the next argument in the order that the question says; [] where it says none."""
        wanted, steps = one.written.wanted, one.written.steps
        if wanted is None or not wanted.choices or steps[-1].function not in _ORDERING:
            return []
        compared = steps[-1].function == "FilterCompare"
        item = one.items.get((steps[-1].dependencies[0] if compared else len(steps) - 1, 0))
        more = None if item is None else self.orders(self.catalogue.items[item], compared)
        return [choice for choice in wanted.choices if _MORE.get(choice) == more is not None]

    def _starts(self, wanted: Parameter) -> Iterable[int]:
        places = self._stretches(wanted)
        return self.pieces.starts.values() if places is None else {first for first, _ in places}

    def _ends(self, first: int) -> Iterable[int]:
        return (token for token in self.pieces.ends.values() if first <= token < first + LONGEST_STRETCH)

    def _after(self, one: Hypothesis, way: _Extension) -> Hypothesis:
        """The hypothesis with one more decision."""
        mode, value = way.action.mode, way.action.value
        one = replace(one, score=way.score, decisions=one.decisions + 1)
        if mode == Mode.WORD:
            return replace(one, written=self._suited(one.written.after_word(WORDS[value]), one.items))
        if mode == Mode.FIRST:
            return replace(one, first=value)
        if mode == Mode.ITEM:
            item = self.catalogue.items[value]
            written = one.written.suited(one for one in item.value_types if one in self._typed)
            items = {**one.items, one.place: value}
            return replace(one, written=written.after_argument(item.label), items=items)
        stretch = one.first or 0, value
        written = one.written.after_argument(self._text(stretch, one.written.wanted))
        return replace(one, written=written, first=None, stretches={**one.stretches, one.place: stretch})

    def _suited(self, written: PartialProgram, items: Chosen) -> PartialProgram:
        """The program in which a new verdict is on values of the type that the attribute before it has."""
        step = written.steps[-1]
        if step.inputs or not step.function.startswith("Verify"):
            return written
        item = items.get((step.dependencies[0], 0))
        types = () if item is None else self.catalogue.items[item].value_types
        return written.suited(one for one in types if one in self._typed)

    def _input(self, action: Action) -> Array:
        """The decoder's input for a decision."""
        if action.mode == Mode.WORD:
            return self.network.word_input(action.value)
        if action.mode == Mode.ITEM:
            return self.network.item_input(self.memory, action.value)
        return self.network.pointed_input(self.memory, action.value, last=action.mode == Mode.LAST)

    @cached_property
    def _rankable(self) -> NDArray[np.bool_]:
        """A mask of the items by which the question may rank."""
        return np.fromiter(map(self.may_rank, self.catalogue.items), bool, len(self.catalogue.items))

    @cached_property
    def _typed(self) -> frozenset[ValueType]:
        return frozenset(one for one in _TYPED if self._places[one])

    @cached_property
    def _places(self) -> dict[ValueType, list[Stretch]]:
        """The stretches of the values in the question, by the types that they may have."""
        found = [(one, self.pieces.stretch(one.start, one.end)) for one in self.literals]
        return {
            value_type: [place for one, place in found if place is not None and fits(one, value_type)]
            for value_type in _TYPED
        }

    def _stretches(self, wanted: Parameter) -> list[Stretch] | None:
        """The stretches of values of the wanted type; None if any words may be the argument."""
        return self._places.get(wanted.value_type) if wanted.value_type else None

    def _text(self, stretch: Stretch, wanted: Parameter | None) -> str:
        """The text of the argument in the program."""
        if wanted is not None and wanted.kind == Kind.VALUE and wanted.value_type != ValueType.STRING:
            for literal in self.literals:
                if self.pieces.stretch(literal.start, literal.end) == stretch:
                    return value_text(literal, wanted.value_type)
        return self.pieces.words(*stretch)


_RANKING = frozenset({"SelectAmong", "SelectNth", "SelectTop"})
_ORDERING = _RANKING | {"FilterCompare"}
_MORE = {"largest": True, "smallest": False, ">": True, ">=": True, "<": False, "<=": False}
_TYPED = (ValueType.QUANTITY, ValueType.YEAR, ValueType.DATE)
_TO_END = Action(Mode.WORD, WORD_ID[END])


def _among(logs: Array, allowed: Sequence[int]) -> Array:
    """The log-probabilities if one of these choices is made: that it is the question or the graph decides."""
    total: np.float32 = np.logaddexp.reduce(logs[list(allowed)])
    return logs - total


def _is_settled(finished: Sequence[Hypothesis], best: float, width: int) -> bool:
    """True if no open hypothesis can enter the `width` likeliest programs."""
    return len(finished) >= width and finished[width - 1].score >= best
