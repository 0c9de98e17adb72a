"""Readings of a question that find different things, to choose from where none is sure enough."""

from __future__ import annotations

from collections.abc import Iterable

from compilers.errors import CompilerError
from compilers.kopl.notations import NOTATIONS
from connectors.errors import EndpointRefusedQuery, EndpointTimeout, IncompleteResult
from nlq_gateway.answering.attempt import Ask, Outcome, carry_out
from nlq_gateway.answering.selection import tells
from nlq_gateway.core.types import Draft
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.trace import PossibleReading, Recorder

# So many are shown, and so many programs are run to find them.
SHOWN, RUN = 3, 5
_NOT_RUN = (CompilerError, EndpointRefusedQuery, EndpointTimeout, IncompleteResult)


def readings_of(
    endpoint: Endpoint, request: Ask, taken: Outcome, drafts: Iterable[Draft]
) -> tuple[PossibleReading, ...]:
    """Up to three readings in English with their programs, likeliest first, no two of which find the same.

    The one that was `taken` is the first if it finds something. Raises EndpointError where the store is down.
    """
    found: list[PossibleReading] = []
    said, answers, ran = set[str](), set[frozenset[str]](), 0
    for draft in (taken.draft, *drafts):
        if len(found) == SHOWN or ran == RUN:
            break
        words = "" if draft.empty else endpoint.judge.words_of(draft)
        if not words or words in said:
            continue
        said.add(words)
        ran += draft is not taken.draft
        outcome = taken if draft is taken.draft else _carried(endpoint, request, draft)
        answer = outcome.answer if outcome is not None and tells(outcome) else None
        if answer is not None and frozenset(answer.strings) not in answers:
            answers.add(frozenset(answer.strings))
            found.append(PossibleReading(words, NOTATIONS["steps"].write(draft.program)))
    return tuple(found)


def _carried(endpoint: Endpoint, request: Ask, draft: Draft) -> Outcome | None:
    try:
        return carry_out(endpoint, request, draft, {}, Recorder())
    except _NOT_RUN:
        return None
