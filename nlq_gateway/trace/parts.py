"""The parts of the JSON document of `/nlq`; steps count from 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from compilers.answers import AnswerValue
from compilers.compile import CompiledQuery
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.program import Program
from compilers.kopl.repair import Repair
from compilers.probes import Probe
from nlq_gateway.trace.values import (
    Attempt,
    BindingTrace,
    Look,
    ModelCall,
    Retrieved,
    Stage,
    StepTrace,
    SubQuestion,
    Warning,
)

Json = dict[str, Any]


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


def compiled_json(dataset: str, query: CompiledQuery, probes: Sequence[Probe]) -> Json:
    """The document of `/compile`: a program's query with its columns, and the queries about its steps."""
    return {
        "dataset": dataset,
        "program": program_json(query.program),
        "sparql": sparql_json(query),
        "columns": [asdict(column) | {"step": column.step + 1} for column in query.columns],
        "probes": [probe.as_json() for probe in probes],
    }


def value_json(value: AnswerValue) -> Json:
    """One value of an answer, without what it does not have."""
    parts = {
        "value": value.value,
        "type": value.type,
        "label": value.label,
        "datatype": value.datatype,
        "lang": value.language,
        "unit": value.unit,
        "qualifier": value.qualifier,
    }
    return {key: part for key, part in parts.items() if part is not None}


def binding_json(binding: BindingTrace) -> Json:
    """What one argument was taken for."""
    return {
        "step": binding.step + 1,
        "argument": binding.argument,
        "mention": binding.mention,
        "kind": binding.kind,
        "iri": binding.iri,
        "label": binding.label,
        "score": round(binding.score, 4),
        "how": binding.how,
        "about": binding.about,
        "alternatives": [
            {"iri": a.iri, "label": a.label, "score": round(a.score, 4), "about": a.about}
            for a in binding.alternatives
        ],
    }


def step_json(step: StepTrace) -> Json:
    """What one step had."""
    return {
        "step": step.step + 1,
        "function": step.function,
        "count": step.count,
        "examples": list(step.examples),
        "ms": round(step.ms, 3),
    }


def attempt_json(attempt: Attempt) -> Json:
    """A program that was tried; `repairs` only where there were some."""
    return {
        "program": attempt.program,
        "source": attempt.source,
        "score": round(attempt.score, 4),
        "outcome": attempt.outcome,
        **({"how": attempt.how} if attempt.how else {}),
        **({"repairs": [repair_json(one) for one in attempt.repairs]} if attempt.repairs else {}),
    }


def retrieved_json(one: Retrieved) -> Json:
    """A demonstration that was near to the question."""
    return {"question": one.question, "source": one.source, "similarity": round(one.similarity, 4)}


def stage_json(stage: Stage) -> Json:
    """A query that was sent for a part of the program."""
    return {
        "sparql": stage.sparql,
        "rows": stage.rows,
        "ms": round(stage.ms, 3),
        "outcome": stage.outcome,
    }


def rounded(numbers: Mapping[str, float]) -> dict[str, float]:
    """Numbers by name, with three digits."""
    return {name: round(number, 3) for name, number in numbers.items()}


def repair_json(repair: Repair) -> Json:
    """What was repaired; `argument` only where one was."""
    argument = {} if repair.argument is None else {"argument": repair.argument}
    change = {"before": repair.before, "after": repair.after, "why": repair.why}
    return {"step": repair.step + 1, **argument, **change}


def sub_question_json(one: SubQuestion) -> Json:
    """A part of the question and what it was taken for."""
    return {
        "text": one.text,
        "template": one.template,
        "chain": one.chain,
        "similarity": round(one.similarity, 4),
        "probability": round(one.probability, 4),
        "others": list(one.others),
    }


def look_json(look: Look) -> Json:
    """A look at the graph."""
    return {
        "tool": look.tool,
        "argument": look.argument,
        "result": look.result,
        "ms": round(look.ms, 3),
        "tokens": look.tokens,
    }


def model_call_json(call: ModelCall) -> Json:
    """A call of the language model."""
    return {
        "purpose": call.purpose,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "ms": round(call.ms, 3),
        **({"cached": True} if call.cached else {}),
        **({"request_id": call.request_id} if call.request_id else {}),
        **({"failure": call.failure} if call.failure else {}),
    }


def warning_json(warning: Warning) -> Json:
    """Something a reader of the answer should know."""
    return {"code": warning.code, "message": warning.message}
