"""Runs the likeliest drafts, and takes the one that the judge finds best once their answers are known."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from compilers.errors import InvalidProgram, UnsupportedProgram
from compilers.kopl.decide import Verdict
from compilers.kopl.notations import NOTATIONS
from connectors.errors import EndpointTimeout
from nlq_gateway.answering.attempt import BOTTOM_UP, Ask, Outcome, carry_out
from nlq_gateway.answering.other_readings import is_homonym, otherwise, passed_over
from nlq_gateway.core.types import Draft
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.judging import READING, Ran, scores_of_answers
from nlq_gateway.judging.confidence import (
    SURE_ENOUGH,
    AnswerEvidence,
    Vote,
    agreed,
    confidence,
    is_all_asked,
)
from nlq_gateway.judging.confidence.few_shot import finds
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.settings.language_model import Writer
from nlq_gateway.trace import Attempt, Recorder, Warning

# Strategies of a language model, which are the sources of its drafts.
WRITERS = frozenset(get_args(Writer))
# Those of which the model itself writes the programs.
WRITTEN = WRITERS - {"decompose"}
_TOLD_NOTHING = (Verdict.NOT_SURE.value,)
KNOWN_EMPTY = "known to be empty"
EMPTY = "empty"
LATE = "not answered in time"
# The most programs for which the store's deadline is waited for.
MOST_LATE = 3
# The most programs run until one finds something, and once one has.
ATTEMPTS, COMPARED = 12, 4
# The distance, in log odds, up to which a program is run beside one that found something.
REACH = 2.5
# The distance, in log odds, up to which another entity of the same name makes an answer ambiguous.
AMBIGUITY = 0.7
UNSURE = 0.65
# The least confidence with which it is said that there is nothing: few questions ask for what there is not.
NONE_ENOUGH = 0.85


@dataclass(frozen=True, slots=True)
class ChosenDraft:
    """The draft that is taken, carried out; how sure it is; whether it is kept back, or one of several.

    One is sure from `enough` on. `warnings` are for the reader of this answer; `ran` is what was
    carried out.
    """

    outcome: Outcome
    evidence: AnswerEvidence
    confidence: float
    parts: dict[str, float]
    refused: bool = False
    enough: float = SURE_ENOUGH
    ambiguous: bool = False
    warnings: tuple[Warning, ...] = ()
    ran: tuple[Outcome, ...] = ()

    @property
    def is_sure(self) -> bool:
        """True if it is sure enough to be believed."""
        return self.confidence >= self.enough

    @property
    def is_plain(self) -> bool:
        """True if no other draft is needed: it found something, and is sure; or it was not run."""
        found = self.outcome.answer is None or tells(self.outcome)
        return found and not self.refused and self.confidence >= max(self.enough, UNSURE)

    @property
    def is_other_kind(self) -> bool:
        """True if what was found is of another kind than the question asks for, and not half of it."""
        half = not is_all_asked(self.evidence.account, self.outcome.draft.program)
        return self.parts.get("kind", 1.0) == 0.0 and not half


@dataclass(frozen=True, slots=True)
class Tried:
    """A draft that was looked at; without an outcome where it is known to find nothing.

    `read` is what the judge's network makes of it with what it found; None where it did not read all of it.
    `score` is in log odds, with that reading.
    """

    draft: Draft
    score: float
    outcome: Outcome | None = None
    read: float | None = None

    @property
    def tells(self) -> bool:
        """True if it found something."""
        return self.outcome is not None and tells(self.outcome)

    @property
    def ran(self) -> Ran:
        """The judge's input for it."""
        return Ran(self.score, _told(self.outcome) if self.tells else None, self.read)


