"""The report as tables for a terminal."""

from __future__ import annotations

from nlq_gateway.offline.evaluation import GoldQuestion, Measurement, Tally
from nlq_gateway.offline.evaluation.measure import QuestionFailure
from nlq_gateway.offline.evaluation.mistakes import Mistake
from nlq_gateway.offline.evaluation.report_text import report_lines
from nlq_gateway.offline.evaluation.score import WRONG, Score

RIGHT = Score(1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
WHO = "Who directed Pulp Fiction?"

EXPECTED = """\
               n    hits@1        F1     exact  answered
  all          3     0.333     0.333     0.333     0.333

by kind
  lookup       1     1.000     1.000     1.000     1.000
  other        2     0.000     0.000     0.000     0.000

wrong answers
       1  linking: an entity or a concept was not found, or confused with another

time: p50 50 ms, p95 60 ms, p99 60 ms
calibration: expected error 0.200
errors: 1 (1 endpoint-timeout)
left out, without a gold answer: 1"""


def text_of(*measurements: Measurement) -> str:
    return "\n".join(report_lines(Tally(list(measurements)).report()))


def test_the_report_of_a_few_questions() -> None:
    right = Measurement(
        GoldQuestion("a-1", WHO, "lookup", ("Quentin Tarantino",)), (), RIGHT, ms=40.0, confidence=0.9
    )
    wrong = Measurement(
        GoldQuestion("b-1", WHO, "other", ("x",)), (), WRONG, ms=60.0, confidence=0.3, mistake=Mistake.LINKING
    )
    failed = Measurement(
        GoldQuestion("b-2", WHO, "other", ("x",)),
        (),
        WRONG,
        failure=QuestionFailure("endpoint-timeout", "too slow"),
    )
    left_out = Measurement(GoldQuestion("b-3", WHO, "other", ()), ms=50.0)
    assert text_of(right, wrong, failed, left_out) == EXPECTED


def test_the_report_of_nothing() -> None:
    lines = text_of().splitlines()
    assert lines[1].split() == ["all", "0", "0.000", "0.000", "0.000", "0.000"]
    assert lines[3:] == ["time: p50 0 ms, p95 0 ms, p99 0 ms", "calibration: expected error 0.000"]
