"""Refusals of unanswerable questions, and calibration.

Foreign questions and questions about removed things (`absent`) are asked of MetaQA's graph, the sample and
some of Spider4SPARQL's; then the confidence of all answers is compared with their accuracy.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import resources
from itertools import islice
from pathlib import Path

from benchmarks.answers import DATA
from benchmarks.pools import Record
from benchmarks.rooms import Outcome, Room, needs_of, outcomes
from nlq_gateway.offline.evaluation import GoldQuestion, read_questions
from nlq_gateway.offline.evaluation.calibration import Claim, calibration_error, reliability
from nlq_gateway.settings import SAMPLE

_GRAPHS = ("concert_singer", "pets_1", "car_1", "employee_hire_evaluation", "tvshow", "course_teach")
_READ = 300
_ROW = "{:<16} {:<10} {:>9} {:>9} {:>8}"
_BIN = "{:>4.0%} – {:<5.0%} {:>7} {:>11.3f} {:>7.3f}"


def rooms(data: Path) -> Iterator[Room]:
    """Yield the graphs with available data."""
    sample = Path(str(resources.files("nlq_gateway.sample"))) / "questions.jsonl"
    yield Room("sample", (SAMPLE,), tuple(read_questions(str(sample))))
    for name in _GRAPHS:
        file = data / "spider4sparql" / f"{name}.ttl.gz"
        if file.is_file():
            questions = read_questions(str(file.parent / f"{name}.jsonl"))
            yield Room(name, (str(file),), tuple(questions))
    graph = data / "metaqa" / "kg.nt.gz"
    if graph.is_file():
        yield Room("MetaQA", (str(graph),), tuple(metaqa_questions(graph.parent)))


def metaqa_questions(folder: Path) -> Iterator[GoldQuestion]:
    """Questions with the programs of their paths, which show the items they need."""
    for hops in (1, 2, 3):
        file = folder / f"{hops}hop.dev.jsonl.gz"
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            records = (Record.of(json.loads(line)) for line in lines)
            programs = {record.id: record.demonstration.program for record in islice(records, _READ)}
        for question in read_questions(str(file), _READ):
            yield replace(question, program=programs[question.id])


def main(arguments: Sequence[str]) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks unknown", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument(
        "--size", type=int, default=20, help="questions of each graph that have an answer (20)"
    )
    parser.add_argument("--absent", type=int, default=6, help="unanswerable ones by graph and kind (6)")
    parser.add_argument("--only", nargs="+", help="names of graphs; all of them")
    options = parser.parse_args(arguments)
    wanted = [room for room in rooms(options.data) if not options.only or room.name in options.only]
    found = list(_asked(wanted, options.size, options.absent))
    _print_refusals(found)
    _print_reliability(found)


def _asked(all_rooms: Sequence[Room], size: int, absent: int) -> Iterator[Outcome]:
    """The outcomes in every room; each is also asked what the one before it knows."""
    before = needs_of(all_rooms[-2]) if len(all_rooms) > 1 else []
    for room in all_rooms:
        yield from outcomes(room, size, absent, before)
        before = needs_of(room)


def _print_refusals(found: Sequence[Outcome]) -> None:
    print("Questions about things that the graph lacks\n")
    print(_ROW.format("graph", "lacks", "questions", "answered", "share"))
    absent = [one for one in found if one.question.unanswerable]
    pairs = sorted({(one.graph, one.question.kind) for one in absent})
    kinds = sorted({("all", kind) for _, kind in pairs})
    for graph, kind in (*pairs, *kinds, ("all", "")):
        group = [one for one in absent if graph in ("all", one.graph) and kind in ("", one.question.kind)]
        answered = sum(one.answered and not one.refused for one in group)
        share = f"{answered / len(group):.2f}" if group else "-"
        print(_ROW.format(graph, kind, len(group), answered, share))
    known = [one for one in found if not one.question.unanswerable]
    kept_back = sum(one.right for one in known if one.refused)
    right = sum(one.right for one in known)
    print(f"\nOf {right:.1f} right answers to {len(known)} questions, {kept_back:.1f} were kept back.\n")


def _print_reliability(found: Sequence[Outcome]) -> None:
    claims = [Claim(one.confidence, one.right) for one in found if one.answered and not one.refused]
    table = reliability(claims)
    print("confidence   answers  confidence   right")
    for row in table:
        print(_BIN.format(row.begin, row.end, row.n, row.confidence, row.right))
    print(f"\nExpected calibration error {calibration_error(table):.3f} over {len(claims)} answers\n")
