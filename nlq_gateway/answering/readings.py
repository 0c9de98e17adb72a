"""Readings of a question that find different things, to choose from where none is sure enough."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from compilers.errors import CompilerError
from compilers.kopl.notations import NOTATIONS
from connectors.errors import EndpointRefusedQuery, EndpointTimeout, IncompleteResult
from nlq_gateway.answering.attempt import Ask, Outcome, carry_out
from nlq_gateway.answering.selection import ChosenDraft, tells
from nlq_gateway.core.types import Draft
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.trace import PossibleReading, Recorder

# So many are shown, and so many programs are run to find them besides those that were, each for so long.
SHOWN, RUN, MILLISECONDS = 3, 4, 2_000
_NOT_RUN = (CompilerError, EndpointRefusedQuery, IncompleteResult)


def readings_of(
    endpoint: Endpoint, request: Ask, chosen: ChosenDraft, drafts: Iterable[Draft]
) -> tuple[PossibleReading, ...]:
    """Up to three readings in words with their programs, likeliest first, no two of which find the same.

    The one that was chosen is the first if it finds something. A store that is too slow for one is not asked
    for more. Raises EndpointError where the store is down.
    """
    found: list[PossibleReading] = []
    answers: set[frozenset[str]] = set()
    for words, outcome in _outcomes(endpoint, request, chosen, drafts):
        answer = outcome.answer if tells(outcome) else None
        if answer is None or frozenset(answer.strings) in answers:
            continue
        answers.add(frozenset(answer.strings))
        found.append(PossibleReading(words, NOTATIONS["steps"].write(outcome.draft.program)))
        if len(found) == SHOWN:
            break
    return tuple(found)


def _outcomes(
    endpoint: Endpoint, request: Ask, chosen: ChosenDraft, drafts: Iterable[Draft]
) -> Iterator[tuple[str, Outcome]]:
    """The likeliest drafts, each in other words, with their outcomes."""
    known = {id(one.draft): one for one in (*chosen.ran, chosen.outcome)}
    request = replace(request, timeout_ms=min(request.timeout_ms or MILLISECONDS, MILLISECONDS))
    said, left = {""}, RUN
    for draft in (chosen.outcome.draft, *drafts):
        words = "" if draft.empty else endpoint.judge.words_of(draft)
        if words in said:
            continue
        said.add(words)
        if id(draft) not in known:
            if left == 0:
                return
            left -= 1
            try:
                known[id(draft)] = carry_out(endpoint, request, draft, {}, Recorder())
            except EndpointTimeout:
                return
            except _NOT_RUN:
                continue
        yield words, known[id(draft)]
