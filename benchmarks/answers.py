"""Accuracy of the default strategy: the sample's questions, and the benchmarks' if their data are present.

The peer column quotes BYOKG (Agarwal et al. 2024, table 2: MPT-7B on GPUs, unsupervised, hits@1 and F1 on
MetaQA's test split); it is not measured here, and the split differs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from itertools import islice
from pathlib import Path

from benchmarks.pools import write_pool
from nlq_gateway.answering import Pipeline
from nlq_gateway.offline.evaluation import Measurement, Measurer, Tally, read_questions
from nlq_gateway.settings import SAMPLE, Settings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
# KQA Pro's small set has eight parts, by the number in the id: one measures, one trains ranking and
# confidence, and those that are no multiples of four train the drafter.
KQAPRO_PARTS, KQAPRO_MEASURES, KQAPRO_TEACHES = 8, 4, 0
_BYOKG = {1: "0.953 / 0.948", 2: "0.819 / 0.803", 3: "0.757 / 0.565"}
_ROW = "{:<18} {:>9} {:>7} {:>7} {:>7} {:>8} {:>8} {:>15}"

WRITTEN = Path(__file__).parent / "written"
# The graphs of it on which nothing was fitted.
MEASURED = frozenset(("library_loans", "auctions", "gym", "fire_stations", "newspapers", "robots"))
# Graphs whose relations lead from things to others of their kind: the words alone say which way one is meant.
DIRECTED = Path(__file__).parent / "directed"
# Graphs in the styles in which companies and institutes publish them.
STYLES = Path(__file__).parent / "styles"
# Graphs of records in the tables of companies: numbers for names, values in nodes, questions for reports.
RECORDS = Path(__file__).parent / "records"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question file over the graph in some data files."""

    data: tuple[str, ...]
    questions: Path


@dataclass(frozen=True, slots=True)
class Case:
    """A row of the table; `examples` is a pool of demonstrations, made of questions `taken`."""

    name: str
    parts: tuple[Asked, ...]
    peer: str = "-"
    examples: Path | None = None
    taken: frozenset[str] = frozenset()

    def measured(self, limit: int) -> Iterator[Measurement]:
        """The first so many questions of each part, those of demonstrations left out, asked."""
        for part in self.parts:
            examples = str(self.examples) if self.examples else None
            gateway = Pipeline(Settings.for_data(part.data).with_source(examples=examples))
            gateway.endpoint(None).prepare()
            others = (one for one in read_questions(str(part.questions)) if one.id not in self.taken)
            yield from map(Measurer(gateway, "auto").measure, islice(others, limit))
            gateway.close()


def written(measured: bool) -> Iterator[Asked]:
    """Yield the graphs that a model made up, with its questions: those that measure, or the others."""
    for file in sorted(WRITTEN.glob("*.jsonl")):
        if (file.stem in MEASURED) == measured:
            yield _beside(file)


def _beside(questions: Path) -> Asked:
    """A question file over the graph of the same name."""
    return Asked((str(questions.with_suffix(".ttl.gz")),), questions)


def cases(data: Path, folder: Path) -> Iterator[Case]:
    """Yield the cases with available data; `folder` takes question files in this project's form."""
    sample = Path(str(resources.files("nlq_gateway.sample")))
    yield Case("sample", (Asked((SAMPLE,), sample / "questions.jsonl"),))
    yield Case("written, unseen", tuple(written(measured=True)))
    yield Case("styles, unseen", tuple(map(_beside, sorted(STYLES.glob("*.jsonl")))))
    yield Case("records, unseen", tuple(map(_beside, sorted(RECORDS.glob("*.jsonl")))))
    yield Case("which way, unseen", tuple(map(_beside, sorted(DIRECTED.glob("*.jsonl")))))
    yield from _metaqa(data / "metaqa")
    spider = sorted((data / "spider4sparql").glob("*.ttl.gz"))
    if spider:
        parts = (
            Asked((str(graph),), graph.parent / graph.name.replace(".ttl.gz", ".jsonl")) for graph in spider
        )
        yield Case("Spider4SPARQL", tuple(parts))
    acme = data / "acme"
    if acme.is_dir():
        files = (str(acme / "kg.nt.gz"), str(acme / "ontology.ttl.gz"))
        yield Case("ACME", (Asked(files, acme / "questions.jsonl"),))
    mini = data / "kqapro" / "mini"
    if mini.is_dir():
        questions = kqapro_questions(mini / "programs.jsonl.gz", folder / "kqapro.jsonl", KQAPRO_MEASURES)
        yield Case("KQA Pro, unseen", (Asked((str(mini / "kb.ttl.gz"),), questions),))


def kqapro_questions(source: Path, target: Path, kept: int | None = None) -> Path:
    """KQA Pro's questions with what the reference engine answers as answers; one part of them, or all."""
    with gzip.open(source, "rt", encoding="utf-8") as lines, target.open("w", encoding="utf-8") as file:
        for record in map(json.loads, lines):
            if kept not in (None, int(record["id"].rpartition("-")[2]) % KQAPRO_PARTS):
                continue
            expected = record["expected"]
            answers = expected if isinstance(expected, list) else [expected]
            others = {key: record[key] for key in ("id", "question", "program")}
            file.write(json.dumps({**others, "answers": answers}) + "\n")
    return target


def _metaqa(folder: Path) -> Iterator[Case]:
    graph = folder / "kg.nt.gz"
    if graph.is_file():
        for hops, peer in _BYOKG.items():
            questions = Asked((str(graph),), folder / f"{hops}hop.dev.jsonl.gz")
            yield Case(f"MetaQA, {hops} hop", (questions,), peer)


def with_pool(found: Sequence[Case], folder: Path, size: int, each: bool) -> Iterator[Case]:
    """MetaQA's cases with one pool of so many demonstrations from all of them, or with one for each."""
    files = [case.parts[0].questions for case in found if case.peer != "-"]
    target = folder / "pool.jsonl"
    taken = frozenset() if each or not files else write_pool(target, files, size)
    for case in found:
        if case.peer == "-":
            continue
        if each:
            (part,) = case.parts
            target = folder / f"{part.questions.name}.jsonl"
            taken = write_pool(target, [part.questions], size)
        yield replace(case, examples=target, taken=taken)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks answers", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument("--limit", type=int, default=300, help="questions of each file (300)")
    parser.add_argument("--pool", type=int, help="so many of MetaQA's questions are demonstrations")
    parser.add_argument("--each", action="store_true", help="a pool for each file, in place of one for all")
    parser.add_argument("--only", nargs="+", help="names of graphs; all of them")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        found = list(cases(options.data, Path(folder)))
        if unknown := set(options.only or ()) - {case.name for case in found}:
            parser.error(f"no graph is named {', '.join(sorted(unknown))}")
        found = [case for case in found if not options.only or case.name in options.only]
        if options.pool:
            found = list(with_pool(found, Path(folder), options.pool, options.each))
        _print(found, options.limit)
    if not (options.data / "metaqa").is_dir():
        print("\nMetaQA's data is not here: name its folder with --data")
    print()


def _print(found: Sequence[Case], limit: int) -> None:
    print("Default strategy, no model\n")
    print(_ROW.format("graph", "questions", "hits@1", "f1", "exact", "p50 ms", "p95 ms", "BYOKG"))
    for case in found:
        report = Tally(list(case.measured(limit))).report()
        quality = (f"{report[key]:.3f}" for key in ("hits_at_1", "f1", "exact"))
        times = (f"{report['latency_ms'][key]:.0f}" for key in ("p50", "p95"))
        print(_ROW.format(case.name, report["n"], *quality, *times, case.peer), flush=True)
