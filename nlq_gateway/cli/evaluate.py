"""`nlq eval`: the questions of a file, with a bar, and a report in JSON."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tqdm import tqdm

from nlq_gateway.cli.source import opened
from nlq_gateway.errors import ConfigurationError
from nlq_gateway.evaluation import Failure, Question, Tally, evaluate, read_questions
from nlq_gateway.evaluation.score import averages


def evaluate_(options: argparse.Namespace) -> int:
    """Ask and compare; 1 when a question failed (a wrong answer is no failure)."""
    questions = list(read_questions(options.questions, options.limit))
    if options.report:
        _write(options.report, "")
    with opened(options) as gateway, tqdm(total=len(questions), unit="question", file=sys.stderr) as bar:

        def failed(question: Question, failure: Failure) -> None:
            bar.write(f"nlq: {question.id}: {failure.message}", file=sys.stderr)

        def progress(tally: Tally) -> None:
            bar.set_postfix(f1=averages(score for _, score in tally.scored)["f1"], refresh=False)
            bar.update()

        report = evaluate(gateway, questions, strategy=options.strategy, failed=failed, progress=progress)
    text = json.dumps(report, ensure_ascii=False, indent=2) + "\n"
    sys.stdout.write(text)
    if options.report:
        _write(options.report, text)
    return 1 if report["errors"] else 0


def _write(file: str, text: str) -> None:
    """Write the report; tried before the questions are asked, as it would be lost after them."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"the report {file} cannot be written: {error.strerror}") from None
