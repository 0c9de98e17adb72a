"""A trace as the JSON document of `/nlq`, and its parts; steps count from 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compilers.answers import AnswerValue
from compilers.compile import CompiledQuery
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.program import Program
from compilers.kopl.repair import Repair
from nlq_gateway.trace.values import (
    Attempt,
    BindingTrace,
    ModelCall,
    Retrieved,
    Stage,
    StepTrace,
    SubQuestion,
)

if TYPE_CHECKING:
    from nlq_gateway.trace.trace import Trace

Json = dict[str, Any]


def trace_json(trace: Trace) -> Json:
    """The whole document; what there is not is left out where the contract allows it."""
    document: Json = {
        "id": trace.id,
        "question": trace.question,
        "dataset": trace.dataset,
        "status": trace.status,
        "answer": {"text": trace.text, "values": [_value(v) for v in trace.values]},
        "table": {"columns": list(trace.columns), "rows": [list(row) for row in trace.rows]},
        "truncated": trace.truncated,
        "program": program_json(trace.program) if trace.program else None,
        "bindings": [_binding(binding) for binding in trace.bindings],
        "sparql": sparql_json(trace.query) if trace.query else None,
        "steps": [_step(step) for step in trace.steps],
        "confidence": {"score": round(trace.confidence, 4), "parts": _rounded(trace.confidence_parts)},
        "strategy": trace.strategy,
        "attempts": [_attempt(attempt) for attempt in trace.attempts],
        "warnings": [{"code": w.code, "message": w.message} for w in trace.warnings],
        "timings_ms": _rounded(trace.timings_ms),
        "usage": dict(trace.usage),
        "index_version": trace.index_version,
    }
    if trace.demonstrations:
        document["demonstrations"] = [_retrieved(one) for one in trace.demonstrations]
    if trace.reading:
        document["reading"] = trace.reading
    if trace.tuned:
        document["tuned"] = trace.tuned
    if trace.stages:
        document["stages"] = [_stage(stage) for stage in trace.stages]
    for name, reported in _of_the_model(trace).items():
        if reported:
            document[name] = reported
    if trace.diagnosis:
        document["diagnosis"] = trace.diagnosis
    if trace.answer and trace.answer.evidence:
        document["answer"]["evidence"] = [_value(v) for v in trace.answer.evidence]
    return document


def program_json(program: Program) -> Json:
    """A program as the HTTP interface shows it, with its steps notation."""
    steps = [
        {"function": s.function, "inputs": list(s.inputs), "dependencies": list(s.dependencies)}
        for s in program.steps
    ]
    return {"steps": steps, "text": NOTATIONS["steps"].write(program)}


def sparql_json(query: CompiledQuery) -> Json:
    """A query with its source map."""
    return {"text": query.text, "source_map": query.source_map()}


def _value(value: AnswerValue) -> Json:
    parts = {
        "value": value.value,
        "type": value.type,
        "label": value.label,
        "datatype": value.datatype,
        "lang": value.language,
        "unit": value.unit,
    }
    return {key: part for key, part in parts.items() if part is not None}


def _binding(binding: BindingTrace) -> Json:
    return {
        "step": binding.step + 1,
        "argument": binding.argument,
        "mention": binding.mention,
        "kind": binding.kind,
        "iri": binding.iri,
        "label": binding.label,
        "score": round(binding.score, 4),
        "how": binding.how,
        "alternatives": [
            {"iri": a.iri, "label": a.label, "score": round(a.score, 4)} for a in binding.alternatives
        ],
    }


def _step(step: StepTrace) -> Json:
    return {
        "step": step.step + 1,
        "function": step.function,
        "count": step.count,
        "examples": list(step.examples),
        "ms": round(step.ms, 3),
    }


def _attempt(attempt: Attempt) -> Json:
    return {
        "program": attempt.program,
        "source": attempt.source,
        "score": round(attempt.score, 4),
        "outcome": attempt.outcome,
        **({"how": attempt.how} if attempt.how else {}),
        **({"repairs": [_repair(one) for one in attempt.repairs]} if attempt.repairs else {}),
    }


def _retrieved(one: Retrieved) -> Json:
    return {"question": one.question, "source": one.source, "similarity": round(one.similarity, 4)}


def _stage(stage: Stage) -> Json:
    return {
        "sparql": stage.sparql,
        "rows": stage.rows,
        "ms": round(stage.ms, 3),
        "outcome": stage.outcome,
    }


def _rounded(numbers: dict[str, float]) -> dict[str, float]:
    return {name: round(number, 3) for name, number in numbers.items()}


def _of_the_model(trace: Trace) -> Json:
    """What only a language model brings; each is left out where there is none."""
    return {
        "repairs": [_repair(repair) for repair in trace.repairs],
        "facts": list(trace.facts),
        "sub_questions": [_sub_question(one) for one in trace.sub_questions],
        "model": trace.model,
        "model_calls": [_model_call(call) for call in trace.model_calls],
    }


def _repair(repair: Repair) -> Json:
    argument = {} if repair.argument is None else {"argument": repair.argument}
    change = {"before": repair.before, "after": repair.after, "why": repair.why}
    return {"step": repair.step + 1, **argument, **change}


def _sub_question(one: SubQuestion) -> Json:
    return {
        "text": one.text,
        "template": one.template,
        "chain": one.chain,
        "similarity": round(one.similarity, 4),
        "probability": round(one.probability, 4),
        "others": list(one.others),
    }


def _model_call(call: ModelCall) -> Json:
    return {
        "purpose": call.purpose,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "ms": round(call.ms, 3),
        **({"cached": True} if call.cached else {}),
        **({"request_id": call.request_id} if call.request_id else {}),
        **({"failure": call.failure} if call.failure else {}),
    }
