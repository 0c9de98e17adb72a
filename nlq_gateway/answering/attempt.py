"""One draft carried out: checked, grounded, compiled, run, and told as a trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from compilers.answers import Answer
from compilers.compile import CompiledQuery, compile_program
from compilers.grounded import GroundedProgram
from compilers.kopl.check import require_valid
from compilers.kopl.functions import Kind, Type
from compilers.read_answers import read_answer
from connectors.errors import EndpointError, EndpointRefusedQuery, EndpointTimeout, IncompleteResult
from connectors.results import Result
from nlq_gateway.answering.closures import Followed, follow, unsettled
from nlq_gateway.answering.contents import contents_of
from nlq_gateway.answering.execution import ANSWERED, ExecutedQuery, Store, execute
from nlq_gateway.answering.grounding import Grounder, Grounding, Pin
from nlq_gateway.answering.headings import headings_of
from nlq_gateway.answering.labels import labelled
from nlq_gateway.answering.left_out import LookUp, left_out
from nlq_gateway.answering.probes import probe_steps
from nlq_gateway.answering.response import answer_text, diagnosis_of
from nlq_gateway.answering.tables import Rows, Table, table_of
from nlq_gateway.answering.ties import crowded, looked_up, ties_of, unconnected, unstated
from nlq_gateway.answering.why_nothing import why_nothing
from nlq_gateway.core.types import Draft, Hit
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index import Index
from nlq_gateway.judging.confidence import SURE_ENOUGH
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.language.sentences import saying
from nlq_gateway.language.wording.english import plural
from nlq_gateway.trace import (
    GroundingEvent,
    ProgramEvent,
    Recorder,
    SparqlEvent,
    Stage,
    StepTrace,
    Trace,
    new_trace_id,
)

# The strategy that takes drafts from everywhere, and the one that takes them from the reasoner alone.
AUTO, BOTTOM_UP = "auto", "bottom-up"
_SHOWS_THINGS = (Type.NAMES, Type.VALUES, Type.ROWS)


@dataclass(frozen=True, slots=True)
class Ask:
    """One question, as a client asks it; without a `strategy` the configured one is taken.

    `language` is a BCP 47 tag, which orders labels; "" is the language that the question's words tell.

    With `guess` the likeliest reading answers, however unsure; with `only` the strategy answers alone:
    nothing else is drafted, votes on it or keeps it back. An answer less sure than `enough` is kept back.
    """

    question: str
    dataset: str | None = None
    language: str = ""
    strategy: str = ""
    execute: bool = True
    max_rows: int | None = None
    timeout_ms: int | None = None
    pins: tuple[Pin, ...] = ()
    guess: bool = False
    only: bool = False
    enough: float = SURE_ENOUGH

    @property
    def may_refuse(self) -> bool:
        """True if an unsure answer may be kept back: a reader who pins a name has chosen the reading."""
        return not (self.guess or self.pins or self.only) and self.execute


@dataclass(frozen=True, slots=True)
class Outcome:
    """A grounded program with its query, and the answer when it was run.

    `attempt` is how many programs had been carried out for the question with this one; `shown` is the result
    with labels in other languages, where things have no other.
    """

    draft: Draft
    grounding: Grounding
    query: CompiledQuery
    attempt: int = 0
    result: Result | None = None
    answer: Answer | None = None
    stages: tuple[Stage, ...] = ()
    shown: Result | None = None


def carry_out(
    endpoint: Endpoint,
    request: Ask,
    draft: Draft,
    hits: dict[str, tuple[Hit, ...]],
    recorder: Recorder,
    near: bool = True,
) -> Outcome:
    """Check, ground, compile and run one draft; raises CompilerError or EndpointError.

    `hits` is what linking found for words of the question; `near` lets a name stand for the nearest one.
    """
    require_valid(draft.program)
    recorder.carried_out = attempt = recorder.carried_out + 1
    recorder.tell(ProgramEvent(attempt, draft.source, draft.program))
    with recorder.stage("ground"):
        known = {place: hits[words] for place, words in draft.mentions.items() if words in hits}
        entities = {p: found for p, found in known.items() if p in draft.choices and _is_entity(found)}
        grounding = Grounder(endpoint.index).ground(
            draft.program,
            choices=draft.choices,
            mentions=draft.mentions,
            alternatives=entities,
            pins=request.pins,
            margins=draft.margins,
            near=near,
        )
    recorder.tell(GroundingEvent(attempt, grounding.bindings))
    if grounding.grounded.program != draft.program:
        bound = grounding.grounded.bindings
        choices = {place: bound[place].iris for place in draft.choices.keys() & bound.keys()}
        draft = replace(draft, program=grounding.grounded.program, choices={**draft.choices, **choices})
    options = endpoint.options_for((request.language,))
    store = Store(endpoint.select, endpoint.layout, options)
    milliseconds = request.timeout_ms or endpoint.settings.limits.query_ms
    followed = Followed(grounding.grounded, milliseconds)
    if request.execute and unsettled(grounding.grounded, options) is not None:
        with recorder.stage("execute"):
            followed = follow(grounding.grounded, store, milliseconds)
    with recorder.stage("compile"):
        query = compile_program(followed.grounded, endpoint.layout, options)
    recorder.tell(SparqlEvent(query.text, query.spans, attempt))
    if not request.execute:
        return Outcome(draft, grounding, query, attempt)
    with recorder.stage("execute"):
        try:
            executed = execute(followed.grounded, query, store, followed.left_ms, request.max_rows)
            if _has_unnamed(query, executed.result):
                query, executed = _with_owners(query, executed, store, milliseconds, request.max_rows)
                recorder.tell(SparqlEvent(query.text, query.spans, attempt))
        except EndpointError as error:
            error.made = query
            raise
        _warn_of(executed, recorder)
        result, shown = executed.result, labelled(query, executed.result, store)
        answer = read_answer(
            query, shown.columns, shown.rows, languages=options.languages, name_of=endpoint.name_of
        )
    stages = (*followed.stages, *executed.stages)
    return Outcome(draft, grounding, query, attempt, result, answer, stages if len(stages) > 1 else (), shown)


def _has_unnamed(query: CompiledQuery, result: Result) -> bool:
    """True if the rows show blank nodes in the place of things."""
    entities = {column.name for column in query.columns if column.role == "entity"}
    places = [at for at, name in enumerate(result.columns) if name in entities]
    shown = (row[at] for row in result.rows for at in places) if query.output in _SHOWS_THINGS else ()
    return any(term is not None and term.kind == "blank" for term in shown)


def _with_owners(
    query: CompiledQuery, executed: ExecutedQuery, store: Store, timeout_ms: int, max_rows: int | None
) -> tuple[CompiledQuery, ExecutedQuery]:
    """The query that tells what blank nodes belong to, with its rows; those given where the store refuses it.

    A blank node has another identifier in each answer: what tells it must come with it.
    """
    assert query.origin is not None
    grounded, options = query.origin.grounded, replace(store.options, owners=True)
    try:
        owning = compile_program(grounded, store.layout, options)
        return owning, execute(grounded, owning, replace(store, options=options), timeout_ms, max_rows)
    except (EndpointRefusedQuery, EndpointTimeout, IncompleteResult):
        return query, executed


def _warn_of(executed: ExecutedQuery, recorder: Recorder) -> None:
    """The warnings about the way to the rows."""
    if executed.attempts > 1:
        times = f"{executed.attempts} times"
        recorder.warn("endpoint-retried", f"a query was sent {times} until the store answered it")
    if not executed.typed:
        recorder.warn(
            "endpoint-untyped",
            "the store sent a table of bare text: what looks like an IRI is taken for one, all else for text",
        )


def trace_of(
    endpoint: Endpoint, request: Ask, outcome: Outcome, recorder: Recorder, *, probes: bool
) -> Trace:
    """The whole story of an outcome; `probes` has the steps' members counted."""
    if outcome.attempt != recorder.carried_out:
        _tell_again(outcome, recorder)
    origin = outcome.query.origin
    options = origin.options if origin is not None else endpoint.options_for((request.language,))
    grounded = origin.grounded if origin is not None else outcome.grounding.grounded
    answer, result = outcome.answer, outcome.result
    truncated = result is not None and (result.truncated or len(result.rows) >= options.limit)
    steps: tuple[StepTrace, ...] = ()
    if probes and result is not None:
        with recorder.stage("probe"):
            steps = probe_steps(
                grounded,
                endpoint.select,
                endpoint.layout,
                options,
                recorder,
                answer=None if truncated else answer,
                name_of=endpoint.name_of,
            )
    _warn_of_stages(outcome.stages, grounded, recorder)
    for remark in outcome.draft.remarks:
        recorder.warn("reading", remark)
    for warning in outcome.grounding.warnings:
        recorder.warn(warning.code, warning.message)
    _warn_of_pins(outcome.grounding, endpoint, recorder)
    empty = answer is not None and answer.empty
    counts = {step.step: step.count for step in steps if step.count is not None}
    for message in unconnected(grounded.program, counts) if steps else ():
        recorder.warn("unconnected-columns", message)
    store = Store(endpoint.select, endpoint.layout, options)
    look_up = partial(looked_up, store=store, name_of=endpoint.name_of)
    if steps and answer is not None and not truncated:
        _warn_of_others(endpoint, grounded, answer, counts, recorder, look_up)
    columns, headings, cells = _table(outcome, endpoint.name_of, options.languages)
    text = ""
    if answer is not None:
        held = contents_of(grounded, answer, endpoint.index, look_up)
        text = _text(request, outcome, answer, truncated, (headings, cells), endpoint)
        text = f"{text}: {held}" if held else text
    return Trace(
        id=new_trace_id(),
        question=request.question,
        dataset=endpoint.id,
        status="empty" if empty else "answered",
        text=text,
        answer=answer,
        result=result,
        columns=columns,
        cells=cells,
        truncated=truncated,
        program=outcome.draft.program,
        query=outcome.query,
        bindings=outcome.grounding.bindings,
        steps=steps,
        diagnosis=_diagnosis(grounded, answer, counts if steps else None, endpoint.index, request.language)
        if answer is not None
        else None,
        attempts=tuple(recorder.attempts),
        repairs=outcome.draft.repairs,
        facts=recorder.facts,
        sub_questions=recorder.sub_questions,
        looks=tuple(recorder.looks),
        demonstrations=recorder.demonstrations,
        stages=outcome.stages,
        warnings=tuple(recorder.warnings),
        timings_ms={"total": recorder.total_ms(), **recorder.timings_ms},
        index_version=endpoint.index.manifest.version,
    )


