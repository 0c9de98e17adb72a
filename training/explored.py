"""Training examples from exploring graphs: programs with answers, and questions by the grammar.

Some small graphs of Spider4SPARQL's train split, and KQA Pro's small one.

    python -m training.explored --data FOLDER --out FOLDER

writes `explored.examples.jsonl`, `explored.schemas.json` and the corpora, and resumes after an interruption.
"""

from __future__ import annotations

import argparse
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from tqdm import tqdm

from benchmarks.convert import GRAPHS, unpack
from benchmarks.questions import ROOT
from compilers.kopl.notations import read_program
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.offline.exploration import (
    Corpus,
    Exploration,
    ExplorationBudget,
    SchemaItems,
    here,
    schema_digest,
)
from nlq_gateway.settings import Settings
from training.canonical import canonical
from training.examples import (
    MOST_STEPS,
    Example,
    Names,
    names_of,
    told,
    write_lines,
    write_schemas,
)

SOURCE = "explored"
DATA = ROOT.parent / "shared" / "data"
MINI = Path("kqapro", "mini", "kb.ttl.gz")
MINI_NAME = "kqapro-mini"
MOST_BYTES = 100_000
SEED = 0
QUERIES_EACH = 40


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files, and print statistics."""
    parser = argparse.ArgumentParser(prog="python -m training.explored", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with spider4sparql and kqapro")
    parser.add_argument("--out", type=Path, required=True, help="folder for the examples")
    parser.add_argument("--graphs", type=int, default=30, help="the number of small graphs (30)")
    parser.add_argument("--programs", type=int, default=60, help="for each of them (60)")
    parser.add_argument("--mini-programs", type=int, default=400, help="for KQA Pro's (400)")
    options = parser.parse_args(arguments)
    examples: list[Example] = []
    schemas: dict[str, Names] = {}
    with tempfile.TemporaryDirectory() as folder:
        files = unpack_small(options.data / "spider4sparql" / GRAPHS, options.graphs, Path(folder))
        tasks = [(name, file, options.programs) for name, file in files.items()]
        tasks.append((MINI_NAME, options.data / MINI, options.mini_programs))
        for name, file, programs in tqdm(tasks, unit=" graphs", disable=None):
            corpus = options.out / SOURCE / f"{name}.jsonl"
            found, schemas[name] = explore(name, file, corpus, programs)
            examples += found
            write_lines(options.out / f"{SOURCE}.examples.jsonl", (one.record() for one in examples))
            write_schemas(options.out / f"{SOURCE}.schemas.json", schemas)
    print("\n".join(told(examples)))


def unpack_small(archive: Path, number: int, folder: Path) -> dict[str, Path]:
    """Unpack `number` small graphs of an archive, by name; a random sample with a fixed seed.

    Empty ones are left out.
    """
    with tarfile.open(archive) as members:
        small = sorted(Path(one.name).stem for one in members if one.isfile() and one.size <= MOST_BYTES)
    chosen = Random(SEED).sample(small, min(number, len(small)))
    files = unpack(archive, chosen, folder)
    return {name: files[name] for name in sorted(files) if files[name].stat().st_size}


def explore(name: str, file: Path, corpus_file: Path, programs: int) -> tuple[list[Example], Names]:
    """The examples of a graph that a corpus of so many programs gives, and the graph's names.

    Raises:
        DataError: the file is missing or is not RDF.
        GatewayError: the index, the embedding model or the corpus cannot be used.
    """
    endpoint = Endpoint(Settings.for_data([file]).endpoints[0])
    endpoint.prepare()
    try:
        schema = endpoint.index.schema
        corpus = Corpus(corpus_file, {"schema": schema_digest(schema), "seed": SEED})
        with here(endpoint) as pool:
            budget = ExplorationBudget(programs, queries=programs * QUERIES_EACH)
            Exploration(SchemaItems(schema), corpus, pool, SEED, budget).run()
        return list(_examples(name, corpus)), names_of(endpoint.index)
    finally:
        endpoint.close()


def _examples(name: str, corpus: Corpus) -> Iterator[Example]:
    for line in corpus.lines():
        program, _ = canonical(read_program(line["program"]))
        if len(program) <= MOST_STEPS:
            yield from (Example(question, program, name, SOURCE) for question in line["questions"])


if __name__ == "__main__":
    main()
