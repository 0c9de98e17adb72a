"""Learns the ranking's weights: from questions whose right answers are known.

collect.py   candidates of questions, carried out, and which of them give the right answer
fit.py       weights from such lists
tune.py      weights for one endpoint, from its corpus and what people confirmed
"""

from nlq_gateway.offline.tuning.collect import Collector
from nlq_gateway.offline.tuning.fit import LabelledCandidates, fitted
from nlq_gateway.offline.tuning.tune import TuningResult, judged, tune

__all__ = [
    "Collector",
    "LabelledCandidates",
    "TuningResult",
    "fitted",
    "judged",
    "tune",
]
