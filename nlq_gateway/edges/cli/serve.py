"""`nlq serve` and `nlq demo`: the page and the API."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from nlq_gateway.edges.cli.arguments import workers_of
from nlq_gateway.edges.cli.source import has_source, settings_of
from nlq_gateway.edges.server import serve
from nlq_gateway.settings import SAMPLE, Settings


def demo(options: argparse.Namespace) -> int:
    """Serve the sample graph."""
    return _serve(lambda: Settings.for_data((SAMPLE,)), options, workers=1)


def serve_(options: argparse.Namespace) -> int:
    """Serve the endpoints of the source, or the sample graph where none is named."""
    if not has_source(options):
        print("nlq: no source is given, so the sample graph is served", file=sys.stderr)
        options.data = [SAMPLE]
    return _serve(lambda: settings_of(options), options, workers_of(options))


def _serve(read: Callable[[], Settings], options: argparse.Namespace, workers: int) -> int:
    serve(read, options.host, options.port, workers)
    return 0
