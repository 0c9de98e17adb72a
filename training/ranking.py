"""Learns the weights of the ranking from questions whose right answers are known.

    python -m training.ranking collect --out FOLDER [--graphs FOLDER --questions FOLDER]
    python -m training.ranking fit FOLDER

`collect` asks the built-in graph's questions, three quarters of KQA Pro's small set, and GRAPH.jsonl over GRAPH.nt
of those folders; it writes the candidates of each question to FOLDER/GRAPH.jsonl, carried out, with their features,
and goes on where it was stopped. `fit` chooses how near weights stay to the hand-made prior by leaving graphs out,
and writes `nlq_gateway/ranking/weights.json`: the prior itself where learning does not help on graphs left out.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks.answers import DATA, kqapro_questions
from compilers.kopl.notations import NOTATIONS
from connectors.errors import EndpointError
from nlq_gateway.errors import GatewayError
from nlq_gateway.evaluation import read_questions
from nlq_gateway.evaluation.gold import gold_of
from nlq_gateway.evaluation.questions import Question
from nlq_gateway.pipeline import Gateway
from nlq_gateway.ranking import PRIOR, Weights
from nlq_gateway.settings import SAMPLE, Settings
from nlq_gateway.tuning import Choice, Collector, Listed, fitted

WEIGHTS = Path(__file__).parents[1] / "nlq_gateway" / "ranking" / "weights.json"
PENALTIES = (1.0, 3.0, 10.0, 30.0, 100.0)
FOLDS = 8
HELD_OUT = 4  # one question of so many of KQA Pro's is kept for measuring
