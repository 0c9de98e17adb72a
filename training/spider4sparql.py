"""Training examples from the pairs of Spider4SPARQL's train split, over its rebuilt graphs.

Those whose query turns into a program of a size that can be learned, with the same rows; in the pairs' words
and in Spider-Syn's, which say schema items by synonyms.

    python -m training.spider4sparql --data FOLDER --out FOLDER

writes `spider4sparql.examples.jsonl`, `spider4sparql.schemas.json`, and a few questions of each graph with
their rows to `spider_questions/`, as `nlq eval` reads them.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pyoxigraph as ox
from tqdm import tqdm

from benchmarks.convert import BASE, DATA, GRAPHS, PAIRS, Pair, as_meant, sound_pairs, unpack
from benchmarks.gold import Row, gold_rows, program_query, program_rows, solutions
from benchmarks.timed import timed
from compilers.errors import UnsupportedProgram
from compilers.from_sparql import CannotState
from compilers.kopl.check import require_valid
from compilers.kopl.program import Program
from connectors import EmbeddedOxigraph
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.drafts.demonstrations.queries import demonstration_of_query
from nlq_gateway.index import BuildOptions, Index, build
from nlq_gateway.index.manifest import MANIFEST
from training.canonical import canonical
from training.examples import MOST_STEPS, Example, Names, counted, names_of, told, write_lines, write_schemas

SOURCE, SYNONYMS = "spider4sparql", "spider-syn"
QUESTIONS = 12
MOST_ROWS = 1_000

SAME, DIFFERENT, REFUSED, LONG, SLOW = "same rows", "different rows", "no program", "too long", "too slow"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a query: its verdict, its program if the rows are the same, and its rows."""

    verdict: str
    program: Program | None = None
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph in memory, with its index."""

    store: ox.Store
    index: Index


@dataclass(frozen=True, slots=True)
class Found:
    """The outcomes of a graph's pairs, in their order; `reworded` has queries of these pairs."""

    graph: str
    pairs: Sequence[Pair]
    reworded: Sequence[Pair]
    outcomes: Mapping[str, Outcome]
    names: Names

    def examples(self) -> Iterator[Example]:
        """The pairs that can be learned from, each once."""
        for source, pairs in ((SOURCE, self.pairs), (SYNONYMS, self.reworded)):
            for pair in {(pair.question, pair.query): pair for pair in pairs}.values():
                outcome = self.outcomes.get(pair.query)
                if outcome is not None and outcome.program is not None:
                    yield Example(pair.question.strip(), outcome.program, pair.graph, source)

    def questions(self, number: int) -> list[dict[str, Any]]:
        """A random sample of `number` questions with their rows, with a fixed seed."""
        known = [pair for pair in self.pairs if 0 < len(self.outcomes[pair.query].rows) <= MOST_ROWS]
        chosen = Random(self.graph).sample(known, min(number, len(known)))
        return [self._question(pair) for pair in sorted(chosen, key=self.pairs.index)]

    def _question(self, pair: Pair) -> dict[str, Any]:
        rows = [list(row) for row in self.outcomes[pair.query].rows]
        gold = {"sparql": pair.query}
        return {"id": pair.id, "question": pair.question.strip(), "answers": rows, "gold": gold}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files, and say what became of the pairs."""
    parser = argparse.ArgumentParser(prog="python -m training.spider4sparql", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder with {PAIRS} and {GRAPHS}")
    parser.add_argument("--out", type=Path, required=True, help="folder for the examples")
    parser.add_argument("--kg", action="append", help="only this graph; may be repeated")
    parser.add_argument("--seconds", type=float, default=5, help="for a query and its program (5)")
    options = parser.parse_args(arguments)
    found: list[Found] = []
    for one in read(options.data, options.kg, options.seconds):
        found.append(one)
        _write(options.out, found)
    print("\n".join(report(found)))


def _write(out: Path, found: Sequence[Found]) -> None:
    examples = (example.record() for one in found for example in one.examples())
    write_lines(out / f"{SOURCE}.examples.jsonl", examples)
    write_schemas(out / f"{SOURCE}.schemas.json", {one.graph: one.names for one in found})
    last = found[-1]
    write_lines(out / "spider_questions" / f"{last.graph}.jsonl", last.questions(QUESTIONS))


def read(data: Path, graphs: Sequence[str] | None, seconds: float) -> Iterator[Found]:
    """The pairs of each graph, with what became of them; the smallest graphs first, empty ones not at all."""
    pairs, reworded = by_graph(data / PAIRS, graphs), by_graph(data.parent / SYNONYMS / PAIRS, graphs)
    with tempfile.TemporaryDirectory() as folder:
        files = unpack(data / GRAPHS, pairs, Path(folder))
        sizes = {graph: file.stat().st_size for graph, file in files.items()}
        for graph in tqdm(sorted(filter(sizes.get, sizes), key=sizes.__getitem__), disable=None):
            index = Path(folder) / graph
            outcomes = _outcomes(files[graph], index, pairs[graph], seconds)
            with Index.open(index, None) as opened:
                yield Found(graph, pairs[graph], reworded[graph], outcomes, names_of(opened))


def by_graph(file: Path, graphs: Sequence[str] | None) -> defaultdict[str, list[Pair]]:
    """The pairs of each graph; all graphs for None."""
    pairs: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in sound_pairs(file, graphs):
        pairs[pair.graph].append(replace(pair, query=as_meant(pair.query)))
    return pairs


def _outcomes(file: Path, index: Path, pairs: Sequence[Pair], seconds: float) -> dict[str, Outcome]:
    """The outcome of each query; the graph's index is built on the way."""
    queries = tuple(dict.fromkeys(pair.query for pair in pairs))
    done = timed(partial(_load, file, index), _outcome, queries, seconds)
    return {query: outcome or Outcome(SLOW) for query, outcome in done}


