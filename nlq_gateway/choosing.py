"""Which draft is taken: those worth it are carried out in order, and what comes of it is weighed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import get_args

from compilers.errors import UnsupportedProgram
from compilers.kopl.functions import Kind
from compilers.kopl.notations import NOTATIONS
from connectors.errors import EndpointTimeout
from nlq_gateway.carrying import BOTTOM_UP, Ask, Outcome, carry_out
from nlq_gateway.confidence import SURE_ENOUGH, Evidence, Vote, agreed, confidence
from nlq_gateway.confidence.few_shot import finds
from nlq_gateway.endpoints import Endpoint
from nlq_gateway.errors import InvalidRequest
from nlq_gateway.response import answer_text
from nlq_gateway.settings.language_model import Writer
from nlq_gateway.trace import Attempt, Recorder, Warning
from nlq_gateway.types import Draft, Links

# Strategies of a language model, which are the sources of its drafts.
WRITERS = frozenset(get_args(Writer))
# Those of which the model itself writes the programs.
WRITTEN = WRITERS - {"decompose"}
ATTEMPTS = 8
CONSIDERED = 24
KNOWN_EMPTY = "known to be empty"
IMPOSSIBLE = "answered for nobody"
EMPTY = "empty"
LATE = "not answered in time"
# So many times is the store's deadline waited for.
MOST_LATE = 3
AMBIGUITY = 0.2
UNSURE = 0.65
LIKELY = 0.8
PLAUSIBLE = -4.0


@dataclass(frozen=True, slots=True)
class Choice:
    """The draft that is taken, carried out; how sure it is; whether it is kept back, or one of several.

    `warnings` are for the reader of this answer.
    """

    outcome: Outcome
    evidence: Evidence
    confidence: float
    parts: dict[str, float]
    refused: bool = False
    ambiguous: bool = False
    warnings: tuple[Warning, ...] = ()


@dataclass(frozen=True, slots=True)
class Chooser:
    """One question with its drafts, best first; what is tried is told to the recorder.

    `rivals` are other sources' drafts, which are not tried here, but may be as likely.
    """

    endpoint: Endpoint
    request: Ask
    links: Links
    drafts: Sequence[Draft]
    recorder: Recorder
    rivals: Sequence[Draft] = ()

    def choose(self) -> Choice:
        """The best draft that finds something, if it is sure enough, else a likelier one that finds nothing.

        Raises InvalidRequest, CompilerError or EndpointError.
        """
        outcome, likelier = self._first_with_answer()
        choice = self._weighed(outcome)
        if choice.refused and likelier is not None:
            nothing = self._weighed(carry_out(self.endpoint, self.request, likelier, {}, self.recorder))
            if nothing.confidence >= SURE_ENOUGH:
                return nothing
        otherwise = None if choice.refused else self._otherwise(choice)
        warnings = (None if likelier is None else _passed_over(likelier), otherwise)
        told = tuple(one for one in warnings if one is not None)
        return replace(choice, ambiguous=otherwise is not None, warnings=told)

    def _first_with_answer(self) -> tuple[Outcome, Draft | None]:
        """The best draft whose query gives something, with the likelier one that gave nothing, if any.

        Where no likely draft gives something, it is the best one. Drafts that are known to find nothing are
        not sent to the store, but for the one that is returned. Raises EndpointTimeout where none gives
        something and the store had not time enough for one of them.
        """
        late: list[EndpointTimeout] = []
        likeliest: Draft | None = None
        nothing: Outcome | None = None
        hits = {mention.text: mention.hits for mention in (*self.links.others, *self.links.mentions)}
        for draft in _worth_trying(self.drafts):
            if draft.empty and self.request.execute:
                self.recorder.attempts.append(attempt_of(draft, KNOWN_EMPTY))
                likeliest = likeliest or draft
                continue
            try:
                outcome = carry_out(self.endpoint, self.request, draft, hits, self.recorder)
            except UnsupportedProgram as error:
                self.recorder.attempts.append(attempt_of(draft, error.message))
                continue
            except EndpointTimeout as error:
                self.recorder.attempts.append(attempt_of(draft, LATE))
                late.append(error)
                if len(late) == MOST_LATE:
                    break
                continue
            if not self.request.execute:
                self.recorder.attempts.append(attempt_of(draft, "not run"))
                return outcome, None
            if tells(outcome):
                impossible = self._impossible(draft)
                self.recorder.attempts.append(attempt_of(draft, "answered"))
                return outcome, likeliest or next(iter(impossible), None)
            if likeliest is None:
                likeliest, nothing = draft, outcome
            self.recorder.attempts.append(attempt_of(draft, EMPTY))
        if late:
            raise late[0]
        if likeliest is None:
            raise InvalidRequest("no program for this question can be stated over this graph")
        return nothing or carry_out(self.endpoint, self.request, likeliest, hits, self.recorder), None

    def _impossible(self, draft: Draft) -> list[Draft]:
        """Likelier ones that come after it, as the graph could answer them for nobody (ranking)."""
        later = self.drafts[self.drafts.index(draft) + 1 :]
        found = [one for one in later if one.score > draft.score]
        self.recorder.attempts += [attempt_of(one, IMPOSSIBLE) for one in found]
        return found

    def _weighed(self, outcome: Outcome) -> Choice:
        others = [draft for draft in (*self.drafts, *self.rivals) if not is_same(draft, outcome.draft)]
        bindings = outcome.grounding.bindings
        evidence = Evidence(
            self.links,
            self.endpoint.index,
            outcome.draft,
            others,
            bindings,
            outcome.answer,
            self._passed(outcome.draft),
            drafted=self._drafted(outcome.draft),
            few_shot=outcome.draft.source in WRITERS,
        )
        score, parts = confidence(evidence)
        return Choice(outcome, evidence, score, parts, _refuses(self.request, outcome, score))

    def _passed(self, draft: Draft) -> int:
        """How many likelier programs found nothing: those tried before it here, and others by their score."""
        own = {one.source for one in self.drafts}
        empty = (one for one in self.recorder.attempts if one.outcome in (EMPTY, KNOWN_EMPTY, IMPOSSIBLE))
        return sum(one.source in own or one.score > draft.score for one in empty)

    def _drafted(self, draft: Draft) -> bool:
        """Whether it says something how probable a draft is to the drafter, which knows English alone."""
        if draft.source in WRITERS:
            return False
        return self.request.strategy != BOTTOM_UP and self.request.language == "en"

    def _otherwise(self, choice: Choice) -> Warning | None:
        """The warning that a reading hardly less likely gives another answer; None where none does."""
        outcome = choice.outcome
        if outcome.answer is None or outcome.answer.nothing or self.request.pins:
            return None
        others = _other_readings(self.drafts, outcome.draft, choice.confidence < UNSURE)
        for draft in islice(others, 1):
            try:
                other = carry_out(self.endpoint, self.request, draft, {}, Recorder())
            except (UnsupportedProgram, EndpointTimeout):
                continue
            found = other.answer
            if found and not found.nothing and found.strings != outcome.answer.strings:
                text = answer_text(draft.program, found, False)
                return _otherwise(outcome, other, text)
        return None


def _worth_trying(drafts: Sequence[Draft]) -> Iterator[Draft]:
    """The drafts near the best, then those that the drafter finds plausible, whatever their score.

    Of both so many that are not known to find nothing.
    """
    near = [draft for draft in drafts if drafts[0].score - draft.score <= LIKELY][:CONSIDERED]
    plausible = [draft for draft in drafts if draft.parts.get("log_probability", -math.inf) >= PLAUSIBLE]
    plausible.sort(key=lambda draft: -draft.parts["log_probability"])
    yield from _until(near, ATTEMPTS)
    yield from _until([draft for draft in plausible if draft not in near], ATTEMPTS)


def _until(drafts: Iterable[Draft], attempts: int) -> Iterator[Draft]:
    for draft in drafts:
        attempts -= not draft.empty
        if attempts < 0:
            return
        yield draft


def voted(choice: Choice, votes: Sequence[Vote], request: Ask) -> Choice:
    """The choice, with what other ways to an answer say of it.

    An answer that is too unsure only because another way came to another one is one of several.
    """
    if not votes:
        return choice
    sure = agreed(choice.confidence, votes)
    parts = {**choice.parts, "agreement": sum(vote.agrees for vote in votes) / len(votes)}
    refuses = _refuses(request, choice.outcome, sure)
    ambiguous = choice.ambiguous or (refuses and not choice.refused)
    return replace(
        choice,
        confidence=sure,
        parts=parts,
        refused=refuses and choice.refused,
        ambiguous=ambiguous,
    )


def _refuses(request: Ask, outcome: Outcome, sure: float) -> bool:
    """Whether an answer is too unsure to be given.

    What a program finds that a language model wrote is given; that it finds nothing may come of names that
    the graph does not have. Of the other sources it is the reverse: they keep to the graph's names, as do
    templates that a model's sub-questions were taken for.
    """
    shown = outcome.answer is not None and not outcome.answer.empty
    written = outcome.draft.source in WRITTEN
    return shown != written and sure < SURE_ENOUGH and request.may_refuse


def _other_readings(drafts: Sequence[Draft], chosen: Draft, unsure: bool) -> Iterator[Draft]:
    """The drafts that are hardly less likely: other bearers of a name; any where the answer is unsure."""
    for draft in drafts:
        near = chosen.score - draft.score <= AMBIGUITY and draft is not chosen
        if near and (_is_homonym(draft, chosen) or (unsure and not draft.empty)):
            yield draft


def _passed_over(likelier: Draft) -> Warning:
    steps = " ".join(map(str, likelier.program.steps))
    return Warning("likelier-reading-empty", f"a likelier reading finds nothing: {steps}")


def _otherwise(chosen: Outcome, other: Outcome, text: str) -> Warning:
    """The warning that another reading answers otherwise."""
    if not _is_homonym(other.draft, chosen.draft):
        return other_reading(other.draft, text)
    meant = ", ".join(f"{b.label} <{b.iri}>" for b in other.grounding.bindings if b.kind == Kind.ENTITY)
    return Warning("ambiguous-name", f"with {meant} the answer would be: {text}")


def other_reading(draft: Draft, text: str) -> Warning:
    """The warning that another program, hardly less likely, gives this answer."""
    steps = " ".join(map(str, draft.program.steps))
    return Warning("other-reading", f"read as {steps} the answer would be: {text}")


def _is_homonym(draft: Draft, chosen: Draft) -> bool:
    """Whether two drafts differ in nothing but which bearer of the same names they mean."""
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


def tells(outcome: Outcome) -> bool:
    """Whether the answer is one: that there is no such thing is one, where just that was asked.

    Of a language model's programs a count of none is one, too (nlq_gateway/confidence/few_shot.py), unless it
    is of a unit that the graph does not have.
    """
    if outcome.answer is None:
        return False
    if outcome.draft.program.steps[-1].function == "Exists" or not outcome.answer.nothing:
        return True
    counted = outcome.draft.source in WRITTEN and finds(outcome.grounding.bindings, outcome.answer)
    return counted and not outcome.grounding.grounded.has_foreign_unit()


def is_same(one: Draft, other: Draft) -> bool:
    """Whether two drafts are the same program with the same bearers of its names."""
    return one is other or (one.program == other.program and one.choices == other.choices)


def attempt_of(draft: Draft, outcome: str) -> Attempt:
    """A draft that was tried, for the trace."""
    text = NOTATIONS["steps"].write(draft.program)
    return Attempt(text, draft.source, draft.score, outcome, draft.repairs, draft.how)
