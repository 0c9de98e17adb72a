from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from compilers.kopl.program import Program
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.core.types import Question
from nlq_gateway.drafts.generation.decompose import Decomposed, Decomposer, Templates
from nlq_gateway.drafts.generation.known import Known, KnownName
from nlq_gateway.drafts.reasoning import Partial
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.language.wording import Wording
from nlq_gateway.models import Deadline, Model
from nlq_gateway.question.linking import Linker
from nlq_gateway.settings import SAMPLE, Settings

FIXTURES = Path(__file__).parent / "fixtures"

Choices = Mapping[tuple[int, int], tuple[str, ...]]


def cases(name: str) -> list[dict[str, Any]]:
    """The rows of a data file."""
    return [json.loads(line) for line in (FIXTURES / name).read_text().splitlines()]


@dataclass(frozen=True, slots=True)
class Bench:
    """The strategy over the sample graph, with whatever model."""

    gateway: Pipeline
    endpoint: Endpoint
    templates: Templates
    surroundings: StoreSurroundings

    def members(self, sets: Sequence[tuple[Program, Choices]]) -> list[bool | None]:
        reached = self.surroundings.reach([Partial(program, choices) for program, choices in sets])
        return [None if one is None else not one.empty for one in reached]

    def decompose(self, model: Model, question: str, **given: Any) -> Decomposed:
        index = self.endpoint.index
        link = Linker(index).link
        members: Callable[..., Any] = given.pop("members", self.members)
        decomposer = Decomposer(index, model, self.templates, members, link, **given)
        links = link(Question(question))
        return decomposer.decompose(links, known_of(question), Deadline.after(60))


def known_of(question: str) -> Known:
    return Known(question, entities=(KnownName("Pulp Fiction"),), concepts=("film",))


@pytest.fixture(scope="session")
def bench() -> Iterator[Bench]:
    gateway = Pipeline(Settings.for_data([SAMPLE]))
    endpoint = gateway.endpoint(None)
    endpoint.prepare()
    ready = endpoint.prepared
    wording = Wording(ready.index)

    def worded(program: Program, choices: Choices) -> str:
        return next(iter(wording.questions(program, choices, most=1)), "")

    around = StoreSurroundings(ready.connector, ready.index, ready.layout, ready.traits, ready.options)
    yield Bench(gateway, endpoint, Templates(ready.index, worded), around)
    gateway.close()
