"""Drafts that a model writes for one question: prompted, bound by a grammar, repaired, grounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Literal

from compilers.kopl.check import check
from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from compilers.kopl.repair import Repaired, repair
from connectors.errors import EndpointCancelled, EndpointError
from nlq_gateway.answering.attempt import Ask
from nlq_gateway.answering.grounding import Resolver, types_in
from nlq_gateway.answering.looking import Looking
from nlq_gateway.answering.model_stages import ModelStages
from nlq_gateway.answering.once import made_once
from nlq_gateway.core.types import Draft, Links
from nlq_gateway.drafts.generation.decompose import Decomposed
from nlq_gateway.drafts.generation.grammar import program_grammar, program_schema
from nlq_gateway.drafts.generation.known import AllowedNames, Fact, Known, Written
from nlq_gateway.drafts.generation.looking import Explorer, prompt_of
from nlq_gateway.drafts.generation.prompting.prompt import Prompter
from nlq_gateway.drafts.generation.writer import TEMPERATURE, TOP_K, ProgramWriter, in_steps
from nlq_gateway.judging import together
from nlq_gateway.models import GREEDY, Deadline, Generation, ModelRequest, Prompt, Sampling
from nlq_gateway.models.metered import Metered
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.settings import PipelineSettings
from nlq_gateway.trace import Attempt, Recorder, SubQuestion

DECOMPOSE, EXPLORE = "decompose", "explore"
# Calls of the model for a question that it explores.
MOST_CALLS = 8
# Demonstrations in each of its prompts after the first.
SHOTS_TO_EXPLORE = 5
MOST_BEARERS = 6
LONGEST_ATTEMPT = 2_000

Notation = Literal["steps", "code"]


@dataclass(frozen=True)
class ModelDrafting:
    """One question, and a model that writes programs for it by a strategy: steps, code, decompose or explore.

    `sub_questions` are what decomposed programs came of.
    """

    request: Ask
    stages: ModelStages
    reading: QuestionReading
    recorder: Recorder
    model: Metered
    deadline: Deadline
    settings: PipelineSettings
    strategy: str
    sub_questions: dict[Program, tuple[SubQuestion, ...]] = field(default_factory=dict)

    @property
    def links(self) -> Links:
        """The links of the question's words."""
        return self.reading.links

    def drafts(self) -> Iterator[tuple[Draft, ...]]:
        """The written programs, each with its readings, best first; the recorder gets other texts.

        Nothing is written before it is asked for. Raises ModelError, and what the store raises.
        """
        ways = {DECOMPOSE: self._decomposed, EXPLORE: self._explored}
        for one, draft in ways.get(self.strategy, self._written)():
            if draft is None:
                self.recorder.attempts.append(unsound_attempt(one, self.strategy))
            else:
                yield self.readings(draft)

    def _written(self) -> Iterator[tuple[Written, Draft | None]]:
        """Programs in the notation that the strategy is named after."""
        writer = ProgramWriter(
            self.model.about("write"),
            self.notation,
            self.stages.fixed(self.notation),
            repair=self.repair,
            card=self.stages.card,
        )
        texts = writer.write(
            self.known,
            self.stages.examples(self.notation, self.links),
            self.deadline,
            alike=self.stages.alike,
            grammar=self._grammar() if self.model.capabilities.grammar else None,
            schema=self._schema() if self.model.capabilities.schema else None,
            samples=max(self.settings.samples, self.settings.runs - 1),
            repeated=self.settings.runs > 1,
        )
        while (written := self._next(texts)) is not None:
            yield written, self.draft(written) if written.sound else None

    def _explored(self) -> Iterator[tuple[Written, Draft | None]]:
        """The first program, then those that are written after looks at the graph."""
        first, draft = next(self._written())
        yield first, draft
        looking = Looking(
            self.stages, self.links, self.request, self.recorder, self.deadline, self.repair, self.draft
        )
        explorer = Explorer(
            self._replied,
            self.repair,
            looking.look,
            looking.tried,
            self._calls_left,
        )
        for written in explorer.explore(self._to_explore(), first):
            yield written, self.draft(written) if written.sound else None

    def _calls_left(self, prompt: Prompt, most: int) -> int:
        """The calls that are left for looks and programs; replies that were kept count, too."""
        others = self.settings.refine + (self.settings.response == "model")
        return min(self.model.left(prompt, most), self.model.budget.calls - len(prompt.turns)) - others

    def _replied(self, prompt: Prompt, sampling: Sampling) -> Generation:
        with self.recorder.stage("write"):
            request = ModelRequest(prompt, sampling)
            return self.model.about("look").generate(request, self.deadline).generations[0]

    def _to_explore(self) -> Prompt:
        """The prompt of the first program, as the beginning of a dialogue; each call reads all of it anew."""
        fixed, examples = self.stages.fixed(self.notation), self.stages.examples(self.notation, self.links)
        near = sorted(examples, key=lambda one: -one.similarity)[:SHOTS_TO_EXPLORE]
        count, card = self.model.count_tokens, self.stages.card
        prompter = Prompter(self.notation, count, fixed[:SHOTS_TO_EXPLORE], card=card)
        return prompt_of(prompter.prompt(self.known, near, cue=False), self.model.capabilities.tools)

    def _decomposed(self) -> Iterator[tuple[Written, Draft | None]]:
        """Programs composed of what sub-questions stand for (Keqing); further runs are sampled."""
        known = self.known
        for run in range(1 + max(self.settings.samples, self.settings.runs - 1)):
            sampling = Sampling(TEMPERATURE, TOP_K, seed=run) if run else GREEDY
            with self.recorder.stage("write"):
                decomposer = self.stages.decomposer(self.model.about("decompose"))
                found = decomposer.decompose(self.links, known, self.deadline, sampling)
            self.recorder.sub_questions = tuple(_sub_questions_of(found))
            if found.written.program is not None:
                self.sub_questions[found.written.program] = self.recorder.sub_questions
            yield found.written, self._composed(found) if found.written.sound else None

    def _next(self, texts: Iterator[Written]) -> Written | None:
        with self.recorder.stage("write"):
            return next(texts, None)

    @property
    def notation(self) -> Notation:
        """The notation that programs are written in."""
        return "code" if self.strategy == "code" else "steps"

    def repair(self, program: Program) -> Repaired:
        """The program, with what the types of this graph put right."""
        return repair(program, types_in(self.stages.index))

    @made_once
    def _facts(self) -> tuple[Fact, ...]:
        """The facts around the question; none, with a warning, where the store does not tell them."""
        with self.recorder.stage("facts"):
            try:
                facts = self.stages.facts(self.links)
            except EndpointCancelled:
                raise
            except EndpointError as error:
                self.recorder.warn("facts-missing", f"the store did not tell facts: {error.message}")
                return ()
        self.recorder.facts = tuple(map(_fact_line, facts))
        return facts

    @made_once
    def known(self) -> Known:
        """The prompt's part about the question."""
        facts = self._facts
        with self.recorder.stage("card"):
            return self.stages.known(self.links, facts)

    def _grammar(self) -> str | None:
        """The grammar for a model that follows one; None if it is not to be bound."""
        if self.settings.grammar == "none":
            return None
        free = self.settings.grammar == "types"
        return program_grammar(self._names, self.notation, free_names=free)

    def _schema(self) -> str | None:
        """The JSON Schema for a model that follows schemas alone."""
        if self.settings.grammar == "none":
            return None
        return program_schema(self._names, free_names=self.settings.grammar == "types")

    @made_once
    def _names(self) -> AllowedNames:
        """The names that the model may write."""
        with self.recorder.stage("facts"):
            return self.stages.names.names(self.links, self._facts)

    def draft(self, written: Written) -> Draft | None:
        """The program over the graph's names (QUACK); None where it is none any more.

        A model that explores chooses names by looking: for it the nearest are taken.
        """
        assert written.program is not None
        chooses = None if self.strategy == EXPLORE else self.model.about("ground")
        with self.recorder.stage("resolve"):
            resolved = Resolver(self.stages.index).resolve(
                written.program,
                self.links,
                chooses,
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

    def readings(self, draft: Draft) -> tuple[Draft, ...]:
        """The draft for each bearer of its names, scored as the others are."""
        judge = self.stages.sources.endpoint.judge
        judged = judge.order(self.reading, together(by_bearer(draft), lambda _: 0.0))
        return tuple(one.draft for one in judged)

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


def _likelihood(written: Written) -> dict[str, float]:
    if written.log_probability is None:
        return {}
    mean = written.log_probability / max(1, written.tokens)
    return {"log_probability": written.log_probability, "likelihood": mean}


def by_bearer(draft: Draft) -> tuple[Draft, ...]:
    """The draft with one bearer of each entity's name, in the order of its choices; at most `MOST_BEARERS`.

    A name in a program stands for all that bear it, one in a question mostly for one of them.
    """
    places = tuple(_entities(draft))
    combined = product(*(draft.choices[place] for place in places))
    meant = (dict(zip(places, ((iri,) for iri in iris), strict=True)) for iris in combined)
    return tuple(replace(draft, choices={**draft.choices, **one}) for one in islice(meant, MOST_BEARERS))


def _entities(draft: Draft) -> Iterator[tuple[int, int]]:
    for step, argument in draft.choices:
        if draft.program.steps[step].signature.parameters[argument].kind == Kind.ENTITY:
            yield step, argument


def unsound_attempt(written: Written, strategy: str) -> Attempt:
    """The texts that are no program, each with the reason."""
    why = "; ".join(issue.message for issue in written.issues) or "no program over this graph"
    return Attempt(in_steps(written)[:LONGEST_ATTEMPT], strategy, 0.0, why, written.how, written.repairs)


def _fact_line(fact: Fact) -> str:
    """A fact on a line: `Fargo: directed by (forward)`."""
    way = fact.direction or fact.kind
    qualifier = f", qualifier {fact.qualifier}" if fact.qualifier else ""
    return f"{fact.about}: {fact.label} ({way}{qualifier})"


def _sub_questions_of(found: Decomposed) -> Iterator[SubQuestion]:
    """The sub-questions, as far as they were solved, with what they were taken for."""
    for solved in found.subquestions:
        taken = solved.candidate
        others = tuple(one.words for one in solved.candidates if one is not taken)
        if taken is None:
            yield SubQuestion(solved.text, "", "", 0.0, 0.0, others)
        else:
            yield SubQuestion(
                solved.text, taken.words, taken.chain, taken.similarity, taken.probability, others
            )
