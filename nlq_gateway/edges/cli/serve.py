"""`nlq serve` and `nlq demo`: the page and the API."""

from __future__ import annotations

import argparse

from nlq_gateway.edges.cli.arguments import workers_of
from nlq_gateway.edges.cli.source import or_sample, settings_of
from nlq_gateway.edges.server import serve
from nlq_gateway.settings import SAMPLE, Settings


def demo(options: argparse.Namespace) -> int:
    """Serve the sample graph."""
    serve(lambda: Settings.for_data((SAMPLE,)), options.host, options.port, 1)
    return 0


def serve_(options: argparse.Namespace) -> int:
    """Serve the endpoints of the source, or the sample graph where none is named."""
    or_sample(options)
    serve(lambda: settings_of(options), options.host, options.port, workers_of(options))
    return 0