def _load(file: Path, folder: Path) -> Graph:
    """The graph, its index built into a folder where it is not there yet."""
    store = ox.Store()
    store.bulk_load(path=str(file))
    if not (folder / MANIFEST).is_file():
        connector = EmbeddedOxigraph(lambda: store, address=str(file))
        build(connector, "direct", folder, BuildOptions(prefixes={"": BASE}))
    return Graph(store, Index.open(folder, None))


def _outcome(graph: Graph, query: str) -> Outcome:
    try:
        gold = gold_rows(query, partial(solutions, graph.store, base=BASE))
    except SyntaxError:
        return Outcome(REFUSED)
    try:
        demonstration = demonstration_of_query("", query, graph.index)
    except CannotState:
        return Outcome(REFUSED, rows=gold.rows)
    if len(demonstration.program) > MOST_STEPS:
        return Outcome(LONG, rows=gold.rows)
    program, origins = canonical(demonstration.program)
    require_valid(program)
    choices = {
        (step, argument): iris
        for step, origin in enumerate(origins)
        for (of, argument), iris in demonstration.choices.items()
        if of == origin
    }
    grounded = Grounder(graph.index).ground(program, choices=choices, near=False).grounded
    try:
        is_same = grounded is not None and gold.admits(program_rows(graph.store, program_query(grounded)))
    except UnsupportedProgram:
        is_same = False
    if not is_same:
        return Outcome(DIFFERENT, rows=gold.rows)
    return Outcome(SAME, program, gold.rows)


def report(found: Sequence[Found]) -> Iterator[str]:
    """The outcomes of the pairs, and statistics of the examples."""
    verdicts = Counter(one.outcomes[pair.query].verdict for one in found for pair in one.pairs)
    yield f"{verdicts.total()} pairs of {len(found)} graphs: {counted(verdicts.elements())}"
    yield from told([example for one in found for example in one.examples()])


if __name__ == "__main__":
    main()
