"""Inverse consistency of a question, by a model without scores.

The model is asked the question like any other: its program is repaired, grounded and run.
"""

from __future__ import annotations

from collections.abc import Callable

from compilers.answers import Answer
from compilers.kopl.functions import Type
from compilers.kopl.program import Program
from connectors.errors import EndpointError
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.errors import GatewayError
from nlq_gateway.offline.exploration.sketch import pattern_of
from nlq_gateway.offline.exploration.unit import SHOWN, FoundProgram

STRATEGY = "steps"
# Answers of so few kinds that other programs come to the same one by chance.
_COMMON = (Type.VERDICT, Type.NUMBER)


def leads_back(pipeline: Pipeline, dataset: str) -> Callable[[str, FoundProgram], bool]:
    """Return a test whether the model's program for a question is the one found, or has its answers."""

    def asked(question: str, found: FoundProgram) -> bool:
        try:
            trace = pipeline.ask(Ask(question, dataset, "en", STRATEGY, only=True))
        except (GatewayError, EndpointError):
            return False
        if trace.program is None or trace.answer is None:
            return False
        return _is_same(trace.program, trace.answer, found)

    return asked


def _is_same(program: Program, answer: Answer, found: FoundProgram) -> bool:
    if program == found.program:
        return True
    if answer.output in _COMMON:
        return pattern_of(program) == pattern_of(found.program) and _has_answers(answer, found)
    return _has_answers(answer, found)


def _has_answers(answer: Answer, found: FoundProgram) -> bool:
    strings = answer.strings
    return len(strings) == found.count and found.answers in (strings[:SHOWN], tuple(sorted(strings))[:SHOWN])
