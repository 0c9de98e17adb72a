"""Learns the judge's weights from questions with known right answers.

collect.py   executed candidates of questions, and those with the right answer
fit.py       weights from such lists
tune.py      weights for one endpoint, from its corpus and confirmed questions
"""

from nlq_gateway.offline.tuning.collect import Collector
from nlq_gateway.offline.tuning.tune import TuningResult, tune

__all__ = ["Collector", "TuningResult", "tune"]