def _diagnosis(
    grounded: GroundedProgram, answer: Answer, counts: dict[int, int] | None, index: Index, language: str
) -> str | None:
    """Why an answer is empty, or counts none; None if it is not, or nothing is known of it."""
    if not answer.empty and (grounded.program.steps[-1].function, answer.strings) != ("Count", ("0",)):
        return None
    reasons = why_nothing(grounded, index, saying(language))
    if answer.empty and counts is not None:
        return diagnosis_of(grounded.program, counts, language, reasons)
    return " ".join(reasons.values()) or None


def _warn_of_others(
    endpoint: Endpoint,
    grounded: GroundedProgram,
    answer: Answer,
    counts: Mapping[int, int],
    recorder: Recorder,
    look_up: LookUp,
) -> None:
    """The warnings of what a table does not show, and of more than were asked for."""
    for message in left_out(grounded, answer, counts, look_up, _plural_of(endpoint)):
        recorder.warn("left-out", message)
    for message in unstated(grounded, answer, look_up) if not answer.empty else ():
        recorder.warn("not-compared", message)
    tied = ties_of(grounded, answer, look_up)
    for message in (*crowded(grounded.program, counts), *([tied] if tied else [])):
        recorder.warn("tied", message)


def _warn_of_stages(stages: tuple[Stage, ...], grounded: GroundedProgram, recorder: Recorder) -> None:
    """The warnings of several queries."""
    failed = next((stage for stage in stages if stage.outcome != ANSWERED), None)
    if failed is not None:
        reason = f"the store did not answer the query in one piece: {failed.outcome}"
        recorder.warn("answered-in-stages", f"{reason}; `stages` has the queries that it answered")
    if any(binding.reached is not None for binding in grounded.bindings.values()):
        reason = "the store loses rows where it follows a relation to any depth by itself"
        told = "`stages` has a query for each step, and the last one names what they found"
        recorder.warn("relation-followed", f"{reason}; {told}")


