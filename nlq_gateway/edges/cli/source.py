"""The graph that a command is about: from the source flags to a gateway that is ready."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from nlq_gateway.answering import Pipeline
from nlq_gateway.client.progress import bars
from nlq_gateway.core.errors import ConfigurationError, UnknownDataset
from nlq_gateway.core.types import Progress
from nlq_gateway.models import ModelError
from nlq_gateway.settings import SAMPLE, Settings, load

SILENT_SECONDS = 1.0
CONFIGURED = "give --config FILE (and --endpoint ID)"
_ANY_SOURCE = "give --data FILE..., --data builtin:sample, or --config FILE (and --endpoint ID)"


def settings_of(options: argparse.Namespace, *, dialect: bool = True, missing: str = _ANY_SOURCE) -> Settings:
    """The settings that the source flags state; `dialect` says whether `--dialect` is about the store.

    `missing` is the hint where no source is given.

    Raises:
        ConfigurationError: no source is given, or something in it is wrong.
        UnknownDataset: `--endpoint` names none of the configuration.
    """
    found = _named(options, missing)
    return found.with_source(
        layout=options.layout,
        dialect=options.dialect if dialect else None,
        examples=options.examples,
        model=options.model,
    )


def has_source(options: argparse.Namespace) -> bool:
    """True if a graph is given, by flag or by environment."""
    return bool(options.data or options.config or options.endpoint or os.environ.get("NLQ_CONFIG"))


def or_sample(options: argparse.Namespace) -> None:
    """Take the sample graph where no graph is given, and say so."""
    if not has_source(options):
        print("nlq: no source is given, so the sample graph is served", file=sys.stderr)
        options.data = [SAMPLE]


def _named(options: argparse.Namespace, missing: str) -> Settings:
    if options.data:
        return Settings.for_data(options.data)
    file = options.config or os.environ.get("NLQ_CONFIG")
    if not file:
        raise ConfigurationError("no source is given", hint=missing)
    settings = load(file)
    if options.endpoint is None:
        return settings
    try:
        return settings.only(options.endpoint)
    except KeyError:
        known = ", ".join(endpoint.id for endpoint in settings.endpoints)
        raise UnknownDataset(f"{file} has no endpoint {options.endpoint!r}", hint=f"it has {known}") from None


@contextmanager
def opened(options: argparse.Namespace, *, dialect: bool = True, model: bool = False) -> Iterator[Pipeline]:
    """A gateway whose first endpoint is ready; raises what keeps it from being so.

    What takes longer than a second has a bar on standard error.
    `model` says whether the command needs the language model, if there is one.
    """
    pipeline = Pipeline(settings_of(options, dialect=dialect))
    try:
        with bars(SILENT_SECONDS) as progress:
            pipeline.endpoint(None).prepare(progress)
        if model:
            _prepare_model(pipeline)
        yield pipeline
    finally:
        pipeline.close()


def _prepare_model(pipeline: Pipeline) -> None:
    """Open the language model, if there is one; without it questions are answered all the same."""
    if pipeline.model is None:
        return
    try:
        pipeline.model.prepare()
    except ModelError as error:
        print(f"nlq: the language model is not there: {error.message}", file=sys.stderr)


@contextmanager
def telling() -> Iterator[Progress]:
    """Yield a function that shows stages' progress on standard error: a bar on a terminal, else lines."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    with bars() as progress:
        yield progress


def _lines() -> Progress:
    """Return a function that prints a line for each stage, and for each tenth of one with a known size."""
    told: tuple[str, int] | None = None

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal told
        if told != (stage, tenth := 10 * done // total if total else 0):
            told = stage, tenth
            print(f"{stage} {done:,} of {total:,}" if total else stage, file=sys.stderr, flush=True)

    return progress
