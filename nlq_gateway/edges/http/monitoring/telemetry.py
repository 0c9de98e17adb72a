"""Spans for a collector of OpenTelemetry: a request, the stages of its question, its queries.

Nothing is imported where none is configured. The exporter has a thread of its own, so it is started in each
worker process, after the fork.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, g, request

from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.core.version import __version__
from nlq_gateway.edges.http.monitoring.health import ABOUT_THE_PROCESS
from nlq_gateway.settings.server import TelemetrySettings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

HINT = "pip install '.[telemetry]' in the gateway's source folder"
# Seconds that an ending worker waits for the export of its last spans.
FLUSH_SECONDS = 2.0
_STANDARD = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_NEEDED = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")

_log = logging.getLogger(__name__)


def is_wanted(settings: TelemetrySettings) -> bool:
    """True if a collector is named, by the configuration or by the standard variables.

    Raises:
        ConfigurationError: the configuration names one, and the exporter is not installed.
    """
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    if settings.endpoint is None and not any(os.environ.get(name) for name in _STANDARD):
        return False
    if all(map(_is_installed, _NEEDED)):
        return True
    if settings.endpoint is not None:
        what = "spans are sent by OpenTelemetry's SDK, which is not installed"
        raise ConfigurationError(what, key="server.telemetry", hint=HINT)
    # Others may have set the variables, for all that runs on the machine.
    _log.warning("OTEL_EXPORTER_OTLP_ENDPOINT is set, but no spans are sent: %s", HINT)
    return False


class Spans:
    """Sends what this process does as spans; a `Watcher`."""

    def __init__(self, settings: TelemetrySettings) -> None:
        """Start the provider; call it after the fork, if `is_wanted`."""
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._provider = _provider(settings)
        self._tracer = self._provider.get_tracer("nlq_gateway", __version__)
        self._context = TraceContextTextMapPropagator()

    @contextmanager
    def work(self, name: str, attributes: Mapping[str, str]) -> Iterator[None]:
        """A span around a piece of work of a request; none where there is no request."""
        from opentelemetry import trace

        if not trace.get_current_span().get_span_context().is_valid:
            yield
            return
        kind = trace.SpanKind.CLIENT if attributes else trace.SpanKind.INTERNAL
        # Error messages may quote questions, so only the error's class is recorded.
        with self._tracer.start_as_current_span(
            name,
            kind=kind,
            attributes=dict(attributes),
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield
            except Exception as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(trace.StatusCode.ERROR)
                raise

    def headers(self) -> Mapping[str, str]:
        """The header `traceparent` of the span at hand."""
        carrier: dict[str, str] = {}
        self._context.inject(carrier)
        return carrier

    def register(self, app: Flask) -> None:
        """Create a span around each request, in the trace of its client."""
        app.before_request(self._begin)
        app.after_request(self._end)
        app.teardown_request(self._leave)

    def close(self) -> None:
        """Send the remaining spans, if the collector accepts them at once."""
        ending = threading.Thread(target=self._provider.shutdown, daemon=True)
        ending.start()
        ending.join(FLUSH_SECONDS)

    def _begin(self) -> None:
        from opentelemetry import context, trace

        if request.path in ABOUT_THE_PROCESS:
            return
        parent = self._context.extract({name.lower(): value for name, value in request.headers.items()})
        route = request.url_rule.rule if request.url_rule else ""
        attributes = {"http.request.method": request.method, "http.route": route}
        name = f"{request.method} {route}".strip()
        g.span = self._tracer.start_span(
            name, context=parent, kind=trace.SpanKind.SERVER, attributes=attributes
        )
        g.span_token = context.attach(trace.set_span_in_context(g.span))

    def _end(self, response: Response) -> Response:
        from opentelemetry.trace import StatusCode

        span = g.get("span")
        if span is not None:
            span.set_attribute("http.response.status_code", response.status_code)
            span.set_attribute("nlq.request", g.get("request_id", "-"))
            if response.status_code >= 500:
                span.set_status(StatusCode.ERROR)
            kept = g._get_current_object()
            response.call_on_close(lambda: _finish(span, kept.get("noted", {})))
        return response

    def _leave(self, _: BaseException | None) -> None:
        from opentelemetry import context

        if (token := g.pop("span_token", None)) is not None:
            context.detach(token)


def _finish(span: Any, noted: Mapping[str, str]) -> None:
    for name in ("dataset", "trace", "strategy", "outcome"):
        if name in noted:
            span.set_attribute(f"nlq.{name}", noted[name])
    span.end()


def _provider(settings: TelemetrySettings) -> TracerProvider:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = {SERVICE_NAME: settings.service, SERVICE_VERSION: __version__}
    # Standard variables apply where the configuration has no value.
    if "service" not in settings.model_fields_set and os.environ.get("OTEL_SERVICE_NAME"):
        del named[SERVICE_NAME]
    address = settings.endpoint
    exporter = (
        OTLPSpanExporter(endpoint=f"{address.rstrip('/')}/v1/traces") if address else OTLPSpanExporter()
    )
    provider = TracerProvider(resource=Resource.create(named), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False
