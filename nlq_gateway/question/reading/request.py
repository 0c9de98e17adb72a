"""The frame of a question: what is asked of a set, by what it is grouped, ordered and cut.

A shallow reading, made once: cue phrases divide the question into parts, each with a role. What the
parts mean in a graph is decided where a set is at hand (`columns`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from nlq_gateway.language import lexicon, tables
from nlq_gateway.question.reading import cues
from nlq_gateway.question.reading.cues import Cue, Role
from nlq_gateway.question.reading.formulas import Formula, formulas_of
from nlq_gateway.question.reading.ranking import Ranking, ranking_of
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.words import read_once

NOTHING: frozenset[int] = frozenset()
_LISTED = frozenset(["and"])
_LIST_ENDS = tables.words("list_ends")
_WHOLE = 0.9


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """Words with one role: `cue` are those that say so, `context` those of whose they are.

    `says` are the numbers asked over them with the words for each, `different` the words for each once.
    """

    role: Role
    words: frozenset[int] = NOTHING
    cue: frozenset[int] = NOTHING
    context: frozenset[int] = NOTHING
    says: tuple[tuple[str, frozenset[int]], ...] = ()
    different: frozenset[int] = NOTHING


@dataclass(frozen=True, slots=True)
class QuestionRequest:
    """The request of a question, in parts."""

    asked: tuple[QuestionPart, ...] = ()
    groups: tuple[QuestionPart, ...] = ()
    order: QuestionPart | None = None
    descending: bool | None = None
    aged: bool = False
    ranking: Ranking | None = None
    different: frozenset[int] = NOTHING
    formulas: tuple[Formula, ...] = ()

    @property
    def numbers(self) -> tuple[QuestionPart, ...]:
        """The parts that ask for a number over something."""
        return tuple(part for part in self.asked if part.says)


@read_once
def request_of(reading: QuestionReading) -> QuestionRequest:
    """Return the frame of a question."""
    return _RequestReader(reading).read()


@dataclass
class _RequestReader:
    """Goes through the words once, closing a part wherever a cue or a comma ends it."""

    reading: QuestionReading
    parts: list[QuestionPart] = field(default_factory=list)
    current: QuestionPart = field(default_factory=lambda: QuestionPart(Role.CONDITION))
    directions: list[Cue] = field(default_factory=list)
    ordered: frozenset[int] = NOTHING
    in_context: bool = False
    contexts: int = 0
    formulas: tuple[Formula, ...] = ()

    def read(self) -> QuestionRequest:
        lowers = self.reading.lowers
        self.formulas = formulas_of(self.reading)
        position = 0
        while position < len(lowers):
            formula = next((one for one in self.formulas if position in one.words), None)
            if formula is not None:
                self._calculated(formula)
                position = max(formula.words) + 1
                continue
            if position and self.reading.mark_before(position):
                self._next(self._after_break())
            cue = None if position in self.reading.named else self._cue_at(position)
            if cue is not None:
                self._take(cue, position)
                position += len(cue.words)
            else:
                self._word(position)
                position += 1
        self._close()
        return self._request()

    def _calculated(self, formula: Formula) -> None:
        """Begin a part for a formula, if the formula is asked for and no other part has begun."""
        if formula.is_asked:
            if self.current.role != Role.ASK or self._content(self.current.words):
                self._next(Role.ASK)
            self.current = replace(self.current, words=formula.words)

    def _cue_at(self, position: int) -> Cue | None:
        for found in cues.cues_at(self.reading.lowers, position):
            if found.words[0] in lexicon.PER and self._is_in_name(position):
                continue
            if found.role == Role.NUMBER and self._ends_name(found, position):
                continue
            if len(found.words) > 1 or self._is_in_place(found, position):
                return found
        return None

    def _is_in_place(self, cue: Cue, position: int) -> bool:
        """True if a command begins a sentence: elsewhere "name" and "list" are nouns."""
        if cue.role != Role.ASK or cue.words[0] in lexicon.CHOICE_WORDS:
            return True
        return self.reading.commands(position)

    def _is_in_name(self, position: int) -> bool:
        """True if a name of the schema is said across a word: "miles per gallon" groups nothing."""
        return self.reading.spans(position - 1, position + 1)

    def _ends_name(self, cue: Cue, position: int) -> bool:
        """True if a noun that could count ends a name: "the premium amount of policies"."""
        in_part = position - 1 in self.current.words
        return cue.words[0] in lexicon.COUNTING and in_part and self.reading.spans(position - 1, position)

    def _after_break(self) -> Role:
        """A list goes on after a comma; what stands behind a group or an opening condition is asked."""
        return Role.ASK if self.current.role in (Role.ASK, Role.GROUP) else self.current.role

    def _word(self, position: int) -> None:
        if self.reading.lowers[position] in _LISTED and not self._goes_on(position):
            before = self.current
            self._next(before.role)
            if before.role == Role.GROUP:
                self.current = replace(self.current, cue=before.cue)
        elif self.in_context:
            more = {position} if not self.contexts else NOTHING
            self.current = replace(self.current, context=self.current.context | more)
        else:
            if self.current.role == Role.GROUP and self._is_possessed(position):
                self._next(Role.ASK)
            self.current = replace(self.current, words=self.current.words | {position})

    def _is_possessed(self, position: int) -> bool:
        """True if a word belongs to the one before it: "every student's name"."""
        tokens, text = self.reading.tokens, self.reading.links.question.text
        return position > 0 and text[tokens[position - 1].end :].startswith(("'s", "’s"))

    def _goes_on(self, position: int) -> bool:
        """True if a list of names goes on: "from New York and Indiana"."""
        return self.in_context and position + 1 in self.reading.named

    def _take(self, cue: Cue, position: int) -> None:
        words = frozenset(range(position, position + len(cue.words)))
        match cue.role:
            case Role.ASK | Role.GROUP | Role.ORDER:
                self._next(cue.role)
                self.current = replace(self.current, cue=words)
                if cue.role == Role.ORDER:
                    self.ordered |= words
                if cue.says:
                    self.directions.append(cue)
            case Role.NUMBER:
                self._number(cue, words)
            case Role.DIFFERENT:
                self.current = replace(self.current, different=words)
            case Role.DIRECTION:
                self.directions.append(cue)
                self.ordered |= words
            case Role.SET if cue.words[0] in lexicon.BY and self._names_value(position):
                self._next(Role.GROUP)
                self.current = replace(self.current, cue=words)
            case Role.SET:
                self._of(words)
            case Role.CONDITION if self._is_said():
                self._next(Role.GROUP if self._is_any(position) else Role.CONDITION)

    def _is_any(self, position: int) -> bool:
        """True if a number is asked for any one of a kind: "the total that a customer paid"."""
        following = self.reading.lowers[position + 1 : position + 2]
        relative = self.reading.lowers[position] in ("that", "which") and following in (("a",), ("an",))
        return bool(self.current.says) and relative and self.reading.names_kind(position + 2, _WHOLE)

    def _is_said(self) -> bool:
        """True if a verb ends a part: behind "which" alone it begins what the members are like."""
        alone = any(self.reading.lowers[token] == "which" for token in self.current.cue)
        return self.current.role != Role.ASK or alone or self._content(self.current.words)

    def _number(self, cue: Cue, words: frozenset[int]) -> None:
        inside = len(cue.words) == 1 and self._content(self.current.words)
        if inside or self.current.role == Role.ORDER or (self.current.role == Role.CONDITION and self.parts):
            self.current = replace(self.current, words=self.current.words | words)
            return
        if self.current.role != Role.ASK or self._content(self.current.words):
            self._next(Role.ASK)
        self.current = replace(self.current, says=self._said(cue, words))

    def _said(self, cue: Cue, words: frozenset[int]) -> tuple[tuple[str, frozenset[int]], ...]:
        """The numbers asked so far and this one; "average number of" and "number of total" are one."""
        says = self.current.says
        if says and max(says[-1][1]) + 1 == min(words) and cues.COUNT in (cue.says, says[-1][0]):
            return (*says[:-1], (says[-1][0], says[-1][1] | words))
        return (*says, (cue.says, words))

    def _of(self, words: frozenset[int]) -> None:
        """Begin the context of the part asked for; "of" or "in" at the start begins a condition."""
        said = self._content(self.current.words)
        opening = self.current.role == Role.CONDITION and not self.parts and min(words) == 0
        if self.current.role == Role.ASK and said:
            self.in_context = True
            self.contexts += bool(self._content(self.current.context))
        elif opening or (self.current.role == Role.GROUP and said):
            self._next(Role.CONDITION)

    def _names_value(self, position: int) -> bool:
        """True if "by" is followed by what rows are for: "premiums by policy number", "by region and year".

        Behind a verb only the whole name of an attribute says so: "written by authors" tells by whom.
        """
        if self.current.role == Role.ORDER or self._is_of_value(position):
            return False
        if self.current.says and not lexicon.PERIODS.keys().isdisjoint(
            self.reading.lowers[position + 1 :][:2]
        ):
            return True
        if self.current.role == Role.ASK and self.reading.names_attribute(position + 1):
            return True
        if any(self.reading.names_attribute(item, _WHOLE) for item in self._items(position + 1)):
            return True
        after_noun = self.reading.names_kind(position - 1, _WHOLE)
        return bool(self.current.says) and after_noun and self.reading.names_kind(position + 1, _WHOLE)

    def _is_of_value(self, position: int) -> bool:
        """True if a value follows: "by agent id 31" is a condition."""
        return not self.reading.named.isdisjoint(range(position + 1, position + 4))

    def _items(self, begin: int) -> Iterator[int]:
        """Yield the positions at which the parts of a list begin."""
        first = True
        for position in range(begin, len(self.reading.lowers)):
            word = self.reading.lowers[position]
            if self.reading.mark_before(position) not in ("", ",") or word in _LIST_ENDS:
                return
            first = first or self.reading.mark_before(position) == ","
            if first and self.reading.weights[position] > 0:
                yield position
            first = first and not self.reading.weights[position] > 0
            first = first or word in _LISTED

    def _content(self, words: frozenset[int]) -> bool:
        return any(self.reading.weights[token] > 0 for token in words)

    def _next(self, role: Role) -> None:
        """Begin a part; a number without words waits for those of the next."""
        bare = not self._content(self.current.words) and role == Role.ASK
        # "The count and the name": the counted thing was named before.
        waiting = tuple(said for said in self.current.says if bare and said[0] != cues.COUNT)
        different = self.current.different if waiting else NOTHING
        self._close()
        self.current = QuestionPart(role, says=waiting, different=different)
        self.in_context = False
        self.contexts = 0

    def _close(self) -> None:
        if self._content(self.current.words) or (self.current.role != Role.ASK and self.current.cue):
            self.parts.append(self.current)
        elif self.current.different and self.parts:
            self.parts[-1] = replace(self.parts[-1], different=self.current.different)

    def _request(self) -> QuestionRequest:
        order = next((part for part in self.parts if part.role == Role.ORDER), None)
        directions = [cue.says for cue in self.directions]
        descending = None
        if directions:
            descending = directions[0] in (cues.DESCENDING, "older")
        asked = _with_context(tuple(part for part in self.parts if part.role == Role.ASK))
        if order is not None or self.ordered:
            order = replace(
                order or QuestionPart(Role.ORDER), cue=self.ordered | (order.cue if order else NOTHING)
            )
        return QuestionRequest(
            asked=asked,
            groups=tuple(part for part in self.parts if part.role == Role.GROUP),
            order=order,
            descending=descending,
            aged=any(said in ("older", "younger") for said in directions),
            ranking=ranking_of(self.reading, order.cue if order else NOTHING),
            different=frozenset[int]().union(*(part.different for part in self.parts)),
            formulas=self.formulas,
        )


def _with_context(asked: tuple[QuestionPart, ...]) -> tuple[QuestionPart, ...]:
    """Return the parts with the context at the end of their list: "ids and names of documents"."""
    context, told = NOTHING, []
    for part in reversed(asked):
        context = part.context or context
        told.append(replace(part, context=context) if not part.says else part)
    return tuple(reversed(told))
