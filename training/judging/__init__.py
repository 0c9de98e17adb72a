"""Makes a network that reads a question beside a program: a trial, which is not shipped yet.

    python -m training.judging.collect --data DATA --graphs GRAPHS --out CANDIDATES
    python -m training.judging.explored --data DATA --graphs GRAPHS --out CANDIDATES
    python -m training.judging.train --candidates CANDIDATES --out NETWORK

The gateway orders candidates by `nlq_gateway/ranking/` still; `make bench ARGS=judge` measures that.
"""
