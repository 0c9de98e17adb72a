"""Confidence of wrong answers: pairs of questions to the same graph.

Each pair is a question and a variant of it: reversed, negated, extended, counted, grouped, at another rank,
or about absent things. `sure.jsonl` has the right answers as SPARQL, and each pair's half: `look` may be
inspected, `kept` only measures.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from benchmarks import building, company
from benchmarks.pairs import HALVES, SURE, Asked, Said, contradicts
from benchmarks.rooms import opened
from connectors.errors import EndpointError
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.errors import GatewayError
from nlq_gateway.offline.evaluation import read_questions
from nlq_gateway.offline.evaluation.gold import gold_of
from nlq_gateway.offline.evaluation.measure import predicted
from nlq_gateway.settings import SAMPLE

QUESTIONS = Path(__file__).with_name("sure.jsonl")
_WRITTEN: Mapping[str, Callable[[Path], Path]] = {"building": building.write, "company": company.write}
_SHOWN = 4
_ROW = "{:<12} {:>9} {:>6} {:>9} {:>6} {:>11} {:>14} {:>8} {:>13}"
_HEAD = (
    "pairs",
    "questions",
    "right",
    "answered",
    "sure",
    "sure, wrong",
    "wrong nothing",
    "wrongly",
    "contradicted",
)


def main(arguments: Sequence[str]) -> None:
    """Print a table for each half."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks sure", description=__doc__)
    parser.add_argument("--only", nargs="+", help="names of graphs; all of them")
    parser.add_argument("--kind", nargs="+", help="kinds of pairs; all of them")
    parser.add_argument("--half", choices=HALVES, help="one half; both")
    parser.add_argument("--show", action="store_true", help="print wrong answers of `look`")
    options = parser.parse_args(arguments)
    asked = [
        one
        for one in read_asked(QUESTIONS)
        if (not options.only or one.graph in options.only)
        and (not options.kind or one.question.kind in options.kind)
        and options.half in (None, one.half)
    ]
    found = list(said(asked))
    for half in HALVES:
        _print_half(half, [one for one in found if one.asked.half == half])
    if options.show:
        _print_wrong([one for one in found if one.asked.half == "look"])


def read_asked(file: Path) -> Iterator[Asked]:
    """The questions of the file, pair by pair."""
    lines = map(json.loads, file.read_text("utf-8").splitlines())
    for question, line in zip(read_questions(str(file)), lines, strict=True):
        graph, pair, half = line["graph"], line["pair"], line["half"]
        yield Asked(question, graph, pair, half, line.get("take"), line.get("holds", ""))


def said(asked: Sequence[Asked]) -> Iterator[Said]:
    """Yield the default strategy's answer to each, graph by graph."""
    for graph, questions in groupby(asked, key=lambda one: one.graph):
        with tempfile.TemporaryDirectory() as folder, opened((data_of(graph, Path(folder)),)) as gateway:
            yield from (_said(gateway, one) for one in questions)


def data_of(graph: str, folder: Path) -> str:
    """The graph's data: the built-in one, or a file that is written into the folder."""
    return SAMPLE if graph == "sample" else str(_WRITTEN[graph](folder / f"{graph}.ttl"))


def _said(gateway: Pipeline, asked: Asked) -> Said:
    question = asked.question
    gold = () if question.unanswerable else gold_of(question, gateway.endpoint(None).connector)
    try:
        trace = gateway.ask(Ask(question.text, language=question.language))
    except (EndpointError, GatewayError):
        return Said(asked, gold, [], 0.0, "error")
    return Said(asked, gold, predicted(trace.answer), trace.confidence, trace.status)


def _print_half(half: str, found: Sequence[Said]) -> None:
    if not found:
        return
    print(f"\n{half}\n")
    print(_ROW.format(*_HEAD))
    kinds = list(dict.fromkeys(one.asked.question.kind for one in found))
    for kind in kinds:
        print(_ROW.format(kind, *_cells([one for one in found if one.asked.question.kind == kind])))
    print(_ROW.format("all", *_cells(found)))


def _cells(found: Sequence[Said]) -> Iterator[int | str]:
    sure = [one for one in found if one.rows and one.confidence >= SURE]
    wrong = sum(one.is_sure_and_wrong for one in found)
    nothing = [one for one in found if one.status == "empty"]
    yield from (len(found), sum(one.right for one in found), sum(bool(one.rows) for one in found), len(sure))
    yield f"{wrong} ({wrong / max(len(sure), 1):.0%})"
    yield f"{sum(bool(one.gold) for one in nothing)} of {len(nothing)}"
    yield sum(one.denies_wrongly for one in found)
    yield sum(contradicts(*pair) for pair in _pairs(found))


def _pairs(found: Sequence[Said]) -> Iterator[tuple[Said, Said]]:
    for _, both in groupby(found, key=lambda one: one.asked.pair):
        first, second = both
        yield first, second


def _print_wrong(found: Sequence[Said]) -> None:
    print()
    for one in found:
        if not one.right:
            question, rows = one.asked.question, [[ways[0] for ways in row] for row in one.rows[:_SHOWN]]
            mark = "!" if one.is_sure_and_wrong or one.denies_wrongly else " "
            print(f"{mark} {one.confidence:.2f} {one.status:<12} {question.id}: {question.text}")
            print(f"      {len(one.rows)} {rows}  right: {len(one.gold)} {one.gold[:_SHOWN]}")
    for pair in _pairs(found):
        if contradicts(*pair):
            print(f"contradiction: {pair[0].asked.pair}")
