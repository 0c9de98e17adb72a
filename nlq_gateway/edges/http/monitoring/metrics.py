"""`/metrics`: what the gateway did, for Prometheus (docs/metrics.md).

Several worker processes count together, in files of the folder that PROMETHEUS_MULTIPROC_DIR names. The
client library looks at that variable when it is imported and never again, so it is imported where the first
`Metrics` is made. Without the variable each `Metrics` has a registry of its own.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from flask import Blueprint, Response, request

from compilers.kopl.repair import Repair
from connectors.errors import EndpointError
from connectors.observing import ADDRESS, STORE
from nlq_gateway.answering.selection import WRITERS
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.trace import Trace

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
# Warnings of a trace that the default strategy replaced the requested one, unless an earlier
# result is the answer.
FALLBACKS = frozenset({"model-unavailable"})

_QUESTION_SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60)
_STAGE_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
# Metrics of a question's use of the model, by the key of a trace's `usage`.
_USAGE = {
    "calls": ("nlq_model_calls", "Calls of the language model"),
    "cached": ("nlq_model_cached", "Calls of the language model that a cache answered"),
    "prompt_tokens": ("nlq_model_prompt_tokens", "Tokens that the language model read"),
    "completion_tokens": ("nlq_model_completion_tokens", "Tokens that the language model wrote"),
    "seconds": ("nlq_model_seconds", "Seconds that the language model took"),
}


class Metrics:
    """Metrics of questions and of errors. Safe to share between threads."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._registry = None if FOLDER in os.environ else CollectorRegistry()
        counter = partial(Counter, registry=self._registry)
        histogram = partial(Histogram, registry=self._registry)
        # Of several processes the sum, the greatest or the least value is shown.
        total = partial(Gauge, registry=self._registry, multiprocess_mode="livesum")
        most = partial(Gauge, registry=self._registry, multiprocess_mode="livemax")
        least = partial(Gauge, registry=self._registry, multiprocess_mode="livemin")
        of_dataset = ("dataset",)
        self._questions = counter(
            "nlq_questions", "Questions and programs that were answered", ("dataset", "strategy", "status")
        )
        self._seconds = histogram(
            "nlq_question_seconds", "Seconds for a question or program", of_dataset, buckets=_QUESTION_SECONDS
        )
        self._stages = histogram(
            "nlq_stage_seconds", "Seconds of a question in a stage", ("stage",), buckets=_STAGE_SECONDS
        )
        self._usage = {key: counter(*named, of_dataset) for key, named in _USAGE.items()}
        self._fallbacks = counter(
            "nlq_fallbacks", "Questions that the default strategy answered instead", of_dataset
        )
        self._repairs = counter("nlq_repairs", "Changes to programs that a model wrote", ("kind",))
        self._busy = total("nlq_requests_in_flight", "Requests that are being answered")
        self._waiting = total("nlq_requests_waiting", "Requests that wait for a thread")
        told = "Seconds for a query of a store, waiting included"
        self._stores = histogram("nlq_store_seconds", told, ("store",), buckets=_STAGE_SECONDS)
        self._failures = counter("nlq_store_failures", "Queries of a store that failed", ("store", "error"))
        self._ready = least("nlq_endpoint_ready", "Whether an endpoint is ready", of_dataset)
        self._given_up = most("nlq_store_given_up", "Whether a store is not asked for a while", of_dataset)
        self._built = least(
            "nlq_index_built_timestamp_seconds", "When the index in use was built", of_dataset
        )
        self._model = least("nlq_model_ready", "Whether the language model is ready")
        self._problems = counter("nlq_problems", "Responses that are errors", ("code", "route"))

    def observe(self, trace: Trace) -> None:
        """Count one question or program that came to a trace."""
        self._questions.labels(trace.dataset, trace.strategy or "none", trace.status).inc()
        for stage, milliseconds in trace.timings_ms.items():
            timed = self._seconds.labels(trace.dataset) if stage == "total" else self._stages.labels(stage)
            timed.observe(milliseconds / 1000)
        usage = trace.usage
        for key, counter in self._usage.items():
            counter.labels(trace.dataset).inc(getattr(usage, key) or 0)
        given_up = any(warning.code in FALLBACKS for warning in trace.warnings)
        if given_up and trace.strategy not in WRITERS:
            self._fallbacks.labels(trace.dataset).inc()
        for repair in trace.repairs:
            self._repairs.labels(kind_of(repair)).inc()

    def load(self, in_flight: int, waiting: int) -> None:
        """Tell how many requests this process answers, and how many wait for a thread of it."""
        self._busy.set(in_flight)
        self._waiting.set(waiting)

    def state(self, endpoint: Endpoint) -> None:
        """Tell how an endpoint is."""
        dataset = endpoint.id
        self._ready.labels(dataset).set(endpoint.status == "ready")
        if endpoint.is_open:
            self._given_up.labels(dataset).set(endpoint.connector.is_given_up)
            built = datetime.fromisoformat(endpoint.index.manifest.built_at)
            self._built.labels(dataset).set(built.timestamp())

    def model(self, ready: bool) -> None:
        """Tell whether the language model is ready."""
        self._model.set(ready)

    @contextmanager
    def work(self, name: str, attributes: Mapping[str, str]) -> Iterator[None]:
        """Time queries of stores; a `Watcher`."""
        if name != STORE:
            yield
            return
        begun, store = time.perf_counter(), attributes[ADDRESS]
        try:
            yield
        except EndpointError as error:
            self._failures.labels(store, error.code).inc()
            raise
        finally:
            self._stores.labels(store).observe(time.perf_counter() - begun)

    def headers(self) -> Mapping[str, str]:
        """None."""
        return {}

    def problem(self, code: str, route: str) -> None:
        """Count one error; `route` is the rule of the requested address, "" if there is none."""
        self._problems.labels(code, route).inc()

    def page(self, accept: str) -> tuple[bytes, str]:
        """Return all metrics as text in the Prometheus format that `Accept` prefers, and its media type."""
        from prometheus_client.exposition import choose_encoder

        encode, media_type = choose_encoder(accept)
        return encode(self._registry or _of_all_processes()), media_type


def routes(metrics: Metrics) -> Blueprint:
    """`GET /metrics`."""
    blueprint = Blueprint("metrics", __name__)

    @blueprint.get("/metrics")
    def page() -> Response:
        text, media_type = metrics.page(request.headers.get("Accept", ""))
        return Response(text, content_type=media_type)

    return blueprint


def kind_of(repair: Repair) -> str:
    """The kind of a repair: step-added, step-removed, step-changed, or the same of an argument."""
    what = "step" if repair.argument is None else "argument"
    how = "added" if not repair.before else "changed" if repair.after else "removed"
    return f"{what}-{how}"


def count_together() -> str:
    """Have this process and its children count in a fresh folder, which is to be removed in the end."""
    folder = tempfile.mkdtemp(prefix="nlq-metrics-")
    os.environ[FOLDER] = folder
    return folder


def forget_process(pid: int) -> None:
    """Record that a worker process has ended; its counts stay in the sums."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(pid)  # type: ignore[no-untyped-call]


def _of_all_processes() -> CollectorRegistry:
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
