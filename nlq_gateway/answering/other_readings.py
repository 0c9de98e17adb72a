"""Warnings of readings besides the one that is answered."""

from __future__ import annotations

from compilers.answers import Answer
from compilers.kopl.functions import Kind
from nlq_gateway.answering.attempt import Outcome
from nlq_gateway.answering.response import answer_text
from nlq_gateway.core.types import Draft
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.language.sentences import saying
from nlq_gateway.trace import Warning


def passed_over(likelier: Draft, endpoint: Endpoint, language: str) -> Warning:
    """The warning that a likelier reading finds nothing."""
    words = _in_words(likelier, endpoint, language)
    return Warning("likelier-reading-empty", saying(language)("likelier_empty", steps=words))


def otherwise(chosen: Outcome, other: Outcome, answer: Answer, endpoint: Endpoint, language: str) -> Warning:
    """The warning that another reading answers otherwise."""
    if not is_homonym(other.draft, chosen.draft):
        return other_reading(other.draft, answer, endpoint, language)
    text = answer_text(other.draft.program, answer, False, language=language)
    meant = ", ".join(f"{b.label} <{b.iri}>" for b in other.grounding.bindings if b.kind == Kind.ENTITY)
    return Warning("ambiguous-name", saying(language)("named_otherwise", meant=meant, text=text))


def other_reading(draft: Draft, answer: Answer, endpoint: Endpoint, language: str) -> Warning:
    """The warning that another program, hardly less likely, gives this answer."""
    text = answer_text(draft.program, answer, False, language=language)
    words = _in_words(draft, endpoint, language)
    return Warning("other-reading", saying(language)("read_otherwise", steps=words, text=text))


def _in_words(draft: Draft, endpoint: Endpoint, language: str) -> str:
    """A draft as the question that it answers, in quotes; its steps if there are no words for it."""
    words = endpoint.judge.words_of(draft)
    return saying(language)("quoted", words=words) if words else " ".join(map(str, draft.program.steps))


def is_homonym(draft: Draft, chosen: Draft) -> bool:
    """True if two drafts differ in nothing but which bearer of the same names they mean."""
    pairs = list(zip(draft.program.steps, chosen.program.steps, strict=False))
    if len(draft.program) != len(chosen.program) or draft.choices == chosen.choices:
        return False
    for index, (one, other) in enumerate(pairs):
        place = (index, 0)
        if one.function == "Find" == other.function:
            if draft.mentions.get(place) != chosen.mentions.get(place):
                return False
        elif one != other or draft.choices.get(place) != chosen.choices.get(place):
            return False
    return True