@dataclass(frozen=True, slots=True)
class DraftChooser:
    """One question with its drafts, best first; what is tried is told to the recorder.

    `waits` is the most of them for which the store's deadline is waited for.
    """

    endpoint: Endpoint
    request: Ask
    reading: QuestionReading
    drafts: Sequence[Draft]
    recorder: Recorder
    waits: int = MOST_LATE

    def choose(self) -> ChosenDraft | None:
        """The best draft that finds something, if it is sure enough, else a likelier one that finds nothing.

        A guess is the likelier of the two, however unsure. None where no draft can be stated over the graph.

        Raises CompilerError or EndpointError.
        """
        tried = self._tried()
        if not tried:
            return None
        taken = _likeliest(tried)
        if taken is None or not self.request.execute:
            return self._weighed(self._carried(tried[0]), tried)
        choice = self._weighed(taken, tried)
        if choice.is_other_kind and taken.draft.source not in WRITERS:
            others = (self._weighed(one, tried) for one in tried if one.tells and one is not taken)
            choice = next((one for one in others if one.is_sure and not one.is_other_kind), choice)
        likelier = next((one for one in tried if not one.tells and one.score > taken.score), None)
        if likelier is not None and (choice.refused or (self.request.guess and not choice.is_sure)):
            nothing = self._weighed(self._carried(likelier), tried)
            if nothing.confidence > choice.confidence and not nothing.refused:
                return nothing
        another = None if choice.refused else self._otherwise(choice, tried)
        warnings = [] if another is None else [another]
        # Of a sure answer a reader need not know that something else finds nothing.
        if likelier is not None and choice.confidence < UNSURE:
            warnings.insert(0, passed_over(likelier.draft, self.endpoint, self.request.language))
        return replace(choice, ambiguous=another is not None, warnings=tuple(warnings))

    def _tried(self) -> list[Tried]:
        """The drafts that are run, in their order: until one finds something, and those hardly behind it.

        Drafts that are known to find nothing are not sent to the store. Raises EndpointTimeout where none
        finds something and the store had not time enough for one of them.
        """
        tried: list[Tried] = []
        late: list[EndpointTimeout] = []
        links = self.reading.links
        hits = {mention.text: mention.hits for mention in (*links.others, *links.mentions)}
        for draft in self.drafts:
            if _enough(tried, draft) or len(late) == self.waits:
                break
            if draft.empty and self.request.execute:
                self.recorder.attempts.append(attempt_of(draft, KNOWN_EMPTY))
                tried.append(Tried(draft, draft.score))
                continue
            try:
                outcome = carry_out(self.endpoint, self.request, draft, hits, self.recorder)
            except (InvalidProgram, UnsupportedProgram) as error:
                self.recorder.attempts.append(attempt_of(draft, error.message))
                continue
            except EndpointTimeout as error:
                self.recorder.attempts.append(attempt_of(draft, LATE))
                late.append(error)
                continue
            tried.append(Tried(draft, draft.score, outcome))
            if not self.request.execute:
                self.recorder.attempts.append(attempt_of(draft, "not run"))
                return tried
            self.recorder.attempts.append(attempt_of(draft, "answered" if tried[-1].tells else EMPTY))
        if late and not any(one.tells for one in tried):
            raise late[0]
        return self._read(tried)

    def _read(self, tried: Sequence[Tried]) -> list[Tried]:
        """The same, with what the judge's network makes of them: once more of those that found something."""
        found = {
            at: (one.draft, one.outcome.answer)
            for at, one in enumerate(tried)
            if one.tells and one.outcome and one.outcome.answer
        }
        judge = self.endpoint.judge
        with self.recorder.stage("judge"):
            read = judge.read_again(self.reading.links, list(found.values()))
        readings = dict(zip(found, read, strict=True))
        return [
            replace(one, score=judge.score_again(one.draft, reading), read=reading)
            for at, one in enumerate(tried)
            for reading in (readings.get(at, one.draft.parts.get(READING)),)
        ]

    def _carried(self, one: Tried) -> Tried:
        """The same with its outcome."""
        if one.outcome is not None:
            return one
        return replace(one, outcome=carry_out(self.endpoint, self.request, one.draft, {}, self.recorder))

    def _weighed(self, taken: Tried, tried: Sequence[Tried]) -> ChosenDraft:
        """The confidence of an outcome: by the question's words, and by the judge's reading."""
        outcome = taken.outcome
        assert outcome is not None
        evidence = AnswerEvidence(
            self.reading,
            outcome.draft,
            outcome.grounding.bindings,
            outcome.answer,
            drafted=self._drafted(outcome.draft),
            few_shot=outcome.draft.source in WRITERS,
            taken=taken.ran if READING in outcome.draft.parts else None,
            ran=[one.ran for one in tried],
            others=[draft.score for draft in self.drafts if not any(one.draft is draft for one in tried)],
        )
        sure, parts = confidence(evidence)
        return ChosenDraft(
            outcome,
            evidence,
            sure,
            parts,
            _refuses(self.request, outcome, sure),
            self.request.enough,
            ran=tuple(one.outcome for one in tried if one.outcome is not None),
        )

    def _drafted(self, draft: Draft) -> bool:
        """True if it says something how probable a draft is to the drafter, which knows English alone."""
        if draft.source in WRITERS:
            return False
        return self.request.strategy != BOTTOM_UP and self.request.language == ENGLISH

    def _otherwise(self, choice: ChosenDraft, tried: Sequence[Tried]) -> Warning | None:
        """The warning that a reading hardly less likely gives another answer; None where none does."""
        outcome = choice.outcome
        if outcome.answer is None or outcome.answer.nothing or self.request.pins:
            return None
        likely = scores_of_answers(one.ran for one in tried)
        other = self._nearest_other(outcome, likely, tried, unsure=choice.confidence < UNSURE)
        found = other.answer if other else None
        if other is None or found is None or found.nothing or found.strings == outcome.answer.strings:
            return None
        return otherwise(outcome, other, found, self.endpoint, self.request.language)

    def _nearest_other(
        self, outcome: Outcome, likely: Mapping[Hashable, float], tried: Sequence[Tried], *, unsure: bool
    ) -> Outcome | None:
        """The outcome of the likeliest draft hardly behind: another bearer of a name; any if unsure.

        Answers are compared by their scores, `likely`: programs that agree add up on both sides.
        """
        chosen = outcome.draft
        own = likely.get(_told(outcome), chosen.score)
        scores = {id(one.draft): likely.get(one.ran.answer, one.score) for one in tried}
        for draft in self.drafts:
            if draft is chosen or draft.empty or own - scores.get(id(draft), draft.score) > AMBIGUITY:
                continue
            if not (unsure or is_homonym(draft, chosen)):
                continue
            known = next((one.outcome for one in tried if one.draft is draft), None)
            try:
                return known or carry_out(self.endpoint, self.request, draft, {}, Recorder())
            except (InvalidProgram, UnsupportedProgram, EndpointTimeout):
                return None
        return None


