"""What a question speaks of and its answer or the graph does not have, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nlq_gateway.judging.confidence.account import Account
from nlq_gateway.judging.confidence.features import AnswerEvidence
from nlq_gateway.language.detection import ENGLISH

_SHOWN = 3


def unknown_in(evidence: AnswerEvidence) -> str:
    """Why there is no answer: names and words that nothing here bears, else those that were passed over."""
    account = evidence.account
    strange = [at for at in account.content if at not in account.linked]
    names = [words for words in _runs(account, strange) if words[:1].isupper()]
    others = [words for words in _runs(account, strange) if not words[:1].isupper()]
    if names:
        return f"Nothing in this graph is called {_listed(names)}."
    if others:
        return f"Nothing in this graph speaks of {_listed(others)}."
    if account.passed and evidence.draft is not None:
        passed = _listed(_runs(account, account.passed))
        return f"I do not understand {passed}: no reading over this graph takes it in."
    return "I do not understand the question: no reading of it over this graph is sure enough."


def ignored_in(evidence: AnswerEvidence) -> tuple[str, ...]:
    """The words of an English question that its draft takes no account of, as the question writes them.

    Of other languages that is not known: the embedding model knows English alone.
    """
    if evidence.reading.links.question.language != ENGLISH:
        return ()
    return tuple(_runs(evidence.account, evidence.account.passed))


def _runs(account: Account, positions: Iterable[int]) -> Iterator[str]:
    """The words at some places, neighbours together, as the question writes them."""
    tokens, text = account.reading.tokens, account.reading.links.question.text
    run: list[int] = []
    for at in (*positions, -1):
        if run and at != run[-1] + 1:
            yield text[tokens[run[0]].start : tokens[run[-1]].end]
            run = []
        run.append(at)


def _listed(words: Iterable[str]) -> str:
    shown = [f"“{one}”" for one in dict.fromkeys(words)][:_SHOWN]
    return " or ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else shown[0]
