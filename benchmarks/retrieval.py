"""The cost of rounding the embedding's weights: recall of names by meaning, time and memory.

A query is a question, or a user's phrase for a name; the names of its gold program or query are searched
among all names of the graph, the nearest vectors first. The published weights are compared if their
package is installed (training/requirements.txt).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pools import sample
from benchmarks.published import published_encoder, read_encoder
from benchmarks.questions import read_text
from benchmarks.synonyms import DATA, Pair, kqapro, spider
from nlq_gateway.index import MiniLM
from nlq_gateway.index.synonyms import all_phrases, synonyms_of
from nlq_gateway.neural import MODEL, Encoder, Weights

SEED = 7
NEAREST = 10
MOST_TOPICS = 2_000
MODELS = ("published", "packaged")
_ROW = "{:<44} {:>8} {:>10} {:>10}"


@dataclass(frozen=True, slots=True)
class Query:
    """A text, and the names among those of a pool that it is about."""

    text: str
    wanted: frozenset[str]
    pool: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A row of the table: queries over pools of names."""

    name: str
    pools: Mapping[str, Sequence[str]]
    queries: tuple[Query, ...]

    def recall(self, model: MiniLM) -> float:
        """The mean share of a query's names that are among the nearest."""
        vectors = {pool: model.encode(names) for pool, names in self.pools.items()}
        asked = model.encode([query.text for query in self.queries])
        shares = 0.0
        for query, vector in zip(self.queries, asked, strict=True):
            names = self.pools[query.pool]
            nearest = (-(vectors[query.pool] @ vector)).argsort(kind="stable")[:NEAREST]
            shares += len(query.wanted & {names[at] for at in nearest}) / len(query.wanted)
        return shares / len(self.queries)


def cases(data: Path, limit: int) -> Iterator[Case]:
    """Yield the cases with available data, each with up to `limit` queries."""
    if not data.is_dir():
        yield _case("synonyms, among the names that have some", _of_synonyms(), limit)
        return
    pairs = list(kqapro(data))
    known = {name for pair in pairs for name in pair.names}
    yield _case("synonyms, schema of KQA Pro", _of_synonyms(), limit, known)
    yield _case("questions, schema of KQA Pro", _of_pairs(pairs), limit, known)
    yield _case("questions, schemas of Spider4SPARQL", _of_pairs(spider(data)), limit)
    entities = json.loads(read_text(data / "kqapro" / "mini" / "kb.json.gz"))["entities"].values()
    names = {entity["name"] for entity in entities}
    yield _case("questions, entities of KQA Pro mini", _of_programs(data, names), limit, names)
    asked = sample(sorted((data / "metaqa").glob("*.dev.jsonl.gz")), MOST_TOPICS)
    topics = (Query(one.question, frozenset((one.topic,))) for one in asked)
    yield _case("questions, entities of MetaQA", topics, limit)


def _case(name: str, queries: Iterable[Query], limit: int, others: Iterable[str] = ()) -> Case:
    """The case with pools of all that any query wants, and others."""
    found = [query for query in queries if query.wanted]
    pools: defaultdict[str, set[str]] = defaultdict(set)
    for query in found:
        pools[query.pool] |= query.wanted
    for pool in pools.values():
        pool.update(others)
    chosen = random.Random(SEED).sample(found, min(limit, len(found)))
    used = {query.pool for query in chosen}
    return Case(name, {pool: sorted(names) for pool, names in pools.items() if pool in used}, tuple(chosen))


def _of_synonyms() -> Iterator[Query]:
    names_of: defaultdict[str, set[str]] = defaultdict(set)
    for name in all_phrases():
        for phrase in synonyms_of(name):
            names_of[phrase].add(name)
    return (Query(phrase, frozenset(names)) for phrase, names in names_of.items())


def _of_pairs(pairs: Iterable[Pair]) -> Iterator[Query]:
    """The words of each question without its names."""
    return (
        Query(" ".join(w for w in pair.words if w.isascii() and w > " "), pair.names, pair.graph)
        for pair in pairs
    )


def _of_programs(data: Path, names: set[str]) -> Iterator[Query]:
    for line in read_text(data / "kqapro" / "mini" / "programs.jsonl.gz").splitlines():
        record = json.loads(line)
        found = (step["inputs"][0] for step in record["program"] if step["function"] == "Find")
        yield Query(record["question"], frozenset(found) & names)


def encoder_of(model: str) -> Encoder | None:
    """The encoder with the published weights, mapped from their file; None is the packaged one."""
    if model == "packaged":
        return None
    folder = published_encoder()
    assert folder is not None
    return Encoder.of(Weights(read_encoder(folder)))


def milliseconds(model: MiniLM, texts: Sequence[str]) -> float:
    """The median time of a text that comes alone."""
    times = []
    for text in texts:
        began = time.perf_counter()
        model.encode([text])
        times.append(time.perf_counter() - began)
    return sorted(times)[len(times) // 2] * 1000


def memory(model: str) -> tuple[float, float]:
    """The peak memory of a separate process in MB, and the part that is not pages of a file."""
    command = [sys.executable, "-m", "benchmarks.retrieval", "--memory", model]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    peak, private = done.stdout.split()
    return float(peak), float(private)


def print_memory(model: str) -> None:
    """Print what this process holds, once the model has encoded a few texts; `none` loads no model."""
    if model != "none":
        MiniLM(encoder_of(model)).encode([f"Who directed the film number {number}?" for number in range(20)])
    status = Path("/proc/self/status").read_text()
    sizes = {
        name: int(size) / 1024 for name, size in re.findall(r"^(\w+):\s+(\d+) kB$", status, re.MULTILINE)
    }
    print(sizes["VmHWM"], sizes["RssAnon"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks retrieval", description=__doc__)
    parser.add_argument("--limit", type=int, default=300, help="queries of each kind (%(default)s)")
    parser.add_argument("--memory", choices=("none", *MODELS), help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.memory:
        print_memory(chosen.memory)
        return
    names = MODELS if published_encoder() is not None else MODELS[1:]
    models = {name: MiniLM(encoder_of(name)) for name in names}
    print(f"\npackaged: {MODEL.stat().st_size / 1e6:.1f} MB\n")
    print(_ROW.format(f"recall@{NEAREST}", "queries", *names, *[""] * (2 - len(names))))
    found = list(cases(DATA, chosen.limit))
    for case in found:
        recalls = [f"{case.recall(model):.3f}" for model in models.values()]
        print(_ROW.format(case.name, len(case.queries), *recalls, *[""] * (2 - len(names))), flush=True)
    texts = [f"{query.text} ({number})" for number, query in enumerate(found[-1].queries[:200])]
    times = [f"{milliseconds(model, texts):.1f} ms" for model in models.values()]
    print(_ROW.format("a text alone, median", len(texts), *times, *[""] * (2 - len(names))))
    without = memory("none")
    sizes = [memory(name) for name in names]
    for at, what in enumerate(("memory for the model", "memory of that which processes cannot share")):
        columns = [f"{size[at] - without[at]:.0f} MB" for size in sizes]
        print(_ROW.format(what, "", *columns, *[""] * (2 - len(names))))


if __name__ == "__main__":
    main()
