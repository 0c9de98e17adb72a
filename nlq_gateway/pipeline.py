"""From a question to its answer: the only file that knows the order of the stages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from compilers.answers import Answer
from compilers.dialects import DIALECTS, Dialect
from compilers.errors import UnsupportedProgram
from compilers.grounded import GroundedProgram
from compilers.kopl.check import require_valid
from compilers.kopl.functions import Kind, Type
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.program import Program
from compilers.layouts import Options
from nlq_gateway.carrying import Ask, Outcome, carry_out, refused, trace_of, unanswerable
from nlq_gateway.confidence import SURE_ENOUGH, Evidence, confidence, unknown_in
from nlq_gateway.demonstrations import Collection, Confirmed
from nlq_gateway.drafting import Drafter
from nlq_gateway.endpoints import Endpoint
from nlq_gateway.errors import InvalidRequest, ModelUnavailable, TooLarge, UnknownDataset
from nlq_gateway.grounding import Grounder, Pin
from nlq_gateway.linking import Linker
from nlq_gateway.ranking import Candidate, together
from nlq_gateway.reasoning import BottomUp
from nlq_gateway.response import answer_text
from nlq_gateway.settings import Settings
from nlq_gateway.store_surroundings import StoreSurroundings
from nlq_gateway.trace import Attempt, Recorder, Trace
from nlq_gateway.types import Draft, Links, Question
from nlq_gateway.words import readable

STRATEGIES = ("auto", "bottom-up")
ATTEMPTS = 8
CONSIDERED = 24
KNOWN_EMPTY = "known to be empty"
EMPTY = "empty"
AMBIGUITY = 0.2
UNSURE = 0.5
LIKELY = 0.8
PLAUSIBLE = -4.0


class Gateway:
    """All endpoints and the way through the stages. Safe to share between threads."""

    def __init__(self, settings: Settings) -> None:
        """Know the endpoints; nothing is opened before they are prepared."""
        self.settings = settings
        self.endpoints = {endpoint.id: Endpoint(endpoint) for endpoint in settings.endpoints}
        self._strategies: dict[str, BottomUp] = {}
        self._drafters: dict[str, Drafter] = {}
        self._around: dict[str, StoreSurroundings] = {}

    def endpoint(self, dataset: str | None) -> Endpoint:
        """The endpoint with this id or alias; the first when none is named.

        Raises:
            UnknownDataset: there is no such endpoint.
        """
        if dataset is None:
            return next(iter(self.endpoints.values()))
        for endpoint in self.endpoints.values():
            if dataset == endpoint.id or dataset in endpoint.settings.aliases:
                return endpoint
        known = ", ".join(self.endpoints)
        raise UnknownDataset(f"there is no dataset {dataset[:100]!r}", hint=f"known datasets: {known}")

    def ask(self, request: Ask) -> Trace:
        """Answer a question.

        Raises:
            GatewayError: the request is wrong, or the endpoint is not ready.
            EndpointError: the store failed; an outage is never an empty answer.
        """
        request = replace(request, question=readable(request.question))
        self._require_sound(request)
        endpoint = self.endpoint(request.dataset)
        recorder = Recorder()
        question = Question(" ".join(request.question.split()), request.language)
        with recorder.stage("link"):
            links = Linker(endpoint.index).link(question)
        candidates = self.propose(endpoint, links, recorder, strategy=request.strategy)
        with recorder.stage("rank"):
            drafts = [one.draft for one in endpoint.ranking.ranked(links, candidates)]
        if not drafts:
            return unanswerable(request, endpoint, recorder, unknown_in(Evidence(links, endpoint.index)))
        outcome, likelier = self._first_with_answer(endpoint, request, links, drafts, recorder)
        evidence = _evidence(endpoint, links, drafts, outcome, recorder)
        score, parts = confidence(evidence)
        refuses = _refuses(request, outcome, score)
        if refuses and likelier is not None:
            nothing = carry_out(endpoint, request, likelier, {}, recorder)
            known = _evidence(endpoint, links, drafts, nothing, recorder)
            sure, reasons = confidence(known)
            if sure >= SURE_ENOUGH:
                outcome, evidence, score, parts, refuses = nothing, known, sure, reasons, False
        others = () if refuses else _other_readings(drafts, outcome.draft, score < UNSURE)
        ambiguous = self._answers_otherwise(endpoint, request, others, outcome, recorder)
        trace = trace_of(endpoint, request, outcome, recorder, probes=True)
        trace = replace(
            trace,
            confidence=score,
            confidence_parts=parts,
            strategy=outcome.draft.source,
            tuned=endpoint.ranking.tuned.when if endpoint.ranking.tuned else "",
        )
        if refuses:
            return refused(trace, unknown_in(evidence))
        return replace(trace, status="ambiguous") if ambiguous else trace

    def run(
        self,
        program: Program,
        dataset: str | None = None,
        *,
        pins: Sequence[Pin] = (),
        max_rows: int | None = None,
        timeout_ms: int | None = None,
        probes: bool = True,
        language: str = "en",
        strict: bool = False,
    ) -> Trace:
        """Run a program that somebody wrote; raises CompilerError besides what `ask` raises.

        `strict` refuses the functions beyond KQA Pro's.
        """
        endpoint = self.endpoint(dataset)
        require_valid(program, strict=strict)
        recorder = Recorder()
        request = Ask("", dataset, language, max_rows=max_rows, timeout_ms=timeout_ms, pins=tuple(pins))
        _require_bounds(request)
        draft = Draft(program, "given", 1.0)
        outcome = carry_out(endpoint, request, draft, {}, recorder, near=False)
        trace = trace_of(endpoint, request, outcome, recorder, probes=probes)
        return replace(trace, confidence=1.0, strategy="given")

    def bind(
        self,
        program: Program,
        dataset: str | None = None,
        *,
        dialect: str | None = None,
        pins: Sequence[Pin] = (),
        strict: bool = False,
    ) -> tuple[GroundedProgram, str, Options]:
        """What compiles a program for an endpoint: it, grounded; layout; options. Raises CompilerError."""
        endpoint = self.endpoint(dataset)
        require_valid(program, strict=strict)
        grounding = Grounder(endpoint.index).ground(program, pins=pins, near=False)
        options = endpoint.prepared.options
        if dialect is not None:
            options = replace(options, dialect=_dialect(dialect))
        return grounding.grounded, endpoint.layout, options

    def learn_from(self, confirmed: Confirmed) -> None:
        """Take confirmed pairs of questions and programs for demonstrations, from now on."""
        for endpoint in self.endpoints.values():
            endpoint.learn_from(confirmed)

    def close(self) -> None:
        """Close every endpoint."""
        for endpoint in self.endpoints.values():
            endpoint.close()

    def _require_sound(self, request: Ask) -> None:
        if not request.question.strip():
            raise InvalidRequest("the question is empty", hint="ask something")
        longest = self.settings.server.max_question
        if len(request.question) > longest:
            raise TooLarge(
                f"the question has {len(request.question)} characters", hint=f"ask in at most {longest}"
            )
        _require_bounds(request)
        if request.strategy not in STRATEGIES:
            raise ModelUnavailable(
                f"strategy {request.strategy!r} is not available without a model",
                hint=f"available: {', '.join(STRATEGIES)}",
            )

    def propose(
        self,
        endpoint: Endpoint,
        links: Links,
        recorder: Recorder,
        *,
        strategy: str = "auto",
        demonstrations: Collection | None = None,
    ) -> tuple[Candidate, ...]:
        """What the reasoner grows, the drafter writes, and demonstrations suggest, in no order.

        `demonstrations` take the place of the endpoint's own.
        """
        with recorder.stage("generate"):
            drafts = self._strategy(endpoint).draft(links)
        if strategy != "auto":
            return together(drafts, lambda _: 0.0)
        with recorder.stage("draft"):
            drafted = self._strategy(endpoint).sound(links, self._drafter(endpoint).draft(links))
        with recorder.stage("demonstrate"):
            known = endpoint.demonstrations if demonstrations is None else demonstrations
            adapted = known.adapt(links, self._surroundings(endpoint))
        recorder.demonstrations = adapted.retrieved
        return together((*drafts, *drafted, *adapted.drafts), adapted.worth)

    def _strategy(self, endpoint: Endpoint) -> BottomUp:
        found = self._strategies.get(endpoint.id)
        if found is None:
            strategy = BottomUp(endpoint.index, self._surroundings(endpoint))
            found = self._strategies.setdefault(endpoint.id, strategy)
        return found

    def _drafter(self, endpoint: Endpoint) -> Drafter:
        found = self._drafters.get(endpoint.id)
        return found or self._drafters.setdefault(endpoint.id, Drafter(endpoint.index))

    def _surroundings(self, endpoint: Endpoint) -> StoreSurroundings:
        """What may be asked of the store besides the query, with a cache that all questions share."""
        found = self._around.get(endpoint.id)
        if found is None:
            ready = endpoint.prepared
            made = StoreSurroundings(ready.connector, ready.index, ready.layout, ready.traits, ready.options)
            found = self._around.setdefault(endpoint.id, made)
        return found

    def _first_with_answer(
        self, endpoint: Endpoint, request: Ask, links: Links, drafts: Sequence[Draft], recorder: Recorder
    ) -> tuple[Outcome, Draft | None]:
        """The best draft whose query gives something, with the likelier one that gave nothing, if any.

        Where no likely draft gives something, it is the best one. Drafts that are known to find nothing are
        not sent to the store, but for the one that is returned.
        """
        likeliest: Draft | None = None
        hits = {mention.text: mention.hits for mention in (*links.others, *links.mentions)}
        for draft in _worth_trying(drafts):
            if draft.empty and request.execute:
                recorder.attempts.append(_attempt(draft, KNOWN_EMPTY))
                likeliest = likeliest or draft
                continue
            try:
                outcome = carry_out(endpoint, request, draft, hits, recorder)
            except UnsupportedProgram as error:
                recorder.attempts.append(_attempt(draft, error.message))
                continue
            if not request.execute or tells(outcome):
                recorder.attempts.append(_attempt(draft, "answered" if request.execute else "not run"))
                if likeliest is not None:
                    steps = " ".join(map(str, likeliest.program.steps))
                    recorder.warn("likelier-reading-empty", f"a likelier reading found nothing: {steps}")
                return outcome, likeliest
            likeliest = likeliest or draft
            recorder.attempts.append(_attempt(draft, EMPTY))
        if likeliest is None:
            raise InvalidRequest("no program for this question can be stated over this graph")
        return carry_out(endpoint, request, likeliest, hits, recorder), None

    def _answers_otherwise(
        self,
        endpoint: Endpoint,
        request: Ask,
        others: Iterable[Draft],
        outcome: Outcome,
        recorder: Recorder,
    ) -> bool:
        """Whether another reading, hardly less likely, gives another answer."""
        if outcome.answer is None or _is_nothing(outcome.answer) or request.pins:
            return False
        for draft in islice(others, 1):
            try:
                other = carry_out(endpoint, request, draft, {}, Recorder())
            except UnsupportedProgram:
                continue
            if (
                other.answer
                and not _is_nothing(other.answer)
                and other.answer.strings != outcome.answer.strings
            ):
                text = answer_text(draft.program, other.answer, False)
                recorder.warn(*_otherwise(outcome, other, text))
                return True
        return False


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


def _refuses(request: Ask, outcome: Outcome, sure: float) -> bool:
    """Whether an answer is too unsure to be given; that there is nothing can be said."""
    shown = outcome.answer is not None and not outcome.answer.empty
    return shown and sure < SURE_ENOUGH and request.may_refuse


def _evidence(
    endpoint: Endpoint, links: Links, drafts: Sequence[Draft], outcome: Outcome, recorder: Recorder
) -> Evidence:
    """What is known of an outcome, for its confidence."""
    return Evidence(
        links,
        endpoint.index,
        outcome.draft,
        [draft for draft in drafts if draft is not outcome.draft],
        outcome.grounding.bindings,
        outcome.answer,
        sum(attempt.outcome in (EMPTY, KNOWN_EMPTY) for attempt in recorder.attempts),
    )


def _require_bounds(request: Ask) -> None:
    """No rows and no time are refused: what they leave of a result would look like an empty answer."""
    for name in ("max_rows", "timeout_ms"):
        bound = getattr(request, name)
        if bound is not None and bound < 1:
            raise InvalidRequest(f"{name} is {bound}", hint=f"give a {name} of 1 or more, or none")


def _dialect(name: str) -> Dialect:
    if name not in DIALECTS:
        raise InvalidRequest(f"there is no dialect {name!r}", hint=f"known: {', '.join(DIALECTS)}")
    return DIALECTS[name]


def _other_readings(drafts: Sequence[Draft], chosen: Draft, unsure: bool) -> Iterator[Draft]:
    """The drafts that are hardly less likely: other bearers of a name; any where the answer is unsure."""
    for draft in drafts:
        near = chosen.score - draft.score <= AMBIGUITY and draft is not chosen
        if near and (_is_homonym(draft, chosen) or (unsure and not draft.empty)):
            yield draft


def _otherwise(chosen: Outcome, other: Outcome, text: str) -> tuple[str, str]:
    """The code and the words of the warning that another reading answers otherwise."""
    if not _is_homonym(other.draft, chosen.draft):
        steps = " ".join(map(str, other.draft.program.steps))
        return "other-reading", f"read as {steps} the answer would be: {text}"
    meant = ", ".join(f"{b.label} <{b.iri}>" for b in other.grounding.bindings if b.kind == Kind.ENTITY)
    return "ambiguous-name", f"with {meant} the answer would be: {text}"


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
    """Whether the answer is one: that there is no such thing is one, where just that was asked."""
    asked = outcome.draft.program.steps[-1].function == "Exists"
    return outcome.answer is not None and (asked or not _is_nothing(outcome.answer))


def _is_nothing(answer: Answer) -> bool:
    """Whether a program found nothing: no value, a count of none, or a verdict without any value."""
    match answer.output:
        case Type.VERDICT:
            return str(answer.values[0]) != "yes" and not answer.evidence
        case Type.NUMBER:
            return answer.strings in ((), ("0",))
        case _:
            return answer.empty


def _attempt(draft: Draft, outcome: str) -> Attempt:
    return Attempt(NOTATIONS["steps"].write(draft.program), draft.source, draft.score, outcome)


__all__ = ["Ask", "Gateway", "Pin"]
