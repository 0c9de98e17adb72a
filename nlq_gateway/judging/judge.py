"""The judge: the order of candidates of all sources, and how likely an answer is to be right."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import nlargest

from compilers.answers import Answer
from nlq_gateway.core.checkpoint import interruptible
from nlq_gateway.core.types import Draft, Links
from nlq_gateway.index import Index
from nlq_gateway.index.members import Choices
from nlq_gateway.judging.candidates import Candidate
from nlq_gateway.judging.clauses import asks_otherwise, finds_nothing
from nlq_gateway.judging.confidence.account import Account
from nlq_gateway.judging.confidence.forms import is_of_each
from nlq_gateway.judging.directions import told_of
from nlq_gateway.judging.evidence import DRAFTED, WordsSaid, before, has_own, is_unaided
from nlq_gateway.judging.reader import CandidateOdds, shared_reader
from nlq_gateway.judging.text import found_text, steps_text
from nlq_gateway.judging.tuned import Tuned
from nlq_gateway.judging.weights import JudgeWeights, shipped
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.question.reading.reading import QuestionReading

# So many that have an own score are read, the likeliest by it: reading one takes a millisecond or two.
READ = 5
# Among a draft's parts, where the network read all of it: the log odds.
READING = "reading"
# In log odds. That nothing in the graph could ever answer a program is a fact, however well it reads.
IMPOSSIBLE = 20.0
# The least log odds of a draft's reading, and its least log-probability, from which the reasoner does not
# search: on development graphs one of 320 such answers is then worse.
SETTLED, WRITTEN = -2.0, -1.0
UNREAD = CandidateOdds(0.0, whole=False)
# So far behind the best in log odds, reading apart, no right one was in 567 rounds of development questions.
BEHIND = 2.0

Worded = Callable[[Draft], str]


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with what is known of it, and the weighted sum in log odds.

    `whole` says that the network read all of it, in a language that it knows; `near`, that it was worth
    reading.
    """

    candidate: Candidate
    evidence: dict[str, float]
    score: float
    whole: bool = True
    near: bool = True

    @property
    def is_out(self) -> bool:
        """True if it does not answer the question, however well it reads."""
        return self.score < -IMPOSSIBLE / 2

    @property
    def odds(self) -> CandidateOdds:
        """The network's reading of the candidate."""
        return CandidateOdds(self.evidence["reading"], self.whole)

    @property
    def draft(self) -> Draft:
        """The draft with this score; `parts` have the reading where the network read all of it."""
        draft = self.candidate.draft
        read = {READING: self.evidence["reading"]} if self.whole else {}
        return replace(draft, score=self.score, parts={**draft.parts, **read})


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges candidates over one index. Stateless: safe to share between threads.

    `worded` says what a draft asks, "" where it cannot.
    """

    index: Index
    weights: JudgeWeights
    tuned: Tuned | None = None
    worded: Worded | None = None

    @classmethod
    def of(cls, index: Index, tuned: Tuned | None = None, worded: Worded | None = None) -> Judge:
        """Return the judge with the shipped weights, or with those adapted to the index's endpoint."""
        return cls(index, tuned.weights if tuned else shipped(), tuned, worded)

    def words_of(self, draft: Draft) -> str:
        """The draft as a question in the language of the graph; "" if there are no words for it."""
        return self.worded(draft) if self.worded else ""

    def order(
        self, reading: QuestionReading, candidates: Iterable[Candidate], known: Iterable[Judged] = ()
    ) -> tuple[Judged, ...]:
        """The likeliest candidates, best first; of equals the shorter program.

        Last come those that do not tell what is asked of each of some things; impossible ones end both. Those
        that are `known` to be ordered before are not read again. Those that are not `near` are not read, and
        count as if they read as badly as the worst of the others.
        """
        likely = _likeliest(tuple(candidates))
        best = max((one.draft.score for one in likely if has_own(one)), default=0.0)
        unread = [self._unread(reading, one, best) for one in interruptible(likely)]
        left, out = _parted(unread, lambda one: not one.is_out)
        if not left:
            # They are read, to know the best of them.
            left, out = out, []
        earlier = {one.candidate.key: one.odds for one in known if one.near and not one.is_out}
        near, far = _parted(left, _nearness(left, earlier)) if _is_known(reading.links) else (left, [])
        odds = self._readings(reading.links, [one.candidate for one in near], earlier)
        read = [self._read(one, found) for one, found in zip(near, odds, strict=True)]
        worst = CandidateOdds(min((found.odds for found in odds), default=0.0), whole=False)
        rest = [replace(self._read(one, worst), near=False) for one in far]
        return tuple(sorted((*read, *rest, *out), key=partial(_order, reading)))

    def _unread(self, reading: QuestionReading, candidate: Candidate, best: float) -> Judged:
        """The candidate by all that is known without the network; see `before` for `best`."""
        words = words_said(reading, candidate.draft)
        drafted = _is_known(reading.links)
        evidence = before(candidate, UNREAD.odds, best, words, drafted=drafted)
        score = self.weights.score(evidence) - IMPOSSIBLE * self.is_out(reading, candidate.draft, words)
        return Judged(candidate, evidence, score, whole=drafted)

    def _read(self, one: Judged, found: CandidateOdds) -> Judged:
        score = one.score + self.weights["reading"] * found.odds - IMPOSSIBLE * found.is_reversed
        return Judged(one.candidate, {**one.evidence, "reading": found.odds}, score, found.whole)

    def read_again(self, links: Links, found: Sequence[tuple[Draft, Answer]]) -> list[float | None]:
        """The log odds of drafts with what they found, both networks' mean; None where not all is read."""
        if not found or not _is_known(links):
            return [None] * len(found)
        texts = [
            found_text(self._text(draft), answer.strings, len(answer.strings)) for draft, answer in found
        ]
        drafts = [draft for draft, _ in found]
        read = self._directed(links, drafts, shared_reader().read(links.question.text, texts, results=True))
        shared = _shared(drafts, read)
        return [reading.odds if reading.whole else None for reading in shared]

    def score_again(self, draft: Draft, read: float | None) -> float:
        """The score of an ordered draft, in log odds, with `read` in the place of the first reading."""
        first = draft.parts.get(READING)
        if read is None or first is None:
            return draft.score
        return draft.score + self.weights["reading"] * (read - first)

    def is_out(self, reading: QuestionReading, draft: Draft, said: WordsSaid) -> bool:
        """True if nothing could answer a draft, unless the question asks just that.

        So is a draft that does not do what the question plainly asks, and one of the drafter that leaves out
        a name.
        """
        meant = _meant(draft)
        if finds_nothing(reading, draft, meant, self.index):
            return True
        if DRAFTED in draft.parts and said.leaves_name:
            return True
        return is_unaided(draft) and asks_otherwise(reading, draft, meant)

    def _text(self, draft: Draft) -> str:
        return steps_text(draft.program, draft.choices, self.index)

    def _readings(
        self, links: Links, candidates: Sequence[Candidate], known: Mapping[Hashable, CandidateOdds]
    ) -> list[CandidateOdds]:
        """The network's log odds of candidates; it knows English alone."""
        if not _is_known(links):
            return [UNREAD] * len(candidates)
        keys = [one.key for one in candidates]
        new = {key: one for key, one in zip(keys, candidates, strict=True) if key not in known}
        drafts = [one.draft for one in new.values()]
        texts = [self._text(draft) for draft in drafts]
        read = shared_reader().read(links.question.text, texts) if texts else []
        odds = {**known, **dict(zip(new, self._directed(links, drafts, read), strict=True))}
        return _shared([one.draft for one in candidates], [odds[key] for key in keys])

    def _directed(
        self, links: Links, drafts: Sequence[Draft], read: Sequence[CandidateOdds]
    ) -> list[CandidateOdds]:
        """The readings of drafts, with which way the question has it where a relation leads both ways."""
        told = [told_of(links, draft, self.index) for draft in drafts]
        facts = list(dict.fromkeys(filter(None, told)))
        leanings = dict(zip(facts, shared_reader().leanings(facts), strict=True)) if facts else {}
        return [one.directed(leanings[fact]) if fact else one for one, fact in zip(read, told, strict=True)]


