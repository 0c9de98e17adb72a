"""`nlq index`: builds the schema index where it is missing or old, and says what is in it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from nlq_gateway.cli.source import prepare, settings_of
from nlq_gateway.index import Manifest
from nlq_gateway.pipeline import Gateway


def index(options: argparse.Namespace) -> int:
    """Build the index of every endpoint of the source."""
    gateway = Gateway(settings_of(options))
    try:
        for endpoint in gateway.endpoints.values():
            prepare(endpoint, silent_seconds=0)
            print("\n".join(facts(endpoint.index.manifest)))
    finally:
        gateway.close()
    return 0


def facts(manifest: Manifest) -> Iterator[str]:
    """The lines that `nlq index` prints of a manifest."""
    yield manifest.endpoint
    shown = {
        "address": manifest.address,
        "layout": manifest.layout,
        **{name: f"{count:,}" for name, count in manifest.counts.items()},
        "languages": ", ".join(manifest.languages) or "labels without a language",
        "embedding": manifest.embedding or "none",
        "built": f"{manifest.built_at}, in {manifest.seconds:.1f} s",
        "version": manifest.version,
        **{f"incomplete {name}": why for name, why in manifest.sampled.items()},
    }
    width = max(map(len, shown))
    yield from (f"  {name:<{width}}  {value}" for name, value in shown.items())
