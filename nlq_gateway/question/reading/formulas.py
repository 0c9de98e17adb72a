"""Formulas in questions: "the sum of A, B and C", "X divided by Y", "where loss is A plus B".

A formula is asked for where it stands, or it defines a name used elsewhere in the question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from nlq_gateway.index.text import fold, stem_word
from nlq_gateway.language import lexicon, tables
from nlq_gateway.question.reading import cues
from nlq_gateway.question.reading.cues import Role
from nlq_gateway.question.reading.reading import QuestionReading

# Words before a list of operands, and the word before its last operand.
_LISTS = tuple((tuple(text.split()), *means) for text, means in tables.rows("formula_lists").items())
_INFIXES = tuple(tables.phrases_by("formula_infixes"))
_IS, _NAMING, _ENDS = map(tables.words, ("formula_verbs", "formula_names", "formula_ends"))
_NUMBERS = tuple(cue for cue in cues.CUES.values() if cue.role == Role.NUMBER)
_BEGIN = tables.words("formula_openers")


@dataclass(frozen=True, slots=True)
class FormulaOperand:
    """An operand; `function` is an aggregate of it, named by the words of `cue`, or "" for its values."""

    words: frozenset[int]
    function: str = ""
    cue: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Formula:
    """One operator between operands; `name` is what the question calls it, all words of both are `words`."""

    operator: str
    operands: tuple[FormulaOperand, ...]
    words: frozenset[int]
    name: frozenset[int] = frozenset()
    is_asked: bool = False

    def names(self, reading: QuestionReading, words: frozenset[int]) -> bool:
        """True if words elsewhere, or its own where it is asked itself, are its name.

        Words for a number over it do not count: "average loss" names what "loss" is said to be.
        """
        if self.is_asked:
            return bool(words) and words <= self.words
        own = _stems(reading, self.name)
        return bool(own) and own == _stems(reading, words)


def formulas_of(reading: QuestionReading) -> tuple[Formula, ...]:
    """The formulas of a question in their order; of those that share words the first."""
    found: list[Formula] = []
    taken: frozenset[int] = frozenset()
    for formula in sorted((*_lists(reading), *_infixes(reading)), key=lambda one: min(one.words)):
        if not formula.words & taken:
            found.append(formula)
            taken |= formula.words
    return tuple(found)


def _lists(reading: QuestionReading) -> Iterator[Formula]:
    lowers = reading.lowers
    for at in range(len(lowers)):
        for words, operator, link in _LISTS:
            if lowers[at : at + len(words)] != words:
                continue
            begin = at + len(words)
            parts = _parts(reading, begin, link)
            if len(parts) > 1 and (operator in "+*" or len(parts) == 2):
                body = range(at, max(parts[-1]) + 1)
                yield _named(reading, Formula(operator, _operands(reading, parts), frozenset(body)))


def _infixes(reading: QuestionReading) -> Iterator[Formula]:
    lowers = reading.lowers
    for at in range(1, len(lowers)):
        for words, operator in _INFIXES:
            if lowers[at : at + len(words)] != words:
                continue
            left = _before(reading, at)
            right = next(iter(_parts(reading, at + len(words), "")), ())
            if left and right:
                body = frozenset(range(min(left), max(right) + 1))
                yield _named(reading, Formula(operator, _operands(reading, (left, right)), body))


def _parts(reading: QuestionReading, begin: int, link: str) -> tuple[tuple[int, ...], ...]:
    """The parts of a list from a word on, up to what cannot belong to it."""
    parts: list[tuple[int, ...]] = [()]
    for at in range(begin, len(reading.lowers)):
        word = reading.lowers[at]
        apart = at > begin and reading.mark_before(at)
        if apart and (apart != "," or not link):
            break
        if word in _ENDS or (word == "and" and (not link or _names_formula(reading, at))):
            break
        if apart or (link and word == link):
            parts.append(())
        if word != link and word not in lexicon.ARTICLES:
            parts[-1] = (*parts[-1], at)
    return tuple(part for part in parts if part)


def _names_formula(reading: QuestionReading, at: int) -> bool:
    """True if another definition begins: "and loss ratio is ..."."""
    return any(word in _IS for word in reading.lowers[at + 2 : at + 5])


def _before(reading: QuestionReading, at: int) -> tuple[int, ...]:
    """The words before an operator, back to what begins them."""
    first = at
    while first and not (reading.lowers[first - 1] in _IS | _BEGIN or reading.mark_before(first)):
        first -= 1
    return tuple(i for i in range(first, at) if reading.lowers[i] not in lexicon.ARTICLES)


def _operands(reading: QuestionReading, parts: tuple[tuple[int, ...], ...]) -> tuple[FormulaOperand, ...]:
    return tuple(_operand(reading, part) for part in parts)


def _operand(reading: QuestionReading, part: tuple[int, ...]) -> FormulaOperand:
    words = tuple(reading.lowers[at] for at in part)
    known = [cue for cue in _NUMBERS if words[: len(cue.words)] == cue.words and len(cue.words) < len(words)]
    if not known:
        return FormulaOperand(frozenset(part))
    cue = max(known, key=lambda one: len(one.words))
    return FormulaOperand(frozenset(part[len(cue.words) :]), cue.says, frozenset(part[: len(cue.words)]))


def _named(reading: QuestionReading, formula: Formula) -> Formula:
    """Return the formula with the name that the words before it give it; without a name it is asked for."""
    lowers = reading.lowers
    at = min(formula.words) - 1
    while at >= 0 and lowers[at] in lexicon.ARTICLES:
        at -= 1
    if at < 1 or lowers[at] not in _IS:
        return replace(formula, is_asked=True)
    first = at - 1
    if lowers[first] in ("which", "that"):
        name = _run(reading, first)
        return replace(formula, name=name, words=formula.words | set(range(first, min(formula.words))))
    name = _run(reading, at)
    begin = min(name, default=at) - 1
    if not name or begin < 0 or lowers[begin] not in _NAMING:
        return replace(formula, is_asked=True)
    return replace(formula, name=name, words=formula.words | set(range(begin, min(formula.words))))


def _run(reading: QuestionReading, end: int) -> frozenset[int]:
    """The words right before one, back to the first that carries no meaning."""
    first = end
    while first and reading.weights[first - 1] > 0:
        first -= 1
    return frozenset(range(first, end))


def _stems(reading: QuestionReading, words: frozenset[int]) -> frozenset[str]:
    said = {word for cue in _NUMBERS if len(cue.words) == 1 for word in cue.words}
    plain = (reading.lowers[at] for at in words if reading.weights[at] > 0)
    return frozenset(stem_word(fold(word)) for word in plain if word not in said | lexicon.COUNTING)
