"""The share of queries that become programs with the same rows, and the reasons for the others.

The pairs of Spider4SPARQL's train split whose query gives rows on the rebuilt graph. Each graph has its own
process, which is restarted if a query exceeds its time.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import tarfile
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyoxigraph as ox
from tqdm import tqdm

from benchmarks.gold import gold_rows, program_query, program_rows, schema_of, solutions
from benchmarks.questions import ROOT
from benchmarks.timed import timed
from compilers.from_sparql import CannotState, Schema, program_of

DATA = ROOT.parent / "shared" / "data" / "spider4sparql"
BASE = "http://valuenet/ontop/"
PAIRS, GRAPHS = "train.pairs.jsonl.gz", "train_kgs.tar.xz"
FAULTY = Path(__file__).with_name("faulty_pairs.jsonl")

_NOT_IN = re.compile(r"(\?\w+) not in \(\?\w+\)", re.IGNORECASE)
_INNER = re.compile(r"\{\s*SELECT (?:DISTINCT )?(\?\w+) WHERE", re.IGNORECASE)

Loaded = tuple[ox.Store, Schema]

SAME, DIFFERENT, REFUSED, SLOW = "same rows", "different rows", "no program", "too slow to compare"


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with its query over one graph."""

    id: str
    graph: str
    question: str
    query: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one query: one of the four verdicts, and the reason if it has no program."""

    verdict: str
    reason: str = ""


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks convert", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder with {PAIRS} and {GRAPHS}")
    parser.add_argument("--kg", action="append", help="only this graph; may be repeated")
    parser.add_argument("--limit", type=int, help="only so many of the pairs")
    parser.add_argument("--report", type=Path, help="write the pairs that are not the same, as JSON Lines")
    parser.add_argument("--processes", type=int, default=2, help="graphs at a time (2)")
    parser.add_argument("--seconds", type=float, default=20, help="for one query and its program (20)")
    options = parser.parse_args(arguments)
    if not (options.data / PAIRS).is_file():
        print(f"convert: needs Spider4SPARQL's {PAIRS}: name its folder with --data")
        return
    pairs = read_pairs(options.data / PAIRS, options.kg)[: options.limit]
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        files = unpack(options.data / GRAPHS, {pair.graph for pair in pairs}, Path(folder))
        outcomes = _convert(pairs, files, options.processes, options.seconds)
    _print(pairs, outcomes, time.perf_counter() - started)
    if options.report:
        _write(options.report, pairs, outcomes)


def read_pairs(path: Path, graphs: Sequence[str] | None) -> list[Pair]:
    """The pairs whose query is known to give rows."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return [
        Pair(record["id"], record["kg"], record["question"], " ".join(record["gold"]["sparql"].split()))
        for record in records
        if isinstance(record["gold_rows"], int) and record["gold_rows"] > 0
        if graphs is None or record["kg"] in graphs
    ]


def sound_pairs(path: Path, graphs: Sequence[str] | None) -> list[Pair]:
    """The same without those whose query does not ask what the question asks (`faulty_pairs.jsonl`).

    Most of these lost a join. A strong general model read questions, queries and schemas, and no answers;
    over the graphs that measure the judge two readings of it had to agree.
    """
    faulty = {json.loads(line)["id"] for line in FAULTY.read_text("utf-8").splitlines()}
    return [pair for pair in read_pairs(path, graphs) if pair.id not in faulty]


def as_meant(query: str) -> str:
    """The query, with things that have no such value in the place of things with a value besides.

    Training queries, unlike those of the ten development graphs, say "singers without a song" by
    `FILTER(?key not in (?other))` beside a subquery for each `?other`: all singers differ from some other.
    """
    denied, inner = _NOT_IN.search(query), _INNER.search(query)
    if denied is None or inner is None or inner.start() < denied.end():
        return query
    end = _closing(query, inner.start()) + 1
    # The keys at both ends of a link are of different types in some graphs: "1" and 1.
    absent = f"{query[inner.start() : end]} FILTER(STR({denied[1]}) = STR({inner[1]}))"
    begin = f"{query[: denied.start()]}true{query[denied.end() : inner.start()]}"
    return f"{begin}FILTER NOT EXISTS {{ {absent} }}{query[end:]}"


