"""Orders what all sources propose, and says how likely an answer is to be right by what it reads.

candidates.py  each program once, with the sources that propose it
text.py        a candidate as text
reader.py      the network that reads the question beside that text
evidence.py    what is known of a candidate before it is run, and of the one taken once others ran, too
weights.py     what each number counts; `weights.json` comes from `python -m training.judging.fit`
judge.py       the order of candidates
tuned.py       weights adapted to one endpoint
"""

from nlq_gateway.judging.candidates import Candidate, together
from nlq_gateway.judging.evidence import AFTER, BEFORE, Ran, after
from nlq_gateway.judging.judge import READING, Judge, Judged
from nlq_gateway.judging.tuned import Tuned, digest, forget_tuned, read_tuned, tuned_file, write_tuned
from nlq_gateway.judging.weights import JudgeWeights, shipped

__all__ = [
    "AFTER",
    "BEFORE",
    "READING",
    "Candidate",
    "Judge",
    "JudgeWeights",
    "Judged",
    "Ran",
    "Tuned",
    "after",
    "digest",
    "forget_tuned",
    "read_tuned",
    "shipped",
    "together",
    "tuned_file",
    "write_tuned",
]
