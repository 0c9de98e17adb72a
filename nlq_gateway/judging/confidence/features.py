"""The features of an answer: numbers in [0, 1]; a larger one never makes an answer less sure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from compilers.answers import Answer
from compilers.kopl.functions import Kind, Type
from nlq_gateway.core.types import Draft
from nlq_gateway.judging import AFTER, DRAFTED, Ran, after
from nlq_gateway.judging.clauses import asks_otherwise, finds_nothing
from nlq_gateway.judging.confidence.account import Account
from nlq_gateway.judging.confidence.forms import is_all_asked
from nlq_gateway.judging.confidence.kinds import (
    is_age_told,
    is_known,
    is_measure_said,
    is_number_told,
    is_of_class,
    is_told_by_name,
    suits_word,
)
from nlq_gateway.judging.evidence import is_unaided
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.trace import BindingTrace

MEANINGS: Mapping[str, str] = {
    "weakest_word": "less for the most telling word that it does not account for, names apart",
    "values": "whether the graph has the strings that the program filters by",
    "unbroken": "whether no name was taken out of a longer one",
    "found": "whether the answer is more than none, or a no",
    "certain_of_none": "how surely an answer of nothing means its names, squared; a tenth if it cannot be",
    "kind": "whether what is shown may be what is asked for: no country is a city, one column no two things",
    "agreement": "the share of other ways to an answer that came to this one",
    "written": "how probable the program is to the model that writes programs; 0 where it writes others only",
    **AFTER,
}


# The share that is left of the certainty that there is none where the graph has no such fact at all.
MISREAD = 0.1
# The similarity from which a question means what a demonstration says.
TAUGHT = 0.9


@dataclass(frozen=True)
class AnswerEvidence:
    """All that is known of an answer.

    `drafted` says whether a model that writes programs was asked, and knows the language. `few_shot` says
    that a language model wrote the program, of which other features are known (few_shot.py). `ran` are the
    programs that were run, `taken` is the one that is taken among them, where the judge has read it, and
    `others` are the scores of the programs that were not run.

    Without a draft it is all that is known of a question that no program states.
    """

    reading: QuestionReading
    draft: Draft | None = None
    bindings: Sequence[BindingTrace] = ()
    answer: Answer | None = None
    drafted: bool = True
    few_shot: bool = False
    taken: Ran | None = None
    ran: Sequence[Ran] = ()
    others: Sequence[float] = ()

    @cached_property
    def account(self) -> Account:
        """The draft's account of the question's words."""
        return Account(self.reading, self.draft, self.bindings)


def features(evidence: AnswerEvidence) -> dict[str, float]:
    """The value of each of `MEANINGS`; what is not known is left out."""
    assert evidence.draft is not None
    draft, answer = evidence.draft, evidence.answer
    account, nothing = evidence.account, answer is not None and answer.nothing
    found = _of_words(account) if account.words.is_known else {}
    found |= {
        "unbroken": float(account.unbroken()),
        "found": float(not nothing or answer is None or answer.output == Type.VERDICT),
    }
    meant = _meant(evidence)
    # A demonstration explains words that no name of the graph explains.
    told = draft.parts.get("similarity", 0.0) >= TAUGHT
    suits = (
        is_of_class(account, draft.program, meant, answer)
        and is_told_by_name(draft.program, meant, evidence.reading.index, answer)
        and is_all_asked(account, draft.program)
        and suits_word(account, answer)
        and not (is_unaided(draft) and asks_otherwise(account.reading, draft, meant))
    )
    said = (
        is_measure_said(account, answer)
        and is_number_told(account, answer)
        and is_age_told(account, draft.program, meant, answer)
        and is_known(account)
    )
    found["kind"] = float(suits and (told or said))
    if nothing:
        grounding = min((binding.score for binding in evidence.bindings if binding.iri), default=1.0)
        impossible = finds_nothing(account.reading, draft, meant, evidence.reading.index)
        misread = impossible or _is_of_a_class(evidence, meant) or _adds_a_class(evidence, meant)
        found["certain_of_none"] = grounding**2 * (MISREAD if misread else 1.0)
    if evidence.drafted:
        found["written"] = math.exp(min(0.0, draft.parts.get(DRAFTED, -math.inf)))
    return found | (after(evidence.taken, evidence.ran, evidence.others) if evidence.taken else {})


def _meant(evidence: AnswerEvidence) -> dict[tuple[int, int], str]:
    return {(one.step, one.argument): one.iri for one in evidence.bindings}


def _is_of_a_class(evidence: AnswerEvidence, meant: Mapping[tuple[int, int], str]) -> bool:
    """True if the program sets out from a class as if it were a thing: its members are meant."""
    assert evidence.draft is not None
    starts = (at for at, step in enumerate(evidence.draft.program.steps) if step.function == "Find")
    index = evidence.reading.index
    return any(index.item(Kind.CONCEPT, meant.get((at, 0), "")) is not None for at in starts)


def _adds_a_class(evidence: AnswerEvidence, meant: Mapping[tuple[int, int], str]) -> bool:
    """True if the program names a class of which no word of the question speaks: others may be meant."""
    items = (evidence.reading.index.item(Kind.CONCEPT, iri) for iri in meant.values())
    return any(item is not None and not evidence.reading.evidence(item) for item in items)


def _of_words(account: Account) -> dict[str, float]:
    """The features of the account of the question's words."""
    return {
        "weakest_word": 1 - account.passed_over(account.words.content),
        "values": min(account.strings(), default=1.0),
    }
