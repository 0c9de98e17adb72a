"""A candidate as text, for a model that reads it beside the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from nlq_gateway.index import Index

# So many answers of a program are read, and so much of each.
SHOWN, LONGEST = 3, 60
Choices = Mapping[tuple[int, int], tuple[str, ...]]

_WORD = re.compile(r"[A-Z][a-z]*")
_MOST_CLASSES = 2


def steps_text(program: Program, choices: Choices, index: Index) -> str:
    """The steps in words, each name with its class or type: `find Danube (river); query attr length`."""
    return "; ".join(_step(program, number, choices, index) for number in range(len(program)))


def found_text(steps: str, answers: Sequence[str], count: int) -> str:
    """The same with the first of the `count` answers found: `find Danube (river); ... = 2,850 kilometre`."""
    told = [" ".join(text[:LONGEST].split()) for text in answers[:SHOWN]]
    told += [f"{count - SHOWN} more"] if count > SHOWN else []
    return f"{steps} = {', '.join(told) or 'nothing'}"


def _step(program: Program, number: int, choices: Choices, index: Index) -> str:
    step = program.steps[number]
    words = [word.lower() for word in _WORD.findall(step.signature.name)]
    fed = () if step.dependencies == (number - 1,) else step.dependencies
    words += (f"#{one + 1}" for one in fed)
    for argument, text in enumerate(step.inputs):
        words.append(text)
        iris = choices.get((number, argument), ())
        known = ", ".join(_types(step.signature.parameters[argument].kind, iris, step.inputs, index))
        words += (f"({known})",) if known else ()
    return " ".join(words)


def _types(kind: Kind, iris: tuple[str, ...], inputs: tuple[str, ...], index: Index) -> Iterator[str]:
    """The classes that a name belongs or leads to, or the type of its values."""
    if not iris or kind == Kind.CONCEPT:
        return
    if kind == Kind.ENTITY:
        entity = index.entity(iris[0])
        yield from _labels(entity.concepts if entity else (), index)
        return
    item = index.item(kind, iris[0])
    if item is None:
        return
    if kind == Kind.RELATION:
        ends = item.domains if "backward" in inputs else item.ranges
        yield from _labels((iri for iri, _ in ends), index)
    else:
        yield from item.value_types[:1]


def _labels(iris: Iterable[str], index: Index) -> Iterator[str]:
    found = (index.item(Kind.CONCEPT, iri) for iri in iris)
    return islice((item.label for item in found if item is not None), _MOST_CLASSES)
