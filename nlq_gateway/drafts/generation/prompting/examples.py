"""Demonstrations for prompts: from a question and its program, and those of the package."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from nlq_gateway.drafts.generation.known import Example, Fact, Known, KnownName

_NOTHING: Mapping[str, str] = MappingProxyType({})
_FILE = Path(__file__).with_name("examples.jsonl")


def example_of(
    question: str,
    program: Program,
    similarity: float = 0.0,
    facts: Sequence[Fact] = (),
    about: Mapping[str, str] = _NOTHING,
) -> Example:
    """A demonstration; its entities and concepts are those of its program.

    `about` has the descriptions of entities in a prompt, by their labels.
    """
    entities = tuple(KnownName(label, about.get(label, "")) for label in program.named(Kind.ENTITY))
    return Example(Known(question, entities, program.named(Kind.CONCEPT), tuple(facts)), program, similarity)


@cache
def builtin_examples() -> tuple[Example, ...]:
    """Demonstrations over the built-in sample graph, for endpoints without any.

    Together they use all of KQA Pro's functions, with little overlap (SymKGQA, section 3.2, manual
    selection).
    """
    return tuple(_example(json.loads(line)) for line in _FILE.read_text("utf-8").splitlines())


def _example(record: dict[str, Any]) -> Example:
    facts = (_fact(**fact) for fact in record.get("facts", ()))
    program = read_program(record["program"])
    return example_of(record["question"], program, facts=tuple(facts), about=record.get("about", _NOTHING))


def _fact(
    about: str, about_kind: str, kind: str, label: str, direction: str = "", qualifier: str = ""
) -> Fact:
    return Fact(about, Kind(about_kind), Kind(kind), label, "", direction, qualifier)
