"""`nlq index`: builds the schema index if it is missing or old, and lists its contents."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from nlq_gateway.answering import Pipeline, make_examples
from nlq_gateway.core.errors import InvalidRequest
from nlq_gateway.core.types import Progress
from nlq_gateway.edges.cli.plans import plan_lines, plan_object
from nlq_gateway.edges.cli.source import settings_of, telling
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.endpoints.index_source import IndexSource
from nlq_gateway.index import Manifest, told_naming


def index(options: argparse.Namespace) -> int:
    """Build the index of every endpoint of the source, show how that would be done, or its versions."""
    if options.json and not options.dry_run:
        raise InvalidRequest("--json belongs to --dry-run")
    if options.fresh and (options.dry_run or options.versions or options.use):
        raise InvalidRequest("--fresh builds an index, the other flags build none")
    pipeline = Pipeline(settings_of(options))
    try:
        if options.dry_run:
            return _show_plans(pipeline, as_json=options.json)
        for endpoint in pipeline.endpoints.values():
            if options.use or options.versions:
                source = endpoint.source()
                if options.use:
                    source.versions.use(source.recipe, options.use)
                print("\n".join(versions(endpoint, source)))
            else:
                with telling() as progress:
                    if options.fresh:
                        _build_anew(endpoint, progress)
                    endpoint.prepare(progress)
                make_examples(pipeline, endpoint)
                print("\n".join(facts(endpoint.index.manifest)))
    finally:
        pipeline.close()
    return 0


def _build_anew(endpoint: Endpoint, progress: Progress) -> None:
    source = endpoint.source(progress)
    if not source.settings.index.build:
        hint = "use it where `index.build` is true, with the same `index.folder`"
        raise InvalidRequest(f"--fresh builds, and {endpoint.id} has `index.build: false`", hint=hint)
    source.folder(progress, fresh=True)


def _show_plans(pipeline: Pipeline, *, as_json: bool) -> int:
    sources = {name: endpoint.source() for name, endpoint in pipeline.endpoints.items()}
    planned = {name: (source.finding, source.plan()) for name, source in sources.items()}
    if as_json:
        print(json.dumps({name: plan_object(*both) for name, both in planned.items()}, ensure_ascii=False))
        return 0
    for name, both in planned.items():
        print("\n".join((name, *plan_lines(*both))))
    return 0


def versions(endpoint: Endpoint, source: IndexSource) -> Iterator[str]:
    """The lines that list the versions: which one is in use, how large each is, and why one does not fit."""
    yield f"{endpoint.id}  {source.versions.root}"
    used = source.versions.current(source.recipe)
    for manifest, folder in source.versions.all():
        mark = "*" if used is not None and used.version == folder.name else " "
        size = ", ".join(f"{manifest.counts.get(name, 0):,} {name}" for name in ("relations", "entities"))
        unlike = "; ".join(source.recipe.differences(manifest))
        yield f"{mark} {folder.name}  {size}" + (f"  does not fit: {unlike}" if unlike else "")
    if used is not None:
        yield f"  in use, and found right at {used.checked_at}"


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
        **({"names": told_naming(manifest.naming)} if manifest.naming else {}),
        **{f"warning {number}": text for number, text in enumerate(manifest.warnings, 1)},
    }
    width = max(map(len, shown))
    yield from (f"  {name:<{width}}  {value}" for name, value in shown.items())
