"""Beam search over the decisions that the grammar, the question and the graph's schema allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compilers.kopl.functions import RANKING, SCHEMA_KINDS, Kind, Parameter, ValueType
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
from nlq_gateway.question.reading.orders import comparison_of, may_rank, takes_more
from nlq_gateway.question.reading.reading import QuestionReading

WIDTH = 6
LEAST = -6.0
# A program so much less likely than the best, as a log-probability, says something else: the opposite, often.
FAR = 5.0
# Of 38 questions whose likeliest program was less likely, two had a right one among the drafts.
LEAST_IN_ALL = -14.0


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
    reading: QuestionReading

    def run(self, width: int = WIDTH) -> tuple[Hypothesis, ...]:
        """The programs found, the likeliest first."""
        beam, inputs = [Hypothesis()], self.network.word_input(WORD_ID[BEGIN])[None]
        past, finished = self.network.past(), list[Hypothesis]()
        for _ in interruptible(range(self.network.longest)):
            scores, past = self.network.step(inputs, past, self.memory)
            least = max(LEAST_IN_ALL, finished[0].score - FAR) if finished else LEAST_IN_ALL
            ways = sorted((way for way in self._ways(beam, scores) if way.score >= least), reverse=True)
            ended, kept = _parted(islice(self._possible(beam, ways), 2 * width), width)
            finished = sorted([*finished, *ended], key=lambda one: -one.score)
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
            return Mode.WORD, *self._words(one, scores.words[row])
        if one.first is not None:
            return Mode.LAST, *self._ends(one, wanted, one.first, scores.lasts[row])
        if wants_text(wanted):
            return Mode.FIRST, scores.firsts[row], self._starts(one, wanted)
        return Mode.ITEM, *self._items(one, wanted, scores.items[row])

    def _words(self, one: Hypothesis, logs: Array) -> tuple[Array, Iterable[int]]:
        said = [WORD_ID[word] for word in self._said(one)]
        if said:
            return _among(logs, said), said
        likely = {WORDS[word] for word in np.flatnonzero(logs > LEAST)}
        return logs, (WORD_ID[word] for word in one.written.words(self._typed, likely))

    def _said(self, one: Hypothesis) -> list[str]:
        """The choices of the next argument that the question says; [] where it says none."""
        wanted, steps = one.written.wanted, one.written.steps
        if wanted is None or not wanted.choices:
            return []
        at = len(steps) - 1
        compared = steps[at].function == "FilterCompare"
        item = one.items.get((steps[at].dependencies[0] if compared else at, 0))
        if item is not None and (compared or steps[at].function in RANKING):
            more = takes_more(self.reading, self.catalogue.items[item], compared)
            return [] if more is None else [choice for choice in wanted.choices if choice in _ORDERED[more]]
        sign = self._sign(one, None if item is None else self.catalogue.items[item])
        return [choice for choice in wanted.choices if choice == sign]

    def _sign(self, one: Hypothesis, item: SchemaItem | None) -> str | None:
        """The sign that the question says before the value that the last step compares."""
        at = len(one.written.steps) - 1
        stretch = one.stretches.get((at, 0 if item is None else 1))
        literal = self._literal(stretch) if stretch is not None else None
        is_amount = one.written.steps[at].function not in _OF_TIMES if item is None else item.is_amount
        return None if literal is None else comparison_of(self.reading, literal, is_amount)

    def _items(self, one: Hypothesis, wanted: Parameter, scores: Array) -> tuple[Array, Iterable[int]]:
        logs = log_softmax(np.where(self.catalogue.fitting_kind(wanted), scores, np.float32(-1e4)))
        fitting = self.catalogue.fitting(wanted, one.written.steps, one.items, self._typed)
        if one.written.steps[-1].function in RANKING and (fitting & self._rankable).any():
            fitting = fitting & self._rankable
            logs = _among(logs, np.flatnonzero(fitting).tolist())
        return logs, np.flatnonzero(fitting & (logs > LEAST)).tolist()

    def _starts(self, one: Hypothesis, wanted: Parameter) -> Iterable[int]:
        places = self._stretches(one, wanted)
        return self.pieces.starts.values() if places is None else {first for first, _ in places}

    def _ends(
        self, one: Hypothesis, wanted: Parameter, first: int, logs: Array
    ) -> tuple[Array, Iterable[int]]:
        places = self._stretches(one, wanted)
        if places is None:
            ends = self.pieces.ends.values()
            return logs, (token for token in ends if first <= token < first + LONGEST_STRETCH)
        # The network may leave out the unit of a value, of which its first word is enough.
        lasts = list({last for begin, last in places if begin == first})
        return _among(logs, lasts), lasts

    def _after(self, one: Hypothesis, way: _Extension) -> Hypothesis:
        """The hypothesis with one more decision."""
        mode, value = way.action.mode, way.action.value
        one = replace(one, score=way.score, decisions=one.decisions + 1)
        if mode == Mode.WORD:
            written = one.written.after_word(WORDS[value])
            return replace(one, written=self._suited(written, self._verified(written, one.items)))
        if mode == Mode.FIRST:
            return replace(one, first=value)
        if mode == Mode.ITEM:
            item = self.catalogue.items[value]
            items = {**one.items, one.place: value}
            return replace(
                one, written=self._suited(one.written, item).after_argument(item.label), items=items
            )
        stretch = one.first or 0, value
        written = one.written.after_argument(self._text(stretch, one.written.wanted))
        return replace(one, written=written, first=None, stretches={**one.stretches, one.place: stretch})

    def _verified(self, written: PartialProgram, items: Chosen) -> SchemaItem | None:
        """The attribute whose values a new verdict is on; None if the last step is no such verdict."""
        step = written.steps[-1]
        is_new = step.function.startswith("Verify") and not step.inputs
        item = items.get((step.dependencies[0], 0)) if is_new else None
        return None if item is None else self.catalogue.items[item]

    def _suited(self, written: PartialProgram, item: SchemaItem | None) -> PartialProgram:
        """The program whose last step compares values of a type that an item and the question have."""
        types = item.value_types if item is not None else ()
        return written.suited([one for one in types if one in self._typed])

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
        items = self.catalogue.items
        return np.fromiter((may_rank(self.reading, item) for item in items), bool, len(items))

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

    def _stretches(self, one: Hypothesis, wanted: Parameter) -> list[Stretch] | None:
        """The stretches of values of the wanted type; None if any words may be the argument.

        The number of a name that is found is no value: "is Floor 4 smaller".
        """
        places = self._places.get(wanted.value_type) if wanted.value_type else None
        if places is None:
            return None
        steps = one.written.steps
        names = [own for (step, _), own in one.stretches.items() if steps[step].function == "Find"]
        return [at for at in places if not any(at[0] <= own[1] and own[0] <= at[1] for own in names)]

    def _text(self, stretch: Stretch, wanted: Parameter | None) -> str:
        """The text of the argument in the program."""
        if wanted is not None and wanted.kind == Kind.VALUE and wanted.value_type != ValueType.STRING:
            literal = self._literal(stretch)
            if literal is not None:
                return value_text(literal, wanted.value_type)
        return self.pieces.words(*stretch)

    def _literal(self, stretch: Stretch) -> LiteralMention | None:
        """The value of the question at a stretch."""
        places = ((self.pieces.stretch(one.start, one.end), one) for one in self.literals)
        return next((one for place, one in places if place == stretch), None)


_OF_TIMES = frozenset({"VerifyYear", "VerifyDate"})
_ORDERED = {True: ("largest", ">", ">="), False: ("smallest", "<", "<=")}
_TYPED = (ValueType.QUANTITY, ValueType.YEAR, ValueType.DATE)
_TO_END = Action(Mode.WORD, WORD_ID[END])


def _among(logs: Array, allowed: list[int]) -> Array:
    """The log-probabilities if one of these choices is made: that it is the question or the graph decides."""
    total: np.float32 = np.logaddexp.reduce(logs[allowed])
    return logs - total


def _parted(
    likely: Iterable[tuple[Hypothesis, _Extension]], width: int
) -> tuple[list[Hypothesis], list[tuple[Hypothesis, _Extension]]]:
    """Those of the `width` likeliest that end, and the `width` likeliest that go on.

    No more are taken than that needs: each is followed through the graph first.
    """
    ended, kept = list[Hypothesis](), list[tuple[Hypothesis, _Extension]]()
    for place, (one, way) in enumerate(likely):
        if way.action != _TO_END:
            kept.append((one, way))
        elif place < width:
            ended.append(one)
        if len(kept) == width:
            break
    return ended, kept


def _is_settled(finished: Sequence[Hypothesis], best: float, width: int) -> bool:
    """True if no open hypothesis can enter the `width` likeliest programs."""
    return len(finished) >= width and finished[width - 1].score >= best
