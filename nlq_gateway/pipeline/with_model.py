"""A question's way through the language model.

Told what is known of the question, it writes; what it writes is repaired, grounded and carried out, until
something of it answers the question or the budget is spent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, cast

from compilers.errors import CompilerError, UnsupportedProgram
from compilers.kopl.check import check
from compilers.kopl.functions import Kind
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.program import Program
from compilers.kopl.repair import repair
from connectors.errors import EndpointError, EndpointRefusedQuery, EndpointTimeout, IncompleteResult
from nlq_gateway.carrying import Ask, trace_of
from nlq_gateway.choosing import Choice, Chooser, attempt_of, is_same, tells
from nlq_gateway.errors import InvalidRequest
from nlq_gateway.generation.context.facts import known_of
from nlq_gateway.generation.decompose import Decomposed
from nlq_gateway.generation.grammar import program_grammar
from nlq_gateway.generation.known import Fact, Known, Names, Written
from nlq_gateway.generation.reading import read
from nlq_gateway.generation.scoring import rescored
from nlq_gateway.generation.writer import TEMPERATURE, TOP_K, Writer
from nlq_gateway.grounding import Resolver, types_in
from nlq_gateway.models import GREEDY, Deadline, ModelError, Sampling
from nlq_gateway.models.errors import Cancelled
from nlq_gateway.models.metered import Metered
from nlq_gateway.pipeline.bearers import by_bearer
from nlq_gateway.pipeline.model_stages import ModelStages
from nlq_gateway.pipeline.once import made_once
from nlq_gateway.ranking import together
from nlq_gateway.refine import Executed, Refiner, Standing, better
from nlq_gateway.response import Responder, Told
from nlq_gateway.settings import PipelineSettings
from nlq_gateway.trace import Attempt, Recorder, SubQuestion, Trace
from nlq_gateway.types import Draft, Links

LONGEST_ATTEMPT = 2_000
DECOMPOSE = "decompose"
# A program may be too much for a store that answers others, or name what no query can state.
_TOO_MUCH = (EndpointRefusedQuery, EndpointTimeout, IncompleteResult, CompilerError)


@dataclass(frozen=True)
class ModelWay:
    """One question, with a model that is within the question's budget.

    `rivals` are the drafts made without the model; `strategy` is how it writes: steps, code or decompose.
    `sub_questions` are what decomposed programs came of.
    """

    stages: ModelStages
    request: Ask
    links: Links
    rivals: Sequence[Draft]
    recorder: Recorder
    model: Metered
    deadline: Deadline
    settings: PipelineSettings
    strategy: str
    sub_questions: dict[Program, tuple[SubQuestion, ...]] = field(default_factory=dict)

    def choices(self) -> tuple[Choice, ...]:
        """What the model's programs find, in the order in which they were written.

        It ends with the first that answers, or after as many runs as are wanted. A model that fails ends it,
        too, with a warning. Raises EndpointError, and Cancelled.
        """
        found: list[Choice] = []
        try:
            self.model.prepare(self.deadline)
            for drafts in self._drafts():
                choice = self._again(drafts, found) or self._tried(drafts)
                found += [] if choice is None else [choice]
                if self._suffices(found):
                    break
            if self.settings.refine and found:
                surest = max(found, key=lambda one: one.confidence)
                found[found.index(surest)] = self._refined(surest)
        except Cancelled:
            raise
        except ModelError as error:
            self._gives_up(error)
        return tuple(found)

    def rescored(self) -> tuple[Draft, ...]:
        """The rivals in the order in which the model finds them probable (BYOKG); as they are where it fails.

        Their scores say the same order, so that what is far behind is not tried.
        """
        examples = self.stages.fixed("steps") + self.stages.examples("steps", self.links)
        try:
            with self.recorder.stage("score"):
                self.model.prepare(self.deadline)
                model = self.model.about("score")
                found = rescored(model, self.links, tuple(self.rivals), examples, self.deadline)
        except Cancelled:
            raise
        except ModelError as error:
            self._gives_up(error)
            return tuple(self.rivals)
        scores = sorted((draft.score for draft in found), reverse=True)
        return tuple(replace(draft, score=score) for draft, score in zip(found, scores, strict=True))

    def _gives_up(self, error: ModelError) -> None:
        self.recorder.warn("model-unavailable", f"the language model was given up on: {error.message}")

    def told(self, trace: Trace) -> Trace:
        """The trace, with what the model cost; in its words, where these are wanted and true."""
        if self.settings.response == "model" and trace.status in ("answered", "ambiguous"):
            trace = self._worded(trace)
        calls = tuple(self.model.spent.calls)
        timings = {"total": self.recorder.total_ms(), **self.recorder.timings_ms}
        trace = replace(trace, model=self.model.name if calls else "", model_calls=calls, timings_ms=timings)
        if trace.program in self.sub_questions:
            return replace(trace, sub_questions=self.sub_questions[trace.program])
        return trace

    def _suffices(self, found: Sequence[Choice]) -> bool:
        good = [one for one in found if not one.refused and (tells(one.outcome) or not self.request.execute)]
        return bool(good) and (len(found) >= self.settings.runs or not self.request.execute)

    def _drafts(self) -> Iterator[tuple[Draft, ...]]:
        """What is written, each with its readings, best first."""
        written = self._decomposed() if self.strategy == DECOMPOSE else self._written()
        for one, draft in written:
            if draft is None:
                self.recorder.attempts.append(_unsound(one, self.strategy))
            else:
                yield self._readings(draft)

    def _written(self) -> Iterator[tuple[Written, Draft | None]]:
        """Programs in the notation that the strategy is named after."""
        repaired = types_in(self.stages.index)
        writer = Writer(
            self.model.about("write"),
            self.strategy,
            self.stages.fixed(self.strategy),
            repair=lambda program: repair(program, repaired),
        )
        texts = writer.write(
            self._known,
            self.stages.examples(self.strategy, self.links),
            self.deadline,
            alike=self.stages.alike,
            grammar=self._grammar(),
            samples=max(self.settings.samples, self.settings.runs - 1),
            repeated=self.settings.runs > 1,
        )
        while (written := self._next(texts)) is not None:
            yield written, self._draft(written) if written.sound else None

    def _decomposed(self) -> Iterator[tuple[Written, Draft | None]]:
        """Programs composed of what sub-questions stand for (Keqing); further runs are sampled."""
        known = self._known
        for run in range(1 + max(self.settings.samples, self.settings.runs - 1)):
            sampling = Sampling(TEMPERATURE, TOP_K, seed=run) if run else GREEDY
            with self.recorder.stage("write"):
                decomposer = self.stages.decomposer(self.model.about("decompose"))
                found = decomposer.decompose(self.links, known, self.deadline, sampling)
            self.recorder.sub_questions = tuple(_sub_questions(found))
            if found.written.program is not None:
                self.sub_questions[found.written.program] = self.recorder.sub_questions
            yield found.written, self._composed(found) if found.written.sound else None

    def _next(self, texts: Iterator[Written]) -> Written | None:
        with self.recorder.stage("write"):
            return next(texts, None)

    @made_once
    def _facts(self) -> tuple[Fact, ...]:
        """The facts around the question; none, with a warning, where the store does not tell them."""
        with self.recorder.stage("facts"):
            try:
                facts = self.stages.facts.facts(self.links)
            except EndpointError as error:
                self.recorder.warn("facts-missing", f"the store did not tell facts: {error.message}")
                return ()
        self.recorder.facts = tuple(map(_shown, facts))
        return facts

    @made_once
    def _known(self) -> Known:
        return known_of(self.links, self._facts)

    def _grammar(self) -> str | None:
        """What binds the model, where it can be bound and is to be."""
        if self.settings.grammar == "none" or not self.model.capabilities.grammar:
            return None
        with self.recorder.stage("facts"):
            names = self.stages.names.names(self.links, self._facts)
        return _grammar_of(_Hashable(names), self.strategy, self.settings.grammar == "types")

    def _draft(self, written: Written) -> Draft | None:
        """The program over the graph's names (QUACK); None where it is none any more."""
        assert written.program is not None
        with self.recorder.stage("resolve"):
            resolved = Resolver(self.stages.index).resolve(
                written.program,
                self.links,
                self.model.about("ground"),
                self.deadline,
                self.stages.sources.surroundings,
            )
        if any(issue.severity == "error" for issue in check(resolved.program)):
            return None
        return Draft(
            resolved.program,
            self.strategy,
            0.0,
            _likelihood(written),
            self._mentions(resolved.program, resolved.choices),
            dict(resolved.choices),
            margins=dict(resolved.margins),
            repairs=(*written.repairs, *resolved.repairs),
            how=written.how,
        )

    def _composed(self, found: Decomposed) -> Draft:
        assert found.written.program is not None
        program, choices = found.written.program, dict(found.choices)
        parts = {**_likelihood(found.written), "run": found.confidence}
        mentions = self._mentions(program, choices)
        how = found.written.how
        return Draft(program, self.strategy, 0.0, parts, mentions, choices, how=how)

    def _readings(self, draft: Draft) -> tuple[Draft, ...]:
        """The draft for each bearer of its names, scored in words of the question, as the others are."""
        ranking = self.stages.sources.endpoint.ranking
        ranked = ranking.ranked(self.links, together(by_bearer(draft), lambda _: 0.0))
        return tuple(one.draft for one in ranked)

    def _mentions(
        self, program: Program, choices: Mapping[tuple[int, int], tuple[str, ...]]
    ) -> dict[tuple[int, int], str]:
        """The words of the question that entities were linked by."""
        words = {hit.iri: mention.text for mention in self.links.mentions for hit in mention.hits}
        places = (
            (step, argument)
            for step, one in enumerate(program.steps)
            for argument, parameter in enumerate(one.signature.parameters)
            if parameter.kind == Kind.ENTITY
        )
        found = {place: words.get(next(iter(choices.get(place, ())), "")) for place in places}
        return {place: text for place, text in found.items() if text}

    def _tried(self, drafts: Sequence[Draft]) -> Choice | None:
        """What comes of a program; None where it cannot be stated, or the store gives up on it.

        An outage is raised: it would be one for every program.
        """
        endpoint = self.stages.sources.endpoint
        longest = min(self.request.timeout_ms or endpoint.settings.limits.query_ms, self._milliseconds_left())
        request = replace(self.request, timeout_ms=longest)
        chooser = Chooser(endpoint, request, self.links, drafts, self.recorder, self.rivals)
        try:
            return chooser.choose()
        except InvalidRequest:
            return None
        except _TOO_MUCH as error:
            self.recorder.attempts.append(attempt_of(drafts[0], error.message))
            return None

    def _again(self, drafts: Sequence[Draft], found: Sequence[Choice]) -> Choice | None:
        """What is known to come of a program that was written before; None where it was not."""
        for choice in found:
            if any(is_same(choice.outcome.draft, draft) for draft in drafts):
                self.recorder.attempts.append(attempt_of(drafts[0], "as before"))
                return replace(choice)
        return None

    def _milliseconds_left(self) -> int:
        """Half of what is left: a program that is too slow leaves time for another."""
        self.deadline.check()
        return max(1, int(500 * self.deadline.left))

    def _refined(self, first: Choice) -> Choice:
        """What a second look at the executed steps makes of a choice (PER-KBQA), else the choice itself."""
        endpoint = self.stages.sources.endpoint
        with self.recorder.stage("probe"):
            shown = trace_of(endpoint, self.request, first.outcome, Recorder(), probes=True)
        names = (*self._known.entities, *self._known.concepts)
        executed = Executed(first.outcome.draft.program, shown.steps, shown.text)
        refiner = Refiner(self.model.about("refine"), lambda text: read(text, "steps").program)
        with self.recorder.stage("refine"):
            revision = refiner.refine(self.request.question, names, executed, self.deadline)
        if revision is None:
            return first
        repaired = repair(revision.program, types_in(self.stages.index))
        written = Written(
            revision.generation.text,
            "refined",
            repaired.program,
            check(repaired.program),
            repaired.repairs,
            revision.generation.log_probability,
            revision.generation.tokens,
        )
        draft = self._draft(written) if written.sound else None
        if draft is None:
            self.recorder.attempts.append(_unsound(written, self.strategy))
            return first
        choice = self._tried(self._readings(draft))
        return choice if choice is not None and better(_standing(first), _standing(choice)) else first

    def _worded(self, trace: Trace) -> Trace:
        if trace.answer is None or trace.program is None:
            return trace
        told = Told(trace.question, trace.program, trace.answer, trace.steps, trace.truncated)
        with self.recorder.stage("respond"):
            response = Responder(self.model.about("respond")).respond(told, self.deadline)
        warnings = (*trace.warnings, *((response.warning,) if response.warning else ()))
        return replace(trace, text=response.text, warnings=warnings)


