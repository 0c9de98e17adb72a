"""Orders the programs of all sources, and gives the probability that an answer is right.

candidates.py  each program once, with the sources that propose it
text.py        a candidate as text
directions.py  the fact that a program states, and which way its relation leads
reader.py      the networks that read the question beside that text
evidence.py    evidence for a candidate before it is run, and for the chosen one once others ran
weights.py     the weight of each number; `weights.json` comes from `python -m training.judging.fit`
counting.py    the numbers that the question plainly speaks of, against the program
having.py      which things the question says have something, or lack it, against the program
clauses.py     what else the question plainly says, against the program
judge.py       the order of candidates
tuned.py       weights adapted to one endpoint
confidence/    the probability that an answer is right
"""

from nlq_gateway.judging.candidates import Candidate, together
from nlq_gateway.judging.evidence import AFTER, BEFORE, DRAFTED, Ran, after, scores_of_answers
from nlq_gateway.judging.judge import READING, Judge, Judged, is_settled
from nlq_gateway.judging.tuned import Tuned, digest, forget_tuned, read_tuned, tuned_file, write_tuned
from nlq_gateway.judging.weights import JudgeWeights, shipped

__all__ = [
    "AFTER",
    "BEFORE",
    "DRAFTED",
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
    "is_settled",
    "read_tuned",
    "scores_of_answers",
    "shipped",
    "together",
    "tuned_file",
    "write_tuned",
]
