"""The looks that a model takes at the graph for one question, each within its tokens, and in the trace."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from compilers.errors import CompilerError
from compilers.kopl.program import Program
from compilers.kopl.repair import Repaired
from compilers.probes import EXAMPLES
from connectors.errors import EndpointRefusedQuery, EndpointTimeout, IncompleteResult
from nlq_gateway.answering.attempt import Ask, carry_out, trace_of
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.answering.model_stages import ModelStages
from nlq_gateway.answering.once import made_once
from nlq_gateway.answering.probes import probe_steps
from nlq_gateway.core.types import Draft, EntityItem, Links, SchemaItem
from nlq_gateway.drafts.generation.known import Written
from nlq_gateway.drafts.generation.looking import (
    DESCRIBE,
    EXPLORED,
    FIND,
    LONGEST_NAME,
    LONGEST_PROGRAM,
    RUN,
    TOKENS,
    TOOLS,
    NameDescriber,
    found,
    things,
    within,
)
from nlq_gateway.drafts.generation.writer import in_steps, written_of
from nlq_gateway.drafts.refine import ExecutedProgram, executed_lines
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.models import Called, Deadline, Generation
from nlq_gateway.models.templates import one_line
from nlq_gateway.trace import Look, Recorder, StepTrace, Trace

# A look may be too much for a store that answers others, or be at what no query can state.
TOO_MUCH = (EndpointRefusedQuery, EndpointTimeout, IncompleteResult, CompilerError)
# Results of a step that are shown, until all steps fit.
_RESULTS = (EXAMPLES, 3, 1, 0)
_QUERY = Draft(Program(()), "explore", 0.0)


@dataclass(frozen=True)
class Looking:
    """The looks of one question; `draft` makes the program that was written one over the graph's names."""

    stages: ModelStages
    links: Links
    request: Ask
    recorder: Recorder
    deadline: Deadline
    repair: Callable[[Program], Repaired]
    draft: Callable[[Written], Draft | None]

    def look(self, call: Called) -> str:
        """The result of a call. Raises Cancelled, ModelTimeout, and EndpointError where the store is down."""
        return self._recorded(call, lambda: self._results.get(call.tool, self._no_tool)(call))

    def tried(self, written: Written) -> str:
        """The faults of a written program, or the findings of its steps; raises as `look` does."""
        return self._recorded(Called(RUN.name, in_steps(written)), lambda: self._ran(written))

    def _recorded(self, call: Called, result: Callable[[], str]) -> str:
        self.deadline.check()
        begun = time.perf_counter()
        with self.recorder.stage("look"):
            told = result()
        spent = (time.perf_counter() - begun) * 1000
        argument = call.argument[:LONGEST_PROGRAM]
        self.recorder.looks.append(Look(call.tool, argument, told, spent, self._count(told)))
        return told

    @property
    def _results(self) -> dict[str, Callable[[Called], str]]:
        return {FIND.name: self._found, DESCRIBE.name: self._described, RUN.name: self._run}

    def _found(self, call: Called) -> str:
        return within(found(self._endpoint.index, _name(call)), self._count)

    def _described(self, call: Called) -> str:
        return within(self._describer.lines(_name(call)), self._count)

    def _run(self, call: Called) -> str:
        return self._ran(written_of(Generation(call.argument), "steps", EXPLORED, self.repair))

    def _no_tool(self, call: Called) -> str:
        names = ", ".join(tool.name for tool in TOOLS)
        return f"There is no tool {call.tool!r}: {names}."

    def _ran(self, written: Written) -> str:
        if not written.sound:
            faults = dict.fromkeys(issue.message for issue in written.issues)
            return within(("That is no sound program:", *(f"- {fault}" for fault in faults)), self._count)
        if not self.request.execute:
            return "Programs are not run for this question."
        try:
            draft = self.draft(written)
            if draft is None:
                return "The program cannot be stated over the names of this graph."
            outcome = carry_out(self._endpoint, self._bounded, draft, {}, Recorder())
            trace = trace_of(self._endpoint, self._bounded, outcome, Recorder(), probes=True)
        except TOO_MUCH as error:
            return f"The program could not be run: {one_line(error.message, 2 * LONGEST_NAME)}"
        return self._shown(draft, trace)

    def _shown(self, draft: Draft, trace: Trace) -> str:
        """The steps with as many of their results as fit, the answer, and the names that were replaced."""
        executed = ExecutedProgram(draft.program, trace.steps, trace.text)
        replaced = [f"{one.before} became {one.after}: {one.why}" for one in draft.repairs if one.after]
        remarks = [*replaced, *(warning.message for warning in trace.warnings)]
        after = [f"Answer: {one_line(trace.text, 2 * LONGEST_NAME) or 'nothing'}", *map(one_line, remarks)]
        for results in _RESULTS:
            lines = [*executed_lines(executed, results), *after]
            if self._count("\n".join(lines)) <= TOKENS:
                break
        return within(lines, self._count)

    @made_once
    def _describer(self) -> NameDescriber:
        return self.stages.describer(self.links, self._thing)

    def _thing(self, thing: EntityItem) -> Iterator[str]:
        """The lines of a thing: what it is, its values, and what it leads to and is led to from."""
        index = self._endpoint.index
        yield things.head(index, thing)
        try:
            having = things.having(index, self.stages.sources.surroundings.around(thing.iri))
            values = [(one, None, self._values(thing, one)) for one in having.attributes]
            related = self._related(things.all_related(thing, having.relations))
        except TOO_MUCH as error:
            yield f"  the store did not tell its facts: {one_line(error.message, LONGEST_NAME)}"
            return
        yield from things.group(things.ATTRIBUTE, values)
        for way in ("forward", "backward"):
            led = zip(having.relations, related, strict=True)
            told = [(item, step.count, step.examples) for (item, one), step in led if one == way]
            yield from things.group(way, told)
        yield from things.others(having.left_out)

    def _values(self, thing: EntityItem, attribute: SchemaItem) -> tuple[str, ...]:
        asked = things.value_of(thing, attribute)
        draft = replace(_QUERY, program=asked.program, choices=dict(asked.choices))
        answer = carry_out(self._endpoint, self._bounded, draft, {}, Recorder()).answer
        return () if answer is None else answer.strings[:EXAMPLES]

    def _related(self, asked: things.ThingProgram) -> tuple[StepTrace, ...]:
        """The things that each relation leads to, in at most three queries."""
        if len(asked.program) == 1:
            return ()
        endpoint = self._endpoint
        grounded = Grounder(endpoint.index).ground(asked.program, choices=asked.choices, near=False).grounded
        options = endpoint.options_for((self.request.language,))
        probed = probe_steps(
            grounded, endpoint.select, endpoint.layout, options, Recorder(), name_of=endpoint.name_of
        )
        return probed[1:]

    @property
    def _bounded(self) -> Ask:
        """The request, within half of the time that is left; a look leaves time for another."""
        longest = self.request.timeout_ms or self._endpoint.settings.limits.query_ms
        self.deadline.check()
        return replace(self.request, timeout_ms=max(1, min(longest, int(500 * self.deadline.left))))

    @property
    def _endpoint(self) -> Endpoint:
        return self.stages.sources.endpoint

    def _count(self, text: str) -> int:
        return self.stages.count(text)


def _name(call: Called) -> str:
    """The first line of what was asked: names have no more, whatever a model writes below."""
    return one_line(call.argument.partition("\n")[0], LONGEST_NAME)
