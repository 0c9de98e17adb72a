"""`nlq eval`: the questions of a file, with a bar, and a report as tables, in JSON or as a page."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from tqdm import tqdm

from nlq_gateway.client.plain import plain
from nlq_gateway.edges.cli import INTERRUPTED
from nlq_gateway.edges.cli.failures import exit_code, explain, write_report
from nlq_gateway.edges.cli.source import opened, settings_of
from nlq_gateway.offline.evaluation import GoldQuestion, Measurement, Measurer, Tally, read_questions
from nlq_gateway.offline.evaluation.parallel import EvaluationJob, cluster, measured, processes
from nlq_gateway.offline.evaluation.report_page import About, report_page
from nlq_gateway.offline.evaluation.report_text import report_lines
from nlq_gateway.offline.workers import WorkerLost


def evaluate_(options: argparse.Namespace) -> int:
    """Ask and compare; 1 when a question failed (a wrong answer is no failure), 130 when interrupted."""
    questions = list(read_questions(options.questions, options.limit))
    for file in filter(None, (options.report, options.html)):
        write_report(file, "")
    tally, code = Tally(), 0
    try:
        with _measurements(options, questions) as measurements:
            _follow(measurements, tally, len(questions))
    except KeyboardInterrupt:
        print(f"nlq: interrupted after {len(tally.measurements)} of {len(questions)}", file=sys.stderr)
        code = INTERRUPTED
    except WorkerLost as error:
        print(explain(error), file=sys.stderr)
        code = exit_code(error)
    failed = _report(options, tally, len(questions))
    return code or failed


@contextmanager
def _measurements(
    options: argparse.Namespace, questions: Sequence[GoldQuestion]
) -> Iterator[Iterator[Measurement]]:
    """Yield the measurements from this process, several, or a cluster. The index is built first."""
    alone = options.workers == 1 and not options.scheduler
    with opened(options, model=alone) as pipeline:
        if alone:
            pipeline.prepare_prompts(pipeline.endpoint(None))
            yield map(Measurer(pipeline, options.strategy, only=options.only).measure, questions)
            return
    job = EvaluationJob(settings_of(options), options.strategy, options.only)
    address, endpoint = options.scheduler, job.settings.endpoints[0]
    workers = cluster(address, endpoint) if address else processes(options.workers)
    with workers as executor, closing(measured(executor, job, questions)) as measurements:
        yield measurements


def _follow(measurements: Iterator[Measurement], tally: Tally, total: int) -> None:
    """Take in one measurement after the other, with a bar, and say what failed."""
    f1, scored = 0.0, 0
    with tqdm(total=total, unit="question", file=sys.stderr) as bar:
        for measurement in measurements:
            tally.add(measurement)
            if measurement.failure:
                said = f"nlq: {measurement.question.id}: {measurement.failure.message}"
                bar.write(said, file=sys.stderr)
            if measurement.score:
                f1, scored = f1 + measurement.score.f1, scored + 1
                bar.set_postfix(f1=round(f1 / scored, 4), refresh=False)
            bar.update()


def _report(options: argparse.Namespace, tally: Tally, total: int) -> int:
    """Print and write the report; 1 if a question failed."""
    report = tally.report()
    text = json.dumps(report, ensure_ascii=False, indent=2) + "\n"
    sys.stdout.write(text if options.json else "".join(f"{plain(line)}\n" for line in report_lines(report)))
    if options.report:
        write_report(options.report, text)
    if options.html:
        about = About(
            source=settings_of(options).endpoints[0].id,
            questions=Path(options.questions).name,
            strategy=options.strategy or "as configured",
            total=total,
        )
        write_report(options.html, report_page(report, tally.measurements, about))
    return 1 if report["errors"] else 0
