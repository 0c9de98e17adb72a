"""The `decompose` strategy: a question in sub-questions, each matched to templates, composed to a program.

After Keqing (sections 3.2 and 3.3). There every sub-question is answered by itself; here its logical chain
becomes steps of one program, which is compiled to one query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from compilers.issues import Issue
from compilers.kopl.check import check
from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from nlq_gateway.core.types import Links, SchemaItem
from nlq_gateway.drafts.generation.decompose.chains import Continuation
from nlq_gateway.drafts.generation.decompose.choice import chosen
from nlq_gateway.drafts.generation.decompose.forms import MASK
from nlq_gateway.drafts.generation.decompose.lines import SubQuestionLine, grammar, parse
from nlq_gateway.drafts.generation.decompose.prompt import decomposing
from nlq_gateway.drafts.generation.decompose.reader import Linked, SubQuestionReader
from nlq_gateway.drafts.generation.decompose.result import Decomposed, Solved
from nlq_gateway.drafts.generation.decompose.retrieval import Members, Retrieval
from nlq_gateway.drafts.generation.decompose.sketch import SETS, ChainEnd, ChainSketch, Choices
from nlq_gateway.drafts.generation.decompose.templates import Templates
from nlq_gateway.drafts.generation.known import Known, Written
from nlq_gateway.index import Index
from nlq_gateway.models import GREEDY, Deadline, Generation, Model, ModelRequest, Sampling

NEAREST = 5
_SHOWN = 8
_FACTS = 6
_STOP = ("\nQuestion:",)


@dataclass(frozen=True, slots=True)
class Decomposer:
    """Decomposes the questions of one endpoint. Stateless: safe to share between threads.

    `members` tells if sets at the end of programs have members, None if the store does not answer; `link`
    finds names and values in a text; `nearest` chains are candidates for each sub-question.
    """

    index: Index
    model: Model
    templates: Templates
    members: Members
    link: Linked
    nearest: int = NEAREST
    card: str = ""

    def decompose(
        self, links: Links, known: Known, deadline: Deadline, sampling: Sampling = GREEDY
    ) -> Decomposed:
        """One run; on failure `written` has no program, and its issues have the reason.

        Raises:
            ModelError: the model fails, or the deadline has passed.
            EndpointError: the store fails.
        """
        prompt = decomposing(known, self.templates.like(_masked(links), _SHOWN), self.card)
        rules = grammar() if self.model.capabilities.grammar else None
        wanted = replace(sampling, stop=(*sampling.stop, *_STOP))
        request = ModelRequest(prompt, wanted, grammar=rules)
        generation = self.model.generate(request, deadline).generations[0]
        parsed = parse(generation.text)
        if parsed.issues:
            return Decomposed((), _written(generation, None, parsed.issues))
        items = (self.index.item(fact.kind, fact.iri) for fact in known.facts[:_FACTS])
        about = tuple(item for item in items if item is not None)
        return _Run(self, links, deadline, parsed.subquestions, about).composed(generation)


@dataclass(frozen=True, slots=True)
class _State:
    """The state of a decomposition: the steps, the last step of each sub-question, and the blocking issue."""

    sketch: ChainSketch = field(default_factory=ChainSketch)
    found: Mapping[int, ChainEnd] = field(default_factory=dict)
    solved: tuple[Solved, ...] = ()
    issue: Issue | None = None


@dataclass(frozen=True, slots=True)
class _Run:
    """One decomposition in progress."""

    by: Decomposer
    links: Links
    deadline: Deadline
    subquestions: Sequence[SubQuestionLine]
    about: Sequence[SchemaItem]

    def composed(self, generation: Generation) -> Decomposed:
        """The sub-questions in order, as far as they can be solved."""
        state = _State()
        for one in self.subquestions:
            self.deadline.check()
            state = self._after(one, state)
            if state.issue is not None:
                return Decomposed(state.solved, _written(generation, None, (state.issue,)))
        program, choices = _closed(state.sketch, state.found[len(self.subquestions)])
        issues = (*unused(self.subquestions), *check(program))
        confidence = sum(one.sureness for one in state.solved) / len(state.solved)
        return Decomposed(state.solved, _written(generation, program, issues), choices, confidence)

    def _after(self, one: SubQuestionLine, state: _State) -> _State:
        """The state after a sub-question was solved."""
        readings = SubQuestionReader(self.by.index, self.by.link, self.links).read(one)
        strange = [operand.text for operand in readings[0].operands if not operand.is_known]
        if strange:
            return replace(state, issue=unknown(one, strange[0]))
        is_last = one.number == len(self.subquestions)
        continuation = Continuation(self.by.index, state.sketch, state.found, is_last)
        retrieval = Retrieval(self.by.templates, self.by.members, self.by.nearest)
        chains = retrieval.chains(continuation, readings, self.about)
        if not chains:
            return replace(state, issue=leads_nowhere(one))
        whole = self.links.question.text
        solved = chosen(self.by.model, whole, one, chains, state.solved, self.deadline, self.by.index)
        state = replace(state, solved=(*state.solved, solved))
        if solved.chosen is None:
            return replace(state, issue=none_fits(one))
        taken = chains[solved.chosen].first
        return replace(state, sketch=taken.sketch, found={**state.found, one.number: taken.found})


def _masked(links: Links) -> str:
    """The question with the names of entities masked."""
    text = links.question.text
    for one in sorted(links.mentions, key=lambda mention: -mention.start):
        if one.kind == Kind.ENTITY:
            text = f"{text[: one.start]}{MASK}{text[one.end :]}"
    return text


def _closed(sketch: ChainSketch, found: ChainEnd) -> tuple[Program, Choices]:
    """The program for the last sub-question, without unused steps."""
    if sketch.output(found.step) in SETS:
        sketch = sketch.adding("What", (), (found.step,))
        return sketch.until(len(sketch) - 1)
    return sketch.until(found.step)


def _written(generation: Generation, program: Program | None, issues: tuple[Issue, ...]) -> Written:
    return Written(
        generation.text,
        "decomposed",
        program,
        issues,
        log_probability=generation.log_probability,
        tokens=generation.tokens,
    )


def unused(subquestions: Sequence[SubQuestionLine]) -> tuple[Issue, ...]:
    """Warnings for sub-questions, before the last, that no other refers to."""
    used = {number for one in subquestions for number in one.references}
    return tuple(
        Issue(
            "warning",
            "unused-sub-question",
            one.number - 1,
            None,
            f"no sub-question uses the result of sub-question {one.number}; it is left out",
            "refer to it in a later one",
        )
        for one in subquestions[:-1]
        if one.number not in used
    )


def unknown(one: SubQuestionLine, name: str) -> Issue:
    """The error for a name that is not in the graph."""
    message = f"the graph has no {name!r}, which sub-question {one.number} begins from"
    return Issue("error", "unknown-name", one.number - 1, None, message, "use a name from the question")


def leads_nowhere(one: SubQuestionLine) -> Issue:
    """The error for a sub-question without a similar template that has an answer."""
    message = f"sub-question {one.number}, {one.text!r}, fits no question that the graph answers"
    return Issue(
        "error", "no-chain", one.number - 1, None, message, "ask for a relation or attribute that is there"
    )


def none_fits(one: SubQuestionLine) -> Issue:
    """The error for a sub-question whose templates the model rejected."""
    message = f"the model finds that no template means sub-question {one.number}, {one.text!r}"
    return Issue("error", "no-fitting-chain", one.number - 1, None, message, "say it in other words")
