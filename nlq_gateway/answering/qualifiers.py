"""Several values of one thing, told apart by a qualifier: a population of 2010 and one of 2021."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from compilers.answers import AnswerValue
from compilers.errors import CompilerError
from compilers.kopl.functions import Kind, Type, ValueType
from compilers.kopl.program import Program, Step
from connectors.errors import EndpointRefusedQuery, EndpointTimeout, IncompleteResult
from nlq_gateway.answering.attempt import Ask, Outcome, carry_out
from nlq_gateway.core.types import Draft, SchemaItem
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.language.sentences import listed
from nlq_gateway.trace import Recorder, Trace

# The most values of which each is asked for its qualifier.
_MOST = 5
_TIMES = frozenset({ValueType.DATE, ValueType.YEAR})
# Values that the store does not tell apart stand as they are.
_NOT_TOLD = (EndpointRefusedQuery, EndpointTimeout, IncompleteResult, CompilerError)


def told_apart(endpoint: Endpoint, request: Ask, outcome: Outcome, trace: Trace) -> Trace:
    """The trace with a qualifier beside each value, where there are a few and each has another one."""
    values = trace.answer.values if trace.answer and trace.answer.output == Type.VALUES else ()
    if trace.answer is None or not 1 < len(values) <= _MOST or len(trace.columns) != 1:
        return trace
    qualifier = _time_of(endpoint, outcome)
    if qualifier is None:
        return trace
    found = [_qualifier_of(endpoint, request, outcome.draft, value, qualifier) for value in values]
    if not all(found) or len(set(found)) < len(found):
        return trace
    told = tuple(replace(value, qualifier=str(one)) for value, one in zip(values, found, strict=True))
    return replace(
        trace,
        answer=replace(trace.answer, values=told),
        text=listed([f"{value} ({value.qualifier})" for value in told]),
        columns=(*trace.columns, qualifier.label),
        cells=tuple(zip(values, found, strict=True)),
    )


def _time_of(endpoint: Endpoint, outcome: Outcome) -> SchemaItem | None:
    """The qualifier that says when an attribute had a value, where the last step asks for an attribute."""
    last = len(outcome.draft.program) - 1
    if outcome.draft.program.steps[last].function != "QueryAttr":
        return None
    iri = next((one.iri for one in outcome.grounding.bindings if one.step == last), "")
    item = endpoint.index.item(Kind.ATTRIBUTE, iri)
    found = endpoint.index.items(Kind.QUALIFIER, item.qualifiers if item else ())
    return next((one for one in found if _TIMES.intersection(one.value_types)), None)


def _qualifier_of(
    endpoint: Endpoint, request: Ask, draft: Draft, value: AnswerValue, qualifier: SchemaItem
) -> AnswerValue | None:
    """The value of a qualifier of a value's fact; None unless it is exactly one."""
    *before, last = draft.program.steps
    step = Step("QueryAttrQualifier", (*last.inputs, str(value), qualifier.label), last.dependencies)
    choices = {**draft.choices, (len(before), 2): (qualifier.iri,)}
    asked = Draft(Program((*before, step)), draft.source, draft.score, choices=choices)
    with suppress(*_NOT_TOLD):
        found = carry_out(endpoint, request, asked, {}, Recorder(), near=False).answer
        return found.values[0] if found is not None and len(found.values) == 1 else None
    return None