@dataclass(frozen=True, slots=True)
class _Hashable:
    """Names as a key of the cache of grammars."""

    names: Names = field(hash=False, compare=False)
    key: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", repr(self.names))


@lru_cache(maxsize=64)
def _grammar_of(names: _Hashable, notation: str, free_names: bool) -> str:
    return program_grammar(names.names, cast(Literal["steps", "code"], notation), free_names=free_names)


def _likelihood(written: Written) -> dict[str, float]:
    if written.log_probability is None:
        return {}
    mean = written.log_probability / max(1, written.tokens)
    return {"log_probability": written.log_probability, "likelihood": mean}


def _standing(choice: Choice) -> Standing:
    return Standing(True, tells(choice.outcome), choice.confidence)


def _unsound(written: Written, strategy: str) -> Attempt:
    """What was written and is no program, with why."""
    text = written.text.strip()
    # A function's name need not be one that steps can have.
    with suppress(UnsupportedProgram):
        text = NOTATIONS["steps"].write(written.program) if written.program is not None else text
    why = "; ".join(issue.message for issue in written.issues) or "no program over this graph"
    return Attempt(text[:LONGEST_ATTEMPT], strategy, 0.0, why, written.repairs, written.how)


def _shown(fact: Fact) -> str:
    way = fact.direction or fact.kind
    qualifier = f", qualifier {fact.qualifier}" if fact.qualifier else ""
    return f"{fact.about}: {fact.label} ({way}{qualifier})"


def _sub_questions(found: Decomposed) -> Iterator[SubQuestion]:
    for solved in found.subquestions:
        taken = solved.candidate
        others = tuple(one.words for one in solved.candidates if one is not taken)
        if taken is None:
            yield SubQuestion(solved.text, "", "", 0.0, 0.0, others)
        else:
            yield SubQuestion(
                solved.text, taken.words, taken.chain, taken.similarity, taken.probability, others
            )
