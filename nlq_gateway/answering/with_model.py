"""A question's way through the language model.

Told what is known of the question, it writes; what it writes is repaired, grounded and carried out, until
something of it answers the question or the budget is spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from compilers.errors import CompilerError
from connectors.errors import EndpointRefusedQuery, EndpointTimeout, IncompleteResult
from nlq_gateway.answering.attempt import Ask, trace_of
from nlq_gateway.answering.response import Responder, Told, as_told
from nlq_gateway.answering.selection import ChosenDraft, DraftChooser, attempt_of, is_same, tells
from nlq_gateway.answering.writing import EXPLORE, ModelDrafting, unsound_attempt
from nlq_gateway.core.errors import InvalidRequest, ModelUnavailable
from nlq_gateway.core.types import Draft
from nlq_gateway.drafts.generation.known import Example
from nlq_gateway.drafts.generation.looking import EXPLORED
from nlq_gateway.drafts.generation.reading import read
from nlq_gateway.drafts.generation.scoring import Pruner, rescored
from nlq_gateway.drafts.generation.writer import written_of
from nlq_gateway.drafts.refine import ExecutedProgram, Refiner
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.models import ModelError
from nlq_gateway.models.errors import BudgetSpent, Cancelled
from nlq_gateway.trace import Recorder, Trace, Warning

# A name that stands for another is clearly meant from this margin on.
_CLEAR = 0.5
_MORE = "allow it more by model.max_tokens, or ask it to think less by model.reasoning"
# A program may be too much for a store that answers others, or name what no query can state.
_TOO_MUCH = (EndpointRefusedQuery, EndpointTimeout, IncompleteResult, CompilerError)


@dataclass(frozen=True)
class ModelWay:
    """One question, with a model that is within the question's budget.

    `rivals` are the drafts made without the model.
    """

    request: Ask
    rivals: Sequence[Draft]
    writing: ModelDrafting

    def choices(self) -> tuple[ChosenDraft, ...]:
        """The outcomes of the model's programs, in the order in which they were written.

        It ends with the first that answers, or after as many runs as are wanted. A model that fails ends it,
        too, with a warning. Raises EndpointError and Cancelled, and ModelUnavailable where the model is alone
        and failed, unless its budget ended after programs that do not answer.
        """
        writing = self.writing
        found: list[ChosenDraft] = []
        try:
            writing.model.prepare(writing.deadline)
            for drafts in writing.drafts():
                choice = self._again(drafts, found) or self._tried(drafts)
                found += [] if choice is None else [choice]
                if self._suffices(found):
                    break
            found = _after_looks(found)
            if writing.settings.refine and found:
                surest = max(found, key=lambda one: one.confidence)
                found[found.index(surest)] = self._refined(surest)
        except Cancelled:
            raise
        except ModelError as error:
            self._gives_up(error)
            wrote = isinstance(error, BudgetSpent) and writing.recorder.attempts
            if self.request.only and not found and not wrote:
                raise ModelUnavailable(
                    f"{self.request.strategy!r} is asked for alone, and the model failed: {error.message}",
                    hint=error.hint or "ask again later, or without `only`",
                ) from error
        return tuple(found)

    def rescored(self) -> tuple[Draft, ...]:
        """The rivals in the order in which the model finds them probable (BYOKG); as they are where it fails.

        Their scores say the same order, so that what is far behind is not tried.
        """
        writing = self.writing
        try:
            with writing.recorder.stage("score"):
                writing.model.prepare(writing.deadline)
                model = writing.model.about("score")
                found = rescored(
                    model, writing.links, tuple(self.rivals), _scored_behind(writing), writing.deadline
                )
        except Cancelled:
            raise
        except ModelError as error:
            self._gives_up(error)
            return tuple(self.rivals)
        scores = sorted((draft.score for draft in found), reverse=True)
        return tuple(replace(draft, score=score) for draft, score in zip(found, scores, strict=True))

    def _gives_up(self, error: ModelError) -> None:
        _gave_up(self.writing.recorder, error)

    def told(self, trace: Trace) -> Trace:
        """The trace, with what the model cost; in its words, where these are wanted and true."""
        writing = self.writing
        if writing.model.spent.cut_in_thought:
            thought = Warning("cut-in-thought", "the model was still thinking when its text ended: " + _MORE)
            trace = replace(trace, warnings=(*trace.warnings, thought))
        if self._is_to_word and trace.status in ("answered", "ambiguous"):
            trace = self._worded(trace)
        calls = tuple(writing.model.spent.calls)
        timings = {"total": writing.recorder.total_ms(), **writing.recorder.timings_ms}
        trace = replace(
            trace, model=writing.model.name if calls else "", model_calls=calls, timings_ms=timings
        )
        if trace.program in writing.sub_questions:
            return replace(trace, sub_questions=writing.sub_questions[trace.program])
        return trace

    @property
    def _is_to_word(self) -> bool:
        """True if the model puts the answer into words: sentences by template are in English."""
        wanted = self.writing.settings.response
        return wanted == "model" or (wanted == "auto" and self.request.language != ENGLISH)

    def _suffices(self, found: Sequence[ChosenDraft]) -> bool:
        good = [one for one in found if not one.refused and (tells(one.outcome) or not self.request.execute)]
        if self.writing.strategy == EXPLORE:
            return bool(good) and good[-1] is found[-1] and not self._doubtful(found)
        return bool(good) and (len(found) >= self.writing.settings.runs or not self.request.execute)

    def _doubtful(self, found: Sequence[ChosenDraft]) -> bool:
        """True if a program that was written without a look is to be looked at, though it finds something.

        It is where its answer is not sure enough, where a name stands for another that is not clearly meant,
        and where a step finds nothing.
        """
        outcome = found[-1].outcome
        if len(found) > 1 or outcome.draft.how == EXPLORED or not self.request.execute:
            return False
        if not found[-1].is_sure or min(outcome.draft.margins.values(), default=1.0) < _CLEAR:
            return True
        writing = self.writing
        with writing.recorder.stage("probe"):
            endpoint = writing.stages.sources.endpoint
            trace = trace_of(endpoint, self.request, outcome, Recorder(), probes=True)
        return any(step.count == 0 for step in trace.steps)

    def _tried(self, drafts: Sequence[Draft]) -> ChosenDraft | None:
        """The outcome of a program; None if it cannot be compiled, or the store gives up on it.

        An outage is raised: it would be one for every program.
        """
        writing = self.writing
        endpoint = writing.stages.sources.endpoint
        longest = min(self.request.timeout_ms or endpoint.settings.limits.query_ms, self._milliseconds_left())
        request = replace(self.request, timeout_ms=longest)
        chooser = DraftChooser(endpoint, request, writing.reading, drafts, writing.recorder)
        try:
            return chooser.choose()
        except InvalidRequest:
            return None
        except _TOO_MUCH as error:
            writing.recorder.attempts.append(attempt_of(drafts[0], error.message))
            return None

    def _again(self, drafts: Sequence[Draft], found: Sequence[ChosenDraft]) -> ChosenDraft | None:
        """The outcome of a program that was written before; None if it was not."""
        for choice in found:
            if any(is_same(choice.outcome.draft, draft) for draft in drafts):
                self.writing.recorder.attempts.append(attempt_of(drafts[0], "as before"))
                return replace(choice)
        return None

    def _milliseconds_left(self) -> int:
        """Half of what is left: a program that is too slow leaves time for another."""
        writing = self.writing
        writing.deadline.check()
        return max(1, int(500 * writing.deadline.left))

    def _refined(self, first: ChosenDraft) -> ChosenDraft:
        """The choice after a second look at the executed steps (PER-KBQA), else the choice itself.

        A revision that finds nothing does not replace a program that finds something.
        """
        writing = self.writing
        endpoint = writing.stages.sources.endpoint
        with writing.recorder.stage("probe"):
            shown = trace_of(endpoint, self.request, first.outcome, Recorder(), probes=True)
        known = writing.known
        names = (*(entity.label for entity in known.entities), *known.concepts)
        executed = ExecutedProgram(first.outcome.draft.program, shown.steps, shown.text)
        card = writing.stages.card or known.card
        refiner = Refiner(writing.model.about("refine"), lambda text: read(text, "steps").program, card=card)
        with writing.recorder.stage("refine"):
            revision = refiner.refine(self.request.question, names, executed, writing.deadline)
        if revision is None:
            return first
        written = written_of(revision.generation, "steps", "refined", writing.repair)
        draft = writing.draft(written) if written.sound else None
        if draft is None:
            writing.recorder.attempts.append(unsound_attempt(written, writing.strategy))
            return first
        choice = self._tried(writing.readings(draft))
        loses = choice is not None and tells(first.outcome) and not tells(choice.outcome)
        return first if choice is None or loses else choice

    def _worded(self, trace: Trace) -> Trace:
        writing = self.writing
        if trace.answer is None or trace.program is None:
            return trace
        told = Told(
            trace.question,
            trace.program,
            as_told(trace.program, trace.answer),
            trace.steps,
            trace.truncated,
            self.request.language,
        )
        with writing.recorder.stage("respond"):
            response = Responder(writing.model.about("respond")).respond(told, writing.deadline)
        warnings = (*trace.warnings, *((response.warning,) if response.warning else ()))
        return replace(trace, text=response.text, warnings=warnings)


def _after_looks(found: list[ChosenDraft]) -> list[ChosenDraft]:
    """The outcome after looks at the graph, if it found something; the program before them is doubtful."""
    told = [one for one in found if one.outcome.draft.how == EXPLORED and tells(one.outcome)]
    return told[-1:] or found


def pruner(writing: ModelDrafting) -> Pruner:
    """The pruner of programs that grow for a question; a warning tells if the model fails."""
    return Pruner(
        writing.model.about("prune"),
        writing.links.question.text,
        _scored_behind(writing),
        writing.deadline,
        lambda error: _gave_up(writing.recorder, error),
    )


def _scored_behind(writing: ModelDrafting) -> tuple[Example, ...]:
    """The demonstrations behind which a model scores."""
    return writing.stages.fixed("steps") + writing.stages.examples("steps", writing.links)


def _gave_up(recorder: Recorder, error: ModelError) -> None:
    recorder.warn("model-unavailable", f"the language model was given up on: {error.message}")
