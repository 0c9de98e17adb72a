"""Example questions for a graph without any: about its largest classes, tried before they are shown."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

from compilers.kopl.functions import Kind
from connectors.errors import EndpointError
from nlq_gateway.answering.attempt import Ask
from nlq_gateway.answering.describing import Asking, SuggestedQuestion
from nlq_gateway.answering.pipeline import Pipeline
from nlq_gateway.core.errors import GatewayError
from nlq_gateway.drafts.demonstrations import made_file, read_made, write_made
from nlq_gateway.endpoints.endpoint import EXAMPLES, Endpoint
from nlq_gateway.index import IndexProblem
from nlq_gateway.index.lease import held

# Wall-clock time for all of them: an endpoint answers meanwhile.
SECONDS = 30.0
_QUERY_MS = 2_000
_CLASSES = 8

_log = logging.getLogger(__name__)


def make_examples(pipeline: Pipeline, endpoint: Endpoint, seconds: float = SECONDS) -> None:
    """Make the example questions of a ready endpoint, once for each version of its index, and keep them."""
    if endpoint.examples:
        return
    file = made_file(endpoint.folder, endpoint.index.manifest.version)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with held(file.with_suffix(".lock"), 0.0):
            if not read_made(file):
                write_made(file, list(_tried(pipeline, endpoint, time.monotonic() + seconds)))
    except IndexProblem:
        # Another process makes them.
        return
    except OSError as error:
        _log.warning("%s: example questions cannot be kept: %s", endpoint.id, error)


def _tried(pipeline: Pipeline, endpoint: Endpoint, until: float) -> Iterator[str]:
    """Questions that are read as they are meant, and have an answer."""
    found = 0
    for asked in _candidates(pipeline, endpoint):
        if found >= EXAMPLES or time.monotonic() > until:
            return
        if _is_right(pipeline, endpoint, asked):
            found += 1
            yield asked.question


def _is_right(pipeline: Pipeline, endpoint: Endpoint, asked: SuggestedQuestion) -> bool:
    """True if the answer is by the program that is meant; a model costs, and is not asked."""
    try:
        if pipeline.model is not None:
            ran = pipeline.run(asked.draft.program, endpoint.id, timeout_ms=_QUERY_MS, probes=False)
            return ran.status == "answered"
        trace = pipeline.ask(Ask(asked.question, endpoint.id, timeout_ms=_QUERY_MS))
    except (GatewayError, EndpointError):
        return False
    return trace.status == "answered" and trace.program == asked.draft.program


def _candidates(pipeline: Pipeline, endpoint: Endpoint) -> Iterator[SuggestedQuestion]:
    """A question of each large class in turn, of another sort each."""
    concepts = sorted(
        (item for item in endpoint.index.schema if item.kind == Kind.CONCEPT and item.count),
        key=lambda item: -item.count,
    )[:_CLASSES]
    asking = Asking(endpoint, pipeline.surroundings(endpoint).around)
    sorts = [list(asking.worded(concept)) for concept in concepts]
    for turn in range(max(map(len, sorts), default=0)):
        for place, asked in enumerate(sorts):
            if turn < len(asked):
                yield asked[(turn + place) % len(asked)]
