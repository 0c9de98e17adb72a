"""Orders what all sources propose: the one place that compares drafts of different sources.

candidates.py   each program once, with who proposes it
asked.py        what a question asks for, by its words
features.py     what is seen in a candidate (docs/ranking.md)
weights.py      what each feature counts
ranking.py      the order
tuned.py        weights adapted to one endpoint
"""

from nlq_gateway.ranking.candidates import Candidate, together
from nlq_gateway.ranking.features import FEATURES
from nlq_gateway.ranking.ranking import Ranked, Ranking
from nlq_gateway.ranking.tuned import Tuned, digest, forget_tuned, read_tuned, tuned_file, write_tuned
from nlq_gateway.ranking.weights import PRIOR, Weights, shipped

__all__ = [
    "FEATURES",
    "PRIOR",
    "Candidate",
    "Ranked",
    "Ranking",
    "Tuned",
    "Weights",
    "digest",
    "forget_tuned",
    "read_tuned",
    "shipped",
    "together",
    "tuned_file",
    "write_tuned",
]
