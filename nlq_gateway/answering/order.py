"""The order of a question's stages, and the loop that runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from compilers.kopl.functions import Kind
from connectors.errors import EndpointTimeout
from nlq_gateway.answering.attempt import BOTTOM_UP, Ask, refused, trace_of, unanswerable
from nlq_gateway.answering.qualifiers import told_apart
from nlq_gateway.answering.readings import readings_of
from nlq_gateway.answering.selection import LATE, MOST_LATE, ChosenDraft, is_same, tells
from nlq_gateway.answering.sources import Sources
from nlq_gateway.answering.strategies import Answering
from nlq_gateway.answering.with_model import ModelWay, pruner
from nlq_gateway.answering.writing import ModelDrafting
from nlq_gateway.core.checkpoint import checkpoint, working
from nlq_gateway.core.types import Draft, Links, Question
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.judging import Candidate, Judged, is_settled
from nlq_gateway.judging.confidence import AnswerEvidence, ignored_in, unknown_in
from nlq_gateway.language.detection import ENGLISH, language_of, usual_language
from nlq_gateway.language.wording.asked import language_asked
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.trace import LinksEvent, Recorder, Trace

# Begins the budget that a question has of the language model.
StartModel: TypeAlias = Callable[[Ask, QuestionReading], ModelDrafting]


@dataclass(slots=True)
class AskedQuestion:
    """A question on its way through the stages, each of which adds its result.

    With `prunes`, the language model also leaves out programs while they grow. `start_model` is None
    without a model. `alternatives` are the drafts and others that are not run, as possible readings. `search`
    adds drafts that take longer to find; None once it has.
    """

    request: Ask
    endpoint: Endpoint
    sources: Sources
    recorder: Recorder
    start_model: StartModel | None = None
    prunes: bool = False
    reading: QuestionReading = field(init=False)
    drafts: Sequence[Draft] = ()
    alternatives: Sequence[Draft] = ()
    search: Callable[[], None] | None = None
    written: ModelDrafting | None = None
    chosen: ChosenDraft | None = None
    trace: Trace = field(init=False)

    @property
    def writing(self) -> ModelDrafting | None:
        """The model that writes for this question, whose budget begins with the first access; or None."""
        if self.written is None and self.start_model is not None:
            self.written = self.start_model(self.request, self.reading)
        return self.written

    @property
    def way(self) -> ModelWay | None:
        """The path with the language model; None without one."""
        return ModelWay(self.request, self.drafts, self.writing) if self.writing else None

    @property
    def is_left_to_model(self) -> bool:
        """True if only the language model drafts."""
        return self.request.only and self.start_model is not None and self.request.strategy != BOTTOM_UP


def link(asked: AskedQuestion) -> None:
    """Find names, values and numbers in the question, and read it once for all later stages."""
    request, endpoint = asked.request, asked.endpoint
    text = " ".join(request.question.split())
    usual = usual_language(endpoint.index.manifest.languages)
    question = Question(text, request.language or language_of(text, usual=usual) or usual)
    with asked.recorder.stage("link"):
        links = Linker(endpoint.index, endpoint.linked).link(question)
        links = links if request.language else _in_its_language(links, usual)
        asked.reading = QuestionReading.of(links, endpoint.index)
    asked.request = replace(request, language=links.question.language)
    asked.recorder.tell(LinksEvent(question.text, links.mentions, links.literals))


def draft(asked: AskedQuestion) -> None:
    """Draft programs without a language model, except for its pruning, and order them, best first.

    Without a language model the reasoner searches only if the judge is not sure of the other drafts.
    """
    if asked.is_left_to_model:
        return
    prune = pruner(asked.writing).kept if asked.prunes and asked.writing else None
    turns = asked.sources.propose(asked.reading, asked.recorder, asked.request.strategy, prune=prune)
    first = _judge(asked, next(turns), ())
    asked.search = partial(_search, asked, turns, first)
    if asked.start_model is not None or not is_settled(first):
        asked.search()


def _search(asked: AskedQuestion, turns: Iterator[Sequence[Candidate]], known: Sequence[Judged]) -> None:
    """Add the drafts that take longer to find."""
    asked.search = None
    for candidates in turns:
        _judge(asked, candidates, known)


def _judge(asked: AskedQuestion, some: Sequence[Candidate], known: Sequence[Judged]) -> Sequence[Judged]:
    """Order these candidates; their drafts take the place of those before."""
    with asked.recorder.stage("judge"):
        judged = asked.endpoint.judge.order(asked.reading, some, known)
    drafts = [one.draft for one in judged]
    asked.alternatives = drafts
    asked.drafts = [draft for draft, one in zip(drafts, judged, strict=True) if one.near]
    return judged


def rescore(asked: AskedQuestion) -> None:
    """Order the drafts of `bottom-up` by the language model, if there is one."""
    if asked.request.strategy == BOTTOM_UP and asked.way is not None:
        asked.drafts = asked.alternatives = asked.way.rescored()


def choose(asked: AskedQuestion) -> None:
    """Run drafts, also those that the model writes, until one is accepted; more if its answer is unsure."""
    try:
        asked.chosen = _choice(asked, asked.drafts)
    except EndpointTimeout as failed:
        _choose_among_others(asked, failed)
    if asked.search is not None and not (asked.chosen and asked.chosen.is_plain):
        asked.search()
        asked.chosen = _choice(asked, asked.drafts)


def _choose_among_others(asked: AskedQuestion, failed: EndpointTimeout) -> None:
    """Run the drafts that take longer to find; raises what failed before if none of them finds something.

    The deadline is waited for as often as for the drafts of one round.
    """
    tried, late = asked.drafts, sum(one.outcome == LATE for one in asked.recorder.attempts)
    if asked.search is None or late == MOST_LATE:
        raise failed
    asked.search()
    others = [one for one in asked.drafts if not any(is_same(one, known) for known in tried)]
    asked.chosen = _choice(asked, others, MOST_LATE - late)
    if asked.chosen is None or not tells(asked.chosen.outcome):
        raise failed


def _choice(asked: AskedQuestion, drafts: Sequence[Draft], waits: int = MOST_LATE) -> ChosenDraft | None:
    endpoint, request = asked.endpoint, asked.request
    return Answering(endpoint, request, asked.reading, drafts, asked.recorder, asked.way, waits).choice()


def tell(asked: AskedQuestion) -> None:
    """Make the trace of the choice, without its answer if that is too unsure."""
    endpoint, request, recorder, chosen = asked.endpoint, asked.request, asked.recorder, asked.chosen
    if chosen is None:
        unknown = unknown_in(AnswerEvidence(asked.reading))
        asked.trace = unanswerable(request, endpoint, recorder, unknown)
        return
    for warning in chosen.warnings:
        recorder.warn(warning.code, warning.message)
    unsure = chosen.refused or chosen.ambiguous
    worded_in = language_asked(endpoint.index.manifest.languages)
    trace = replace(
        trace_of(endpoint, request, chosen.outcome, recorder, probes=True),
        readings=readings_of(endpoint, request, chosen, asked.alternatives) if unsure else (),
        confidence=chosen.confidence,
        confidence_parts=chosen.parts,
        strategy=chosen.outcome.draft.source,
        reading=endpoint.judge.words_of(chosen.outcome.draft),
        reading_language="" if worded_in == ENGLISH else worded_in,
        ignored=ignored_in(chosen.evidence),
        tuned=endpoint.judge.tuned.when if endpoint.judge.tuned else "",
    )
    if chosen.refused:
        asked.trace = refused(trace, unknown_in(chosen.evidence), request.language)
        return
    trace = told_apart(endpoint, request, chosen.outcome, trace)
    asked.trace = replace(trace, status="ambiguous") if chosen.ambiguous else trace


def word(asked: AskedQuestion) -> None:
    """Add the model's cost to the trace, and its wording of the answer, if that is wanted and true."""
    if asked.way is not None:
        asked.trace = asked.way.told(asked.trace)


STAGES: tuple[Callable[[AskedQuestion], None], ...] = (link, draft, rescore, choose, tell, word)


def answer(asked: AskedQuestion, milliseconds: float) -> Trace:
    """Return the trace of a question after all stages.

    Each begins with a checkpoint, which raises if the client has left, or the question has used the
    `milliseconds` of processor time that it has.
    """
    with working(milliseconds):
        for stage in STAGES:
            checkpoint()
            stage(asked)
    return asked.trace


def _in_its_language(links: Links, usual: str) -> Links:
    """The links of a question in the language that its words besides names tell, else in the usual one."""
    question = links.question
    exact = (one for one in links.mentions if one.kind == Kind.ENTITY and one.hits[0].how == "exact")
    found = language_of(question.text, [(one.start, one.end) for one in exact], usual) or usual
    return replace(links, question=replace(question, language=found))