def _warn_of_pins(grounding: Grounding, endpoint: Endpoint, recorder: Recorder) -> None:
    """The warnings of pins to what is not in the graph."""
    for one in grounding.bindings:
        if one.how == "pinned" and not endpoint.has(one.iri):
            recorder.warn(
                "unknown-pin", f"step {one.step + 1}: nothing in this graph has the IRI <{one.iri}>"
            )


def unanswerable(request: Ask, endpoint: Endpoint, recorder: Recorder, unknown: str) -> Trace:
    """The trace of a question that no program states; `unknown` says what the graph does not have."""
    return Trace(
        id=new_trace_id(),
        question=request.question,
        dataset=endpoint.id,
        status="unanswerable",
        text=unknown,
        diagnosis=saying(request.language)("no_program"),
        strategy=request.strategy,
        attempts=tuple(recorder.attempts),
        facts=recorder.facts,
        sub_questions=recorder.sub_questions,
        looks=tuple(recorder.looks),
        demonstrations=recorder.demonstrations,
        timings_ms={"total": recorder.total_ms(), **recorder.timings_ms},
        warnings=tuple(recorder.warnings),
        index_version=endpoint.index.manifest.version,
    )


def refused(trace: Trace, unknown: str, language: str) -> Trace:
    """The trace of an answer that is too unsure: the reading that came closest, without its answer."""
    return replace(
        trace,
        status="unanswerable",
        text=unknown,
        answer=None,
        result=None,
        columns=(),
        cells=(),
        truncated=False,
        diagnosis=saying(language)("closest"),
    )


