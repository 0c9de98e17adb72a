"""`nlq explore --tune`, `--tuned` and `--untune`: the judge adapted to an endpoint, shown, taken back."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from nlq_gateway.answering import Pipeline
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.drafts.demonstrations import corpus_file
from nlq_gateway.edges.cli.source import opened, settings_of
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.judging import Tuned, forget_tuned, read_tuned, tuned_file, write_tuned
from nlq_gateway.offline.tuning import TuningResult, tune
from nlq_gateway.settings import Settings


def tuning(options: argparse.Namespace) -> int:
    """Adapt, show or take back; 1 where nothing was adapted."""
    settings = settings_of(options)
    endpoint = settings.endpoints[0].id
    if options.untune:
        return _forgotten(endpoint)
    if options.tuned:
        return _shown(endpoint)
    with opened(options) as pipeline:
        verdict = _tuned(pipeline, settings, options)
    if verdict.tuned is None:
        print(f"the judge stays as it is: {verdict.reason}")
        return 1
    try:
        file = write_tuned(endpoint, verdict.tuned)
    except OSError as error:
        raise ConfigurationError(f"{tuned_file(endpoint)} cannot be written: {error.strerror}") from None
    print("\n".join(_lines(verdict.tuned, file)))
    return 0


def _tuned(pipeline: Pipeline, settings: Settings, options: argparse.Namespace) -> TuningResult:
    """Tune with a bar."""
    endpoint = pipeline.endpoint(None).id
    corpus = Path(options.out) if options.out else corpus_file(endpoint)
    store = TraceStore.of(settings.server)
    confirmed = store.confirmed(endpoint) if store.is_there() else ()
    store.close()
    with tqdm(unit="question", file=sys.stderr, disable=None) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        return tune(pipeline, corpus, confirmed, options.questions, progress)


def _shown(endpoint: str) -> int:
    found = read_tuned(endpoint)
    if found is None:
        print(f"the judge of {endpoint} is the one that comes with the package")
        return 0
    print("\n".join(_lines(found, tuned_file(endpoint))))
    return 0


def _forgotten(endpoint: str) -> int:
    try:
        there = forget_tuned(endpoint)
    except OSError as error:
        raise ConfigurationError(f"{tuned_file(endpoint)} cannot be removed: {error.strerror}") from None
    print(f"the judge of {endpoint} is the package's own again" if there else "nothing was adapted")
    return 0


def _lines(tuned: Tuned, file: Path) -> Iterator[str]:
    yield f"judge      {file}"
    yield f"tuned      {tuned.when}, on {tuned.questions} questions, {tuned.confirmed} of them confirmed"
    yield f"held out   {tuned.held_out['before']} right before, {tuned.held_out['after']} after"
    sample = tuned.sample
    yield f"built-in   {sample['before']} of {sample['questions']} right before, {sample['after']} after"
    width = max(map(len, tuned.changed), default=0)
    for name, both in sorted(
        tuned.changed.items(), key=lambda one: -abs(one[1]["tuned"] - one[1]["shipped"])
    ):
        yield f"  {name:<{width}}  {both['shipped']:+.2f} -> {both['tuned']:+.2f}"