def _closing(query: str, begin: int) -> int:
    """The place of the brace that closes the one at `begin`."""
    depth = 0
    for place in range(begin, len(query)):
        depth += (query[place] == "{") - (query[place] == "}")
        if not depth:
            return place
    return len(query)


def unpack(archive: Path, graphs: Iterable[str], folder: Path) -> dict[str, Path]:
    """The files of some graphs, by name."""
    wanted, files = {f"{graph}.nt" for graph in graphs}, {}
    with tarfile.open(archive) as members:
        for member in members:
            name = Path(member.name)
            if name.name in wanted and (content := members.extractfile(member)) is not None:
                files[name.stem] = folder / name.name
                files[name.stem].write_bytes(content.read())
    return files


def _convert(pairs: Sequence[Pair], files: dict[str, Path], processes: int, seconds: float) -> list[Outcome]:
    queries: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for pair in pairs:
        queries[pair.graph].setdefault(pair.query)
    # The largest graphs first, so that the last to end are short.
    graphs = sorted(queries, key=lambda graph: -files[graph].stat().st_size)
    found: dict[tuple[str, str], Outcome] = {}
    with tqdm(total=sum(map(len, queries.values())), unit=" queries", disable=None) as bar:

        def run(graph: str) -> None:
            for query, outcome in timed(
                partial(_load, files[graph]), _outcome, list(queries[graph]), seconds
            ):
                found[graph, query] = outcome or Outcome(SLOW)
                bar.update()

        with ThreadPoolExecutor(processes) as threads:
            for _ in threads.map(run, graphs):
                pass
    return [found[pair.graph, pair.query] for pair in pairs]


def _load(file: Path) -> Loaded:
    store = ox.Store()
    store.bulk_load(path=str(file))
    return store, schema_of(store)


def _outcome(loaded: Loaded, query: str) -> Outcome:
    store, schema = loaded
    try:
        program = program_of(query, schema, {"": BASE})
    except CannotState as refused:
        return Outcome(REFUSED, refused.message)
    gold = gold_rows(query, partial(solutions, store, base=BASE))
    same = gold.admits(program_rows(store, program_query(program)))
    return Outcome(SAME if same else DIFFERENT)


def _print(pairs: Sequence[Pair], outcomes: Sequence[Outcome], seconds: float) -> None:
    graphs, queries = {pair.graph for pair in pairs}, {(pair.graph, pair.query) for pair in pairs}
    print(f"convert: {len(pairs)} pairs that give rows, {len(queries)} queries, {len(graphs)} graphs")
    verdicts = Counter(outcome.verdict for outcome in outcomes)
    share = _share(len(pairs))
    print(share("converted", len(pairs) - verdicts[REFUSED]))
    for verdict in (SAME, DIFFERENT, SLOW, REFUSED):
        print(share(verdict, verdicts[verdict]))
    reasons = Counter(outcome.reason for outcome in outcomes if outcome.verdict == REFUSED)
    for reason, number in reasons.most_common():
        print(share(f"  {reason}", number))
    print(f"{seconds:.0f} s")


def _share(total: int) -> Callable[[str, int], str]:
    return lambda name, number: f"{number:>6} {number / max(total, 1):>6.1%}  {name}"


def _write(path: Path, pairs: Sequence[Pair], outcomes: Sequence[Outcome]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for pair, outcome in zip(pairs, outcomes, strict=True):
            if outcome.verdict != SAME:
                record = {
                    "id": pair.id,
                    "kg": pair.graph,
                    "verdict": outcome.verdict,
                    "reason": outcome.reason,
                    "question": pair.question,
                    "sparql": pair.query,
                }
                print(json.dumps(record, ensure_ascii=False), file=file)
