"""The pipeline: asks, compiles, runs and grounds over its endpoints."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import get_args

from compilers.dialects import DIALECTS, Dialect
from compilers.grounded import GroundedProgram
from compilers.kopl.check import require_valid
from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from compilers.layouts import Options
from connectors.asking import asking
from nlq_gateway.answering.attempt import AUTO, BOTTOM_UP, Ask, carry_out, trace_of
from nlq_gateway.answering.describing import Asking, Description, ThingDescriber
from nlq_gateway.answering.grounding import Grounder, Pin
from nlq_gateway.answering.model_stages import ModelStages
from nlq_gateway.answering.order import AskedQuestion, answer
from nlq_gateway.answering.qualifiers import told_apart
from nlq_gateway.answering.sources import Sources
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.answering.writing import EXPLORE, MOST_CALLS, ModelDrafting
from nlq_gateway.core.errors import InvalidRequest, NoModel, TooLarge, UnknownDataset
from nlq_gateway.core.types import Draft, EntityItem
from nlq_gateway.core.words import readable
from nlq_gateway.drafts.demonstrations import Confirmed
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.judging.confidence import ENOUGH
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.models import Deadline
from nlq_gateway.models.metered import Metered, QuestionBudget, RememberedReplies
from nlq_gateway.models.opened import OpenedModel, configured_model
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.settings import Settings
from nlq_gateway.settings.language_model import Strategy
from nlq_gateway.trace import Listener, Recorder, Trace

STRATEGIES: tuple[str, ...] = get_args(Strategy)
WITHOUT_MODEL = (AUTO, BOTTOM_UP)


class Pipeline:
    """All endpoints and the way through the stages. Safe to share between threads."""

    def __init__(self, settings: Settings, model: OpenedModel | None = None) -> None:
        """Know the endpoints; nothing is opened before they are prepared.

        `model` takes the place of the configured one.
        """
        self.settings = settings
        self.model = model or configured_model(settings.model)
        self._remembered = RememberedReplies()
        self.endpoints = {endpoint.id: Endpoint(endpoint) for endpoint in settings.endpoints}
        self._sources: dict[str, Sources] = {}
        self._stages: dict[str, ModelStages] = {}

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

    def ask(
        self, request: Ask, gone: threading.Event | None = None, listeners: Sequence[Listener] = ()
    ) -> Trace:
        """Answer a question; `gone` is set when the client has left.

        `listeners` are told what happens while it does, in the thread that asks.

        Raises:
            GatewayError: the request is wrong, or the endpoint is not ready.
            EndpointError: the store failed, an outage is never an empty answer; or `gone` was set.
        """
        with asking(gone=gone):
            return self._answered(request, gone, Recorder(listeners=tuple(listeners)))

    def _answered(self, request: Ask, gone: threading.Event | None, recorder: Recorder) -> Trace:
        strategy = request.strategy or self.settings.pipeline.strategy
        only = request.only or self.settings.pipeline.only
        enough = ENOUGH[self.settings.pipeline.caution]
        question = readable(request.question)
        request = replace(request, question=question, strategy=strategy, only=only, enough=enough)
        self._require_sound(request)
        endpoint = self.endpoint(request.dataset).snapshot()
        budget = self.settings.pipeline.budget
        start = None if self.model is None else partial(self._start_model, endpoint, recorder, gone)
        prunes = self.settings.pipeline.prune
        asked = AskedQuestion(request, endpoint, self.sources(endpoint), recorder, start, prunes)
        # A model may run in this thread, within its own budget.
        own = request.timeout_ms or endpoint.settings.limits.query_ms
        return answer(asked, own + (budget.seconds * 1000 if self.model else 0))

    def run(
        self,
        program: Program,
        dataset: str | None = None,
        *,
        pins: Sequence[Pin] = (),
        max_rows: int | None = None,
        timeout_ms: int | None = None,
        probes: bool = True,
        language: str = ENGLISH,
        strict: bool = False,
        listeners: Sequence[Listener] = (),
    ) -> Trace:
        """Run a given program; raises CompilerError besides the errors of `ask`.

        `strict` refuses the functions beyond KQA Pro's; `listeners` are told what happens, as by `ask`.
        """
        endpoint = self.endpoint(dataset).snapshot()
        require_valid(program, strict=strict)
        recorder = Recorder(listeners=tuple(listeners))
        request = Ask("", dataset, language, max_rows=max_rows, timeout_ms=timeout_ms, pins=tuple(pins))
        _require_bounds(request)
        draft = Draft(program, "given", 1.0)
        outcome = carry_out(endpoint, request, draft, {}, recorder, near=False)
        trace = trace_of(endpoint, request, outcome, recorder, probes=probes)
        trace = told_apart(endpoint, request, outcome, trace) if probes else trace
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
        """The compiler's input: the grounded program, layout, options. Raises CompilerError."""
        endpoint = self.endpoint(dataset).snapshot()
        require_valid(program, strict=strict)
        grounding = Grounder(endpoint.index).ground(program, pins=pins, near=False)
        options = endpoint.prepared.options
        if dialect is not None:
            options = replace(options, dialect=_dialect(dialect))
        return grounding.grounded, endpoint.layout, options

    def describe(
        self, endpoint: Endpoint, iri: str, language: str, facts: int | None = None
    ) -> Description | None:
        """The description of a thing or class; None if the graph has nothing of it. Raises EndpointError.

        `facts` bounds the attributes and relations of a thing that are told, the most telling first.
        """
        index = endpoint.index
        if concept := index.item(Kind.CONCEPT, iri):
            return Asking(endpoint, self.surroundings(endpoint).around).about(concept)
        around = self.surroundings(endpoint).around(iri)
        thing = index.entity(iri) or EntityItem(iri, endpoint.name_of(iri))
        return ThingDescriber(endpoint, around, language).thing(thing, facts) if around else None

    def prepare_prompts(self, endpoint: Endpoint) -> None:
        """Make what a language model is told of a ready endpoint, for seconds; raises EndpointError."""
        if self.model is not None:
            self._stages_of(endpoint).prepare()

    def surroundings(self, endpoint: Endpoint) -> StoreSurroundings:
        """The surroundings of a ready endpoint's store, with the cache of its questions."""
        return self.sources(endpoint).surroundings

    def sources(self, endpoint: Endpoint) -> Sources:
        """The stages over what the endpoint has open; others once it has another version of its index.

        Raises the error of an endpoint that is not ready: stages over it would stay so.
        """
        ready, found = endpoint.prepared, self._sources.get(endpoint.id)
        if found is None or found.endpoint.prepared is not ready:
            found = self._sources[endpoint.id] = Sources(endpoint.snapshot())
        return found

    def learn_from(self, confirmed: Confirmed) -> None:
        """Take confirmed pairs of questions and programs for demonstrations, from now on."""
        for endpoint in self.endpoints.values():
            endpoint.learn_from(confirmed)

    def close(self) -> None:
        """Close every endpoint and the model."""
        if self.model is not None:
            self.model.close()
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
            hint = f"known: {', '.join(STRATEGIES)}"
            raise InvalidRequest(f"there is no strategy {request.strategy[:40]!r}", hint=hint)
        if request.strategy not in self.strategies:
            raise NoModel(
                f"the strategy {request.strategy!r} needs a language model, and none is configured",
                hint=f"available: {', '.join(self.strategies)}",
            )

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies that can be asked for."""
        return STRATEGIES if self.model else WITHOUT_MODEL

    def _start_model(
        self,
        endpoint: Endpoint,
        recorder: Recorder,
        gone: threading.Event | None,
        request: Ask,
        reading: QuestionReading,
    ) -> ModelDrafting:
        """Begin the question's budget of the language model."""
        assert self.model is not None
        wanted = self.settings.pipeline
        strategy = wanted.writer if request.strategy in WITHOUT_MODEL else request.strategy
        calls = min(wanted.budget.calls, MOST_CALLS) if strategy == EXPLORE else wanted.budget.calls
        budget = QuestionBudget(wanted.budget.seconds, calls, wanted.budget.tokens)
        deadline = Deadline(time.monotonic() + budget.seconds, gone or threading.Event())
        model = Metered(self.model, budget, self._remembered)
        stages = self._stages_of(endpoint)
        return ModelDrafting(request, stages, reading, recorder, model, deadline, wanted, strategy)

    def _stages_of(self, endpoint: Endpoint) -> ModelStages:
        sources = self.sources(endpoint)
        found = self._stages.get(endpoint.id)
        if found is None or found.sources is not sources:
            found = self._stages[endpoint.id] = ModelStages(sources, self._count, self.settings.pipeline.card)
        return found

    def _count(self, text: str) -> int:
        """The tokens of a text, as the model that is asked counts them."""
        assert self.model is not None
        return self.model.count_tokens(text)


def _require_bounds(request: Ask) -> None:
    """Raise InvalidRequest for bounds of no rows or no time, whose results would look like empty answers."""
    for name in ("max_rows", "timeout_ms"):
        bound = getattr(request, name)
        if bound is not None and bound < 1:
            raise InvalidRequest(f"{name} is {bound}", hint=f"give a {name} of 1 or more, or none")


def _dialect(name: str) -> Dialect:
    if name not in DIALECTS:
        raise InvalidRequest(f"there is no dialect {name!r}", hint=f"known: {', '.join(DIALECTS)}")
    return DIALECTS[name]
