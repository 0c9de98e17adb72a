"""What speaks for an answer: numbers in [0, 1], each such that more of it never makes an answer less sure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from compilers.answers import Answer
from nlq_gateway.core.types import Draft
from nlq_gateway.index import is_impossible
from nlq_gateway.judging import AFTER, Ran, after
from nlq_gateway.judging.confidence.account import Account
from nlq_gateway.judging.confidence.kinds import (
    is_all_asked,
    is_asked_value,
    is_deed_said,
    is_measure_said,
    is_of_class,
    is_time_said,
    suits_word,
)
from nlq_gateway.judging.confidence.operations import agreement
from nlq_gateway.judging.verdicts import asks_so
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.trace import BindingTrace

MEANINGS: Mapping[str, str] = {
    "explained": "the share of the question's words, by how telling they are, that the program accounts for",
    "weakest_word": "less for the most telling word that it does not account for, names apart",
    "names": "how far it accounts for the name, code or number that it accounts for least",
    "from_name": "whether the program sets out from a named thing: all it finds is reached from there",
    "asked": "less for the most telling word, among those for what is asked, that it does not account for",
    "arranged": "the same of the words for what the answer is grouped, ordered and ranked by",
    "values": "whether the graph has the strings that the program filters by",
    "known": "less for each word that speaks of nothing in this graph, by how telling it is",
    "unbroken": "whether no name was taken out of a longer one",
    "operations": "whether the program counts, ranks, compares, denies where the question says so",
    "grounding": "how surely the weakest name stands for what it was taken for",
    "likeliest": "less for each likelier program that was tried and found nothing",
    "found": "whether the answer is more than none",
    "certain_of_none": "of an answer of nothing, the square of `grounding`; little where nobody can have any",
    "kind": "whether what was found may be of the kind that is asked for: no date is a person",
    "support": "less for each step that the program's author found no reason for",
    "agreement": "the share of other ways to an answer that came to this one",
    "written": "how probable the program is to the model that writes programs; 0 where it writes others only",
    **AFTER,
}


# What is left of the certainty that there is none where the graph has no such thing of anybody.
MISREAD = 0.1
# How like a demonstration a question is that means what the demonstration says.
TAUGHT = 0.9


@dataclass(frozen=True)
class AnswerEvidence:
    """All that is known of an answer.

    `drafted` says whether a model that writes programs was asked, and knows the language. `few_shot` says
    that a language model wrote the program, of which other features are known (few_shot.py). `ran` are the
    programs that were run, and the one that is taken among them, where the judge has read it.

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

    @cached_property
    def account(self) -> Account:
        """How far the draft accounts for the question's words."""
        return Account(self.reading, self.draft, self.bindings)


def features(evidence: AnswerEvidence) -> dict[str, float]:
    """The value of each of `MEANINGS`; what is not known is left out."""
    assert evidence.draft is not None
    draft, bindings = evidence.draft, evidence.bindings
    account = evidence.account
    # The embedding model knows English alone.
    found = _of_words(account) if evidence.reading.links.question.language == "en" else {}
    found |= {
        "unbroken": float(account.unbroken()),
        "operations": agreement(account.reading, account.request, draft.program),
        "from_name": float(draft.program.steps[0].function == "Find"),
        "grounding": min((binding.score for binding in bindings if binding.iri), default=1.0),
        "likeliest": math.exp(-sum(one.score > draft.score for one in evidence.ran) / 2),
        "found": float(evidence.answer is None or not evidence.answer.nothing),
    }
    meant = _meant(evidence)
    suits = is_of_class(account, draft.program, meant) and suits_word(account, evidence.answer)
    suits = suits and not shows_values_of_asked(evidence) and is_all_asked(account, draft.program)
    # What no word of the graph speaks of a demonstration tells.
    told = draft.parts.get("similarity", 0.0) >= TAUGHT
    said = (
        is_measure_said(account, evidence.answer)
        and is_deed_said(account)
        and is_time_said(account, draft.program, meant)
    )
    found["kind"] = float(suits and (told or said))
    if not found["found"]:
        impossible = is_impossible(draft.program, meant, evidence.reading.index) and not asks_so(
            account.reading, draft, meant
        )
        found["certain_of_none"] = found["grounding"] ** 2 * (MISREAD if impossible else 1.0)
    if "cost" in draft.parts:
        found["support"] = math.exp(-max(0.0, draft.parts["cost"]) / 2)
    if evidence.drafted:
        found["written"] = math.exp(min(0.0, draft.parts.get("log_probability", -math.inf)))
    return found | (after(evidence.taken, evidence.ran) if evidence.taken else {})


def shows_values_of_asked(evidence: AnswerEvidence) -> bool:
    """Whether an answer is of values of the things that the question asks for."""
    if evidence.draft is None:
        return False
    return not is_asked_value(evidence.account, evidence.draft.program, _meant(evidence))


def _meant(evidence: AnswerEvidence) -> dict[tuple[int, int], str]:
    return {(one.step, one.argument): one.iri for one in evidence.bindings}


def _of_words(account: Account) -> dict[str, float]:
    """How the question's words are accounted for."""
    strange = sum(account.weights[at] for at in account.content if at not in account.linked)
    named = [account.degree((at,)) for at in account.names]
    return {
        "explained": account.degree(account.content),
        "weakest_word": 1 - account.passed_over(account.content),
        "names": min(named, default=1.0),
        "asked": 1 - max(map(account.passed_over, account.asked), default=0.0),
        "arranged": 1 - max(map(account.passed_over, account.arranged), default=0.0),
        "values": min(account.strings(), default=1.0),
        "known": math.exp(-strange),
    }
