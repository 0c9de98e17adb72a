"""`nlq explore`: programs over a graph into a corpus, with a bar, and a report of their coverage."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from tqdm import tqdm

from compilers.kopl.functions import FUNCTIONS
from nlq_gateway.answering import Pipeline
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.drafts.demonstrations import corpus_file
from nlq_gateway.edges.cli.failures import write_report
from nlq_gateway.edges.cli.source import opened
from nlq_gateway.edges.cli.tuning import tuning
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.models import Deadline, ModelError
from nlq_gateway.offline.exploration import (
    Corpus,
    Coverage,
    Exploration,
    ExplorationBudget,
    ModelWording,
    SchemaItems,
    UnitPool,
    cluster,
    coverage,
    here,
    leads_back,
    processes,
    schema_digest,
)
from nlq_gateway.offline.exploration.worker import UnitFailure

SHOWN = 12
_REASONS = {
    "programs": "as many programs as asked for",
    "seconds": "the time was up",
    "queries": "the queries were used up",
    "exhausted": "nothing new was found any more",
    "unanswered": "the store does not answer",
}


def explore(options: argparse.Namespace) -> int:
    """Explore, resume an exploration, or report on a complete one; 1 if the store gave up."""
    if options.tune or options.tuned or options.untune:
        return tuning(options)
    if options.report:
        write_report(options.report, "")
    with opened(options) as pipeline:
        endpoint = pipeline.endpoint(None)
        file = Path(options.out) if options.out else corpus_file(endpoint.id)
        wording = _wording(options, pipeline, endpoint)
        corpus = Corpus(file, _explored(endpoint, options.seed, wording))
        with _pool(options, endpoint) as pool:
            budget = ExplorationBudget(options.programs, options.seconds, options.queries)
            schema = SchemaItems(endpoint.index.schema)
            exploration = Exploration(schema, corpus, pool, options.seed, budget)
            exploration.worded = wording.questions if wording else None
            reason = _followed(exploration, options.programs)
        report = _report(coverage(endpoint.index, corpus.lines()), corpus, reason)
    if wording and wording.failures:
        count, last = len(wording.failures), wording.failures[-1]
        print(
            f"nlq: the model failed to word {count} programs, which have rules' questions: {last}",
            file=sys.stderr,
        )
    print("\n".join(readable(report)))
    if options.report:
        write_report(options.report, json.dumps(report, ensure_ascii=False, indent=2) + "\n")
    if exploration.failure is not None and not exploration.failure.spent:
        print("\n".join(_told(exploration.failure)), file=sys.stderr)
        return 1
    return 0


def _wording(options: argparse.Namespace, pipeline: Pipeline, endpoint: Endpoint) -> ModelWording | None:
    """The model's wording, where that is wanted; raises ConfigurationError where there is no model."""
    if not (options.worded or options.model):
        return None
    if pipeline.model is None:
        raise ConfigurationError("no language model is configured", hint="give --model WHERE")
    try:
        pipeline.model.prepare(Deadline())
        pipeline.prepare_prompts(endpoint)
    except ModelError as error:
        raise ConfigurationError(f"the language model is not there: {error.message}") from None
    return ModelWording(pipeline.model, endpoint.index, leads_back(pipeline, endpoint.id))


def _explored(endpoint: Endpoint, seed: int, wording: ModelWording | None) -> dict[str, Any]:
    """The inputs of the corpus."""
    return {
        **({"model": wording.model.name} if wording else {}),
        "endpoint": endpoint.id,
        "layout": endpoint.layout,
        "schema": schema_digest(endpoint.index.schema),
        "seed": seed,
    }


def _pool(options: argparse.Namespace, endpoint: Endpoint) -> AbstractContextManager[UnitPool]:
    if options.scheduler:
        return cluster(endpoint.settings, options.scheduler)
    return here(endpoint) if options.workers == 1 else processes(endpoint.settings, options.workers)


def _followed(exploration: Exploration, programs: int) -> str:
    """Run with a bar; says why it ended."""
    with tqdm(total=programs, unit="program", file=sys.stderr, disable=None) as bar:

        def progress(found: int, queries: int) -> None:
            bar.set_postfix(queries=queries, refresh=False)
            bar.update(found - bar.n)

        exploration.progress = progress
        return exploration.run()


def _report(covered: Coverage, corpus: Corpus, reason: str) -> dict[str, Any]:
    return {
        "corpus": str(corpus.file),
        **covered.as_json(),
        "with_questions_by_model": sum("by_model" in line for line in corpus.lines()),
        "queries": sum(record.queries for record in corpus.records),
        "seconds": round(sum(record.seconds for record in corpus.records), 1),
        "stopped": reason,
    }


def readable(report: dict[str, Any]) -> Iterator[str]:
    """The lines that `nlq explore` prints."""
    shown = {
        "corpus": report["corpus"],
        "programs": f"{report['programs']:,}, {_questions(report)}",
        "patterns": f"{report['patterns']:,}",
        **{name: f"{kind['covered']:,} of {kind['of']:,}" for name, kind in report["coverage"].items()},
        "functions": f"{len(report['functions'])} of {len(FUNCTIONS)}",
        "relations taken": ", ".join(
            f"{number}: {programs:,}" for number, programs in report["relations_per_program"].items()
        ),
        "queries": f"{report['queries']:,}",
        "seconds": f"{report['seconds']:,}, over all processes",
        "stopped": _REASONS[report["stopped"]],
        **{f"no {name}": _few(labels) for name, labels in report["missing"].items()},
    }
    if report["missing_functions"]:
        shown["no functions"] = _few(report["missing_functions"])
    width = max(map(len, shown))
    yield from (f"{name:<{width}}  {value}" for name, value in shown.items())


def _questions(report: dict[str, Any]) -> str:
    number = report["with_questions_by_model"]
    by_model = f", {number:,} by the model" if number else ""
    return f"{report['with_questions']:,} of them with questions{by_model}"


def _few(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _told(failure: UnitFailure) -> Iterator[str]:
    yield f"nlq: {failure.message}"
    if failure.detail:
        yield f"  the store says: {failure.detail}"
    if failure.hint:
        yield f"  hint: {failure.hint}"