def is_settled(judged: Sequence[Judged]) -> bool:
    """True if the best of these candidates is so sure that others need not be searched."""
    if not judged or not judged[0].whole or judged[0].is_out:
        return False
    written = judged[0].candidate.draft.parts.get(DRAFTED, -math.inf)
    return written >= WRITTEN and judged[0].evidence["reading"] >= SETTLED


def words_said(reading: QuestionReading, draft: Draft) -> WordsSaid:
    """The words that a draft accounts for, as far as the question's language is known."""
    account = Account.of_draft(reading, draft)
    if not account.words.is_known:
        return WordsSaid()
    content = account.words.content
    return WordsSaid(account.degree(content), account.passed_over(content), account.leaves_name)


def _meant(draft: Draft) -> Choices:
    return {place: iris[0] for place, iris in draft.choices.items() if iris}


def _shared(drafts: Sequence[Draft], readings: Sequence[CandidateOdds]) -> list[CandidateOdds]:
    """The best reading of what says the same: which bearer of a name is meant the network cannot know."""
    best, said = dict[Hashable, CandidateOdds](), [tuple(_said(draft)) for draft in drafts]
    for key, reading in zip(said, readings, strict=True):
        best[key] = max(best.get(key, reading), reading, key=lambda one: one.odds)
    return [best[key] for key in said]


def _said(draft: Draft) -> Iterator[Hashable]:
    """The steps, with the names of things as the question has them."""
    for at, step in enumerate(draft.program.steps):
        name = draft.mentions.get((at, 0)) if step.function == "Find" else None
        yield step.function, step.dependencies, name or step.inputs


def _is_known(links: Links) -> bool:
    """True if network and drafter know the question's language."""
    return links.question.language == ENGLISH


def _likeliest(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The `READ` likeliest with an own score, those among as many likeliest written ones, and all without."""
    own = nlargest(READ, filter(has_own, candidates), key=lambda one: one.draft.score + one.worth)
    written = [one for one in candidates if DRAFTED in one.draft.parts]
    written = nlargest(READ, written, key=lambda one: one.draft.parts[DRAFTED])
    others = [one for one in candidates if not has_own(one) and one not in written]
    return list({id(one): one for one in (*own, *written, *others)}.values())


def _parted(judged: Sequence[Judged], test: Callable[[Judged], bool]) -> tuple[list[Judged], list[Judged]]:
    """Those that pass a test, and the others."""
    return [one for one in judged if test(one)], [one for one in judged if not test(one)]


def _nearness(unread: Sequence[Judged], known: Container[Hashable]) -> Callable[[Judged], bool]:
    """The test for those at most `BEHIND` the best without its reading, or read already.

    What was written with demonstrations or by a language model passes: the drafter knows nothing of it.
    """
    least = max((one.score for one in unread), default=0.0) - BEHIND
    return lambda one: one.score >= least or one.candidate.key in known or not is_unaided(one.candidate.draft)


def _order(reading: QuestionReading, one: Judged) -> tuple[bool, float, int]:
    draft = one.candidate.draft
    return not is_of_each(Account(reading, draft, ()), draft.program), -one.score, len(draft.program)
