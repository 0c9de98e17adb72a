"""Carries out one unit where it is sent: in this process, or in one of many, each with its own endpoint."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import lru_cache

from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index import Index
from nlq_gateway.language.wording import Wording
from nlq_gateway.offline.exploration.asking import StoreAsker
from nlq_gateway.offline.exploration.patience import GivesUp, PatientSender
from nlq_gateway.offline.exploration.schema import Idea, SchemaItems
from nlq_gateway.offline.exploration.unit import FoundProgram, ground
from nlq_gateway.settings import EndpointSettings

_opening = threading.Lock()


@dataclass(frozen=True, slots=True)
class Task:
    """A unit's slots of ideas; `most` bounds its queries, `until` is the time (`time.time`) to be done by."""

    number: int
    slots: tuple[tuple[Idea, ...], ...]
    seed: int
    most: int
    until: float | None = None


@dataclass(frozen=True, slots=True)
class UnitFailure:
    """The reason for ending a unit early: the budget that was `spent`, or a store that does not answer."""

    message: str
    hint: str
    detail: str
    spent: str


@dataclass(frozen=True, slots=True)
class Done:
    """The programs of a unit's ideas, of those before the failure where there was one; its cost."""

    found: tuple[tuple[FoundProgram, ...], ...]
    queries: int
    seconds: float
    failure: UnitFailure | None = None


def carry_out(endpoint: Endpoint, task: Task) -> Done:
    """Ground a unit's ideas over a prepared endpoint."""
    begun = time.perf_counter()
    prepared = endpoint.prepared
    patient = PatientSender(endpoint.select, task.most, task.until)
    limit_ms = endpoint.settings.limits.query_ms
    asker = StoreAsker(patient, prepared.index, prepared.layout, prepared.options, limit_ms, endpoint.name_of)
    found: list[tuple[FoundProgram, ...]] = []
    failure = None
    try:
        schema, wording = SchemaItems(prepared.index.schema), _wording(prepared.index)
        for programs in ground(task.slots, asker, schema, wording, f"{task.seed}/{task.number}"):
            found.append(programs)
    except GivesUp as error:
        failure = UnitFailure(error.message, error.hint, error.detail, getattr(error, "of", ""))
    return Done(tuple(found), patient.queries, time.perf_counter() - begun, failure)


def carry_out_there(settings: EndpointSettings, task: Task) -> Done:
    """The same in a process that has only the settings: it opens the endpoint itself, once."""
    with _opening:
        endpoint = _opened(settings)
    return carry_out(endpoint, task)


@lru_cache(maxsize=1)
def _opened(settings: EndpointSettings) -> Endpoint:
    endpoint = Endpoint(settings)
    endpoint.prepare()
    return endpoint


@lru_cache(maxsize=1)
def _wording(index: Index) -> Wording:
    return Wording(index)
