"""The words of a question that its answer or the graph lacks, told in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nlq_gateway.judging.confidence.account import Account
from nlq_gateway.judging.confidence.features import AnswerEvidence
from nlq_gateway.language.detection import ENGLISH, language
from nlq_gateway.language.lexicon import NUMBER_WORDS
from nlq_gateway.language.sentences import Say, joined, saying

_SHOWN = 3
# That a word was passed over is no reason if in hardly any question it names something: "both", "most".
_TOLD = 0.01


def unknown_in(evidence: AnswerEvidence) -> str:
    """Return the reason for a refusal: names and words that the graph lacks, else those left out."""
    account, say = evidence.account, saying(evidence.reading.links.question.language)
    strange = [at for at in _telling(evidence) if at not in account.linked]
    names = [words for words in _runs(account, strange) if words[:1].isupper()]
    others = [words for words in _runs(account, strange) if not words[:1].isupper()]
    if names:
        return say("called", words=_listed(names, say))
    if others:
        return say("spoken", words=_listed(others, say))
    passed = [at for at in account.passed if account.words.weights[at] >= _TOLD]
    if passed and evidence.draft is not None:
        return say("passed", words=_listed(_runs(account, passed), say))
    return say("unclear")


def _telling(evidence: AnswerEvidence) -> Iterator[int]:
    """The places of words that may name something: numbers and the language's function words do not."""
    own, tokens = language(evidence.reading.links.question.language), evidence.account.reading.tokens
    plain = own.openers | own.asking if own else frozenset[str]()
    plain |= NUMBER_WORDS.keys()
    return (at for at in evidence.account.words.content if tokens[at].lower not in plain)


def ignored_in(evidence: AnswerEvidence) -> tuple[str, ...]:
    """The words of an English question that its draft takes no account of, as the question writes them.

    Of other languages that is not known: the shipped embedding model knows English alone.
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


def _listed(words: Iterable[str], say: Say) -> str:
    quoted = [say("quoted", words=one) for one in dict.fromkeys(words)]
    return joined(quoted[:_SHOWN], say, "either")
