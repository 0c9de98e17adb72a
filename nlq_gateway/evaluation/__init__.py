"""Asks the questions of a file and compares the answers with the right ones.

json_lines.py   JSON Lines, line by line, with what is wrong in a line
questions.py    what a line of a question file says
score.py        pure: predicted and gold answers to numbers
evaluate.py     the loop
"""

from __future__ import annotations

from nlq_gateway.evaluation.evaluate import evaluate
from nlq_gateway.evaluation.questions import Question, read_questions
from nlq_gateway.evaluation.score import Score, score

__all__ = ["Question", "Score", "evaluate", "read_questions", "score"]
