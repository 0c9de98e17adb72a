"""The answer in words: one sentence, without a model."""

from __future__ import annotations

from compilers.answers import Answer
from compilers.kopl.functions import Type
from compilers.kopl.program import Program

SHOWN = 10


def answer_text(answer: Answer, truncated: bool) -> str:
    """The answer as a short text, in the order of its values."""
    if answer.empty:
        return "Nothing in the graph matches."
    if answer.output == Type.VERDICT:
        return _verdict_text(answer)
    strings = answer.strings
    shown = ", ".join(strings[:SHOWN])
    hidden = len(strings) - SHOWN
    if hidden > 0:
        more = "at least " if truncated else ""
        return f"{shown} and {more}{hidden} more"
    return f"{shown} and perhaps more" if truncated else shown


def _verdict_text(answer: Answer) -> str:
    word = str(answer.values[0])
    found = ", ".join(dict.fromkeys(str(value) for value in answer.evidence))
    if not found:
        return f"{word}: the graph states no value" if word == "no" else word
    return f"{word}: the graph states {found}"


def diagnosis_of(program: Program, counts: dict[int, int]) -> str:
    """Why an answer is empty: the first step after which nothing is left."""
    for index, step in enumerate(program.steps):
        if counts.get(index) == 0:
            before = _before(program, index, counts)
            return f"Step {index + 1}, {step}, leaves nothing{before}."
    return f"The sets have members, but step {len(program)}, {program.steps[-1]}, finds no value for them."


def _before(program: Program, index: int, counts: dict[int, int]) -> str:
    sizes = [str(counts[source]) for source in program.steps[index].dependencies if source in counts]
    return f" of the {' and '.join(sizes)} before it" if sizes else ": the graph has no such thing"