def _tell_again(outcome: Outcome, recorder: Recorder) -> None:
    """The events of the chosen program again, for listeners that have got later ones meanwhile."""
    recorder.tell(ProgramEvent(outcome.attempt, outcome.draft.source, outcome.draft.program))
    recorder.tell(GroundingEvent(outcome.attempt, outcome.grounding.bindings))
    recorder.tell(SparqlEvent(outcome.query.text, outcome.query.spans, outcome.attempt))


def _text(
    request: Ask, outcome: Outcome, answer: Answer, truncated: bool, table: Table, endpoint: Endpoint
) -> str:
    """The answer in words; columns are named after labels."""
    columns, cells = table
    return answer_text(
        outcome.draft.program,
        answer,
        truncated,
        cells,
        columns,
        _plural_of(endpoint),
        request.language,
    )


def _plural_of(endpoint: Endpoint) -> Callable[[str], str]:
    """Makes a plural of a label; it is known in English alone, where a class may have a capital."""
    return _plural if endpoint.prepared.options.languages[:1] == (ENGLISH,) else str


def _plural(label: str) -> str:
    return plural(label[:1].lower() + label[1:] if label[1:2].islower() else label)


def _table(
    outcome: Outcome, name_of: Callable[[str], str], languages: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...], Rows]:
    """The columns of the table, as they are written and as sentences have them, and its rows."""
    if outcome.shown is None or outcome.answer is None:
        return (), (), ()
    named, cells = table_of(outcome.query, outcome.shown, outcome.answer, name_of, languages)
    columns, headings = headings_of(named, outcome.query, outcome.grounding.grounded, languages)
    return columns, headings, cells


def _is_entity(hits: tuple[Hit, ...]) -> bool:
    return bool(hits) and hits[0].kind == Kind.ENTITY
