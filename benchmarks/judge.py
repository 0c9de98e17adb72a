"""Accuracy of ranking and confidence on held-out graphs.

Spider4SPARQL's training pairs over held-out graphs, in the original words and in Spider-Syn's. Queries that
say "without" by unequal keys are corrected (benchmarks/convert.py).
Each question is asked as a guess; its candidates also run separately, which shows if one of
them was right.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import pyoxigraph as ox
from tqdm import tqdm

from benchmarks.convert import BASE, DATA, GRAPHS, PAIRS, as_meant, sound_pairs, unpack
from benchmarks.gold import gold_rows, solutions
from benchmarks.rooms import opened
from connectors.errors import EndpointError
from nlq_gateway.answering import Ask
from nlq_gateway.core.errors import GatewayError
from nlq_gateway.judging import shipped
from nlq_gateway.judging.confidence import ENOUGH, SURE_ENOUGH, ConfidenceModel
from nlq_gateway.judging.confidence.model import BOUNDS
from nlq_gateway.offline.evaluation.calibration import Claim, calibration_error, reliability
from nlq_gateway.offline.evaluation.measure import predicted
from nlq_gateway.offline.evaluation.questions import Gold
from nlq_gateway.offline.evaluation.score import score
from nlq_gateway.offline.tuning import Collector

KEPT_OUT = tuple(
    """
    bike_1 csu_1 customer_complaints customer_deliveries customers_and_invoices device dorm_1 gas_company
    inn_1
    local_govt_in_alabama manufactory_1 match_season perpetrator phone_1 phone_market products_for_hire
    school_bus school_finance solvency_ii
    """.split()
)
LARGEST, MOST_ROWS = 4_000_000, 500
_HALF = 0.5
_ROW = "{:<24} {:<9} {:>4} {:>9} {:>6} {:>6} {:>6} {:>6} {:>10} {:>7}"
_CAUTION = "{:<8} {:<8} {:>9} {:>6}"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its gold answer; `wording` is plain or syn."""

    graph: str
    wording: str
    text: str
    gold: Gold


@dataclass(frozen=True, slots=True)
class Judged:
    """The result of a question: was a candidate right, was the chosen one, and its confidence."""

    asked: Asked
    possible: bool
    right: bool
    sure: float | None


def questions(data: Path, graph: str, file: Path, limit: int) -> Iterator[Asked]:
    """Questions about a graph whose gold query gives some rows."""
    store = ox.Store()
    store.bulk_load(path=str(file))
    pairs = [("plain", pair.question, pair.query) for pair in sound_pairs(data / PAIRS, [graph])]
    known = {query for _, _, query in pairs}
    with gzip.open(data.parent / "spider-syn" / PAIRS, "rt", encoding="utf-8") as lines:
        records = [one for one in map(json.loads, lines) if one["kg"] == graph]
    others = [("syn", one["question"], " ".join(one["gold"]["sparql"].split())) for one in records]
    for found in (pairs, [one for one in others if one[2] in known]):
        for wording, text, query in Random(graph).sample(found, min(limit, len(found))):
            found_rows = gold_rows(as_meant(query), partial(solutions, store, base=BASE))
            if gold := found_rows.answers(MOST_ROWS):
                yield Asked(graph, wording, text, gold)


def judged(file: Path, asked: Sequence[Asked]) -> Iterator[Judged]:
    """Yield the results of the questions about the graph in a file."""
    with opened((str(file),)) as gateway:
        collector = Collector(gateway)
        for one in asked:
            try:
                trace = gateway.ask(Ask(one.text, guess=True))
                candidates = collector.collect(one.text, one.gold).carried
            except (EndpointError, GatewayError):
                continue
            found = predicted(trace.answer)
            right = bool(found) and score(found, one.gold).exact == 1.0
            possible = right or any(carried.right for carried in candidates)
            yield Judged(one, possible, right, trace.confidence if found else None)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks judge", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder with {PAIRS} and {GRAPHS}")
    parser.add_argument("--limit", type=int, default=60, help="questions of each graph and wording (60)")
    parser.add_argument("--only", nargs="+", help="names of graphs; all that were kept out")
    options = parser.parse_args(arguments)
    if not (options.data / PAIRS).is_file():
        print(f"judge: needs Spider4SPARQL's {PAIRS}: name its folder with --data")
        return
    found: list[Judged] = []
    with tempfile.TemporaryDirectory() as folder:
        files = unpack(options.data / GRAPHS, set(options.only or KEPT_OUT), Path(folder))
        for graph, file in tqdm(sorted(files.items()), unit="graph", disable=None):
            if 0 < file.stat().st_size < LARGEST:
                asked = list(questions(options.data, graph, file, options.limit))
                found += judged(file, asked)
    _print(found)


def _print(found: Sequence[Judged]) -> None:
    columns = ("graph", "wording", "n", "one right", "taken", "share", "AUC", "error", "kept back", "wrong")
    print(_ROW.format(*columns))
    groups: defaultdict[tuple[str, str], list[Judged]] = defaultdict(list)
    for one in found:
        groups[one.asked.graph, one.asked.wording].append(one)
        groups["all", one.asked.wording].append(one)
    for (graph, wording), inside in sorted(groups.items(), key=lambda one: (one[0][0] == "all", one[0])):
        print(_ROW.format(graph, wording, *_figures(inside)))
    print(
        "\ntaken: the candidate that is taken is right; share: of those where one is right; AUC, error: of\n"
        f"its confidence; kept back: right ones below {SURE_ENOUGH}; wrong: of those that are given\n"
    )
    print(_CAUTION.format("caution", "wording", "kept back", "wrong"))
    for caution, least in ENOUGH.items():
        for wording in ("plain", "syn"):
            back, wrong = _shares(groups["all", wording], least)
            print(_CAUTION.format(caution, wording, f"{back:.3f}", f"{wrong:.3f}"))
    known = ConfidenceModel.shipped()
    print(f"\nweights: {len(shipped().numbers)} of the order, {len(known.weights)} of confidence")
    print(f"set by hand: {len(BOUNDS)} bounds of confidence")


def _figures(inside: Sequence[Judged]) -> Iterator[object]:
    claims = [Claim(one.sure, float(one.right)) for one in inside if one.sure is not None]
    possible, right = sum(one.possible for one in inside), sum(one.right for one in inside)
    yield from (len(inside), possible, right, f"{right / max(1, possible):.3f}")
    yield f"{area_under_curve(claims):.3f}"
    yield f"{calibration_error(reliability(claims)):.3f}"
    back, wrong = _shares(inside, SURE_ENOUGH)
    yield from (f"{back:.3f}", f"{wrong:.3f}")


def area_under_curve(claims: Sequence[Claim]) -> float:
    """The chance that a right answer is surer than a wrong one, ties counting half; 0.5 without both.

    What is right by more than a half counts as right (the area under the ROC curve).
    """
    right = [one.confidence for one in claims if one.right > _HALF]
    wrong = [one.confidence for one in claims if one.right <= _HALF]
    pairs = ((one > other) + (one == other) / 2 for one in right for other in wrong)
    return sum(pairs) / (len(right) * len(wrong)) if right and wrong else _HALF


def _shares(inside: Sequence[Judged], least: float) -> tuple[float, float]:
    """The share of right answers that are kept back, and of wrong ones among those that are given."""
    given = [one for one in inside if one.sure is not None and one.sure >= least]
    right = sum(one.right for one in inside)
    kept = sum(one.right for one in given)
    return 1 - kept / max(1, right), 1 - kept / max(1, len(given))
