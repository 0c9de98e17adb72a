"""Programs of a grammar over a real graph: every one compiles and runs on the store."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from compilers.kopl.functions import Kind
from compilers.kopl.notations import NOTATIONS
from connectors.errors import EndpointTimeout
from nlq_gateway.answering import Pipeline
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.generation.grammar import grammar_of
from nlq_gateway.drafts.generation.known import AllowedNames
from nlq_gateway.index import Index
from nlq_gateway.settings import SAMPLE, Settings
from tests.generation.derivations import derive, renumbered

PROGRAMS = 300


@pytest.fixture(scope="module")
def gateway() -> Iterator[Pipeline]:
    gateway = Pipeline(Settings.for_data([SAMPLE]))
    for endpoint in gateway.endpoints.values():
        endpoint.prepare()
    yield gateway
    gateway.close()


def _names(index: Index) -> AllowedNames:
    """All names of the schema, and some of entities."""

    def of(kind: Kind) -> list[SchemaItem]:
        return [item for item in index.schema if item.kind == kind]

    valued = [*of(Kind.ATTRIBUTE), *of(Kind.QUALIFIER)]
    return AllowedNames(
        tuple(item.label for item in index.sample(20)),
        tuple(item.label for item in of(Kind.CONCEPT)),
        tuple(item.label for item in of(Kind.RELATION)),
        {item.label: item.value_types for item in of(Kind.ATTRIBUTE)},
        {item.label: item.value_types for item in of(Kind.QUALIFIER)},
        {item.label: item.units for item in valued},
    )


@pytest.mark.parametrize("notation", ["steps", "code"])
def test_every_program_runs(gateway: Pipeline, notation: str) -> None:
    random = Random(notation)
    grammar = grammar_of(_names(gateway.endpoint(None).prepared.index), notation)
    answered = late = 0
    for _ in range(PROGRAMS):
        program = NOTATIONS[notation].read(renumbered(derive(grammar, random)))
        try:
            answered += gateway.run(program, probes=False, timeout_ms=3_000).status == "answered"
        except EndpointTimeout:
            # Tables by chance pair everything with everything.
            late += 1
    assert answered > PROGRAMS / 10
    assert late < PROGRAMS / 50
