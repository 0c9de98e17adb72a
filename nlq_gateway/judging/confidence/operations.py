"""The agreement of a program with the question's framing words: count, rank, compare, deny, add up, group."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compilers.kopl.functions import ALIASES, COMPARISONS, EQUALITIES
from compilers.kopl.program import Program
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading import cues
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.request import QuestionRequest

_RANKS = frozenset(
    """SelectAmong SelectBetween SelectTop SelectTopBy SelectNth SelectPlaces SelectShare SortTable LimitTable
    SkipTable Maximum Minimum""".split()
)
_COUNTS = frozenset("Count CountValues CountTable FilterCount".split())
_DENIES = frozenset("Except ExceptTable".split())
_MEANS = frozenset("Average Sum".split())
_COMPARES = frozenset("FilterCompare FilterCount FilterAggregate SelectBetween Calculate".split())
_ORDERS = frozenset(COMPARISONS) - frozenset(EQUALITIES)

Said = Callable[[QuestionReading, QuestionRequest], bool]


def agreement(reading: QuestionReading, request: QuestionRequest, program: Program) -> float:
    """The share of the kinds of operation, among those said or done, that are both.

    An entity left out of its own answer needs no negation: those who acted with someone are others.
    """
    done = done_by(program)
    said = {name: says(reading, request) for name, says in _SAID.items()}
    named = [name for name in _SAID if said[name] or (done[name] and name != "deny")]
    return sum(said[name] and done[name] for name in named) / len(named) if named else 1.0


def done_by(program: Program) -> Mapping[str, bool]:
    """Return the kinds of operation, each true if the program has it."""
    names = {ALIASES.get(step.function, step.function) for step in program.steps}
    signs = {text for step in program.steps for text in step.inputs}
    return {
        "count": bool(names & _COUNTS),
        "rank": bool(names & _RANKS),
        "deny": bool(names & _DENIES) or not signs.isdisjoint(("!=", "false")),
        "mean": bool(names & _MEANS),
        "compare": bool(names & _COMPARES) or bool(signs & _ORDERS),
        "verify": any(name.startswith("Verify") or name == "Exists" for name in names),
    }


def _counts(reading: QuestionReading, request: QuestionRequest) -> bool:
    numbers = any(name == cues.COUNT for part in request.asked for name, _ in part.says)
    ranks = request.ranking is not None and request.ranking.counts
    return bool(reading.count_cue) or numbers or ranks


def _ranks(reading: QuestionReading, request: QuestionRequest) -> bool:
    extremes = any(name in ("Maximum", "Minimum") for part in request.asked for name, _ in part.says)
    return bool(reading.superlatives) or bool(request.ranking) or bool(request.order) or extremes


def _denies(reading: QuestionReading, _request: QuestionRequest) -> bool:
    return any(lexicon.is_negation(word) or lexicon.is_exception(word) for word in reading.lowers)


def _means(_reading: QuestionReading, request: QuestionRequest) -> bool:
    return any(name in ("Average", "Sum") for part in request.asked for name, _ in part.says)


def _compares(reading: QuestionReading, request: QuestionRequest) -> bool:
    operators = (reading.operator(literal).comparison for literal in reading.links.literals)
    compared = bool(reading.comparatives) or any(sign in "<>" for sign in operators)
    return compared or bool(request.formulas)


def _verifies(reading: QuestionReading, _request: QuestionRequest) -> bool:
    return reading.is_verification


_SAID: Mapping[str, Said] = {
    "count": _counts,
    "rank": _ranks,
    "deny": _denies,
    "mean": _means,
    "compare": _compares,
    "verify": _verifies,
}