def _likeliest(tried: Sequence[Tried]) -> Tried | None:
    """The best program with the likeliest answer; None where none finds something."""
    found = [one for one in tried if one.tells]
    likely = scores_of_answers(one.ran for one in found)
    # A model's scores are not log odds.
    if not all(READING in one.draft.parts for one in found):
        return next(iter(found), None)
    return max(found, key=lambda one: likely[one.ran.answer], default=None)


def _enough(tried: Sequence[Tried], draft: Draft) -> bool:
    """True if a draft is not worth running any more."""
    ran = sum(one.outcome is not None for one in tried)
    best = next((one for one in tried if one.tells), None)
    if best is None:
        return ran >= ATTEMPTS
    return ran >= COMPARED or draft.score < best.draft.score - REACH


def _told(outcome: Outcome | None) -> Hashable:
    return frozenset(outcome.answer.strings) if outcome is not None and outcome.answer is not None else None


def voted(choice: ChosenDraft, votes: Sequence[Vote], request: Ask) -> ChosenDraft:
    """The choice, with what other ways to an answer say of it.

    An answer that is too unsure only because another way came to another one is one of several.
    """
    if not votes:
        return choice
    sure = agreed(choice.confidence, votes)
    parts = {**choice.parts, "agreement": sum(vote.agrees for vote in votes) / len(votes)}
    refuses = _refuses(request, choice.outcome, sure)
    contradicted = refuses and not choice.refused and tells(choice.outcome)
    return replace(
        choice,
        confidence=sure,
        parts=parts,
        refused=refuses and not contradicted,
        ambiguous=choice.ambiguous or contradicted,
    )


def _refuses(request: Ask, outcome: Outcome, sure: float) -> bool:
    """True if an answer is too unsure to be given.

    What a program finds that a language model wrote is given; that it finds nothing may come of names that
    the graph does not have. Of the other sources both are kept back: that there is nothing is a claim, too,
    and a stronger one.
    """
    shown = outcome.answer is not None and not outcome.answer.empty
    given = shown and outcome.draft.source in WRITTEN
    is_none = outcome.answer is not None and not tells(outcome) and outcome.draft.source not in WRITERS
    enough = max(request.enough, NONE_ENOUGH) if is_none else request.enough
    return not given and sure < enough and request.may_refuse


def tells(outcome: Outcome) -> bool:
    """True if the answer is one: that there is no such thing is one, where just that was asked.

    Things of which none has a name tell nothing, nor does a verdict that holds for some values only. Of a
    language model's programs a count of none is an answer, too (nlq_gateway/judging/confidence/few_shot.py),
    unless it is of a unit that the graph does not have.
    """
    if outcome.answer is None:
        return False
    if outcome.draft.program.steps[-1].function == "Exists" or not outcome.answer.nothing:
        return outcome.answer.strings != _TOLD_NOTHING and not outcome.answer.is_unnamed
    counted = outcome.draft.source in WRITTEN and finds(outcome.grounding.bindings, outcome.answer)
    return counted and not outcome.grounding.grounded.has_foreign_unit()


def is_same(one: Draft, other: Draft) -> bool:
    """True if two drafts are the same program with the same bearers of its names."""
    return one is other or (one.program == other.program and one.choices == other.choices)


def attempt_of(draft: Draft, outcome: str) -> Attempt:
    """A draft that was tried, for the trace."""
    text = NOTATIONS["steps"].write(draft.program)
    return Attempt(text, draft.source, draft.score, outcome, draft.how, draft.repairs)
