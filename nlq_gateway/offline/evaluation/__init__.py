"""Asks the questions of a file and compares the answers with the right ones.

questions.py    the lines of a question file
gold.py         the gold answers, and the gold program if there is one
score.py        pure: predicted and gold answers to numbers
families.py     pure: the families of a program's functions
compare.py      pure: the differences of two programs
calibration.py  pure: the agreement of confidence and accuracy
mistakes.py     the class of a wrong question
measure.py      one question: ask, time, compare
tally.py        all questions: the report
parallel.py     the loop in processes, or on a cluster
report_text.py  the report as tables for a terminal
report_page.py  the report as a page; its template and charts are in `page/` and `charts.py`
"""

from __future__ import annotations

from nlq_gateway.offline.evaluation.measure import Measurement, Measurer
from nlq_gateway.offline.evaluation.questions import GoldQuestion, read_questions
from nlq_gateway.offline.evaluation.score import score
from nlq_gateway.offline.evaluation.tally import Tally

__all__ = ["GoldQuestion", "Measurement", "Measurer", "Tally", "read_questions", "score"]
