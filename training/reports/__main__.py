"""Examples of reports over every graph of training: `python -m training.reports --data FOLDER --out FOLDER`.

Writes `reports.examples.jsonl` and `reports.schemas.json`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

from tqdm import tqdm

from compilers.kopl.check import check
from compilers.kopl.program import Program
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.settings import Settings
from training.canonical import canonical
from training.examples import Example, Names, names_of, told, write_lines, write_schemas
from training.reports import verdicts
from training.reports.chains import Node, Schema
from training.reports.chance import Chance
from training.reports.programs import program_of, report
from training.reports.verdicts import question_of, verdict
from training.reports.wording import Wording
from training.written import graph_files, read_written

SOURCE = "reports"
TRIES = 3
# The share of verdicts.
VERDICTS = 0.2


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files, and print statistics."""
    parser = argparse.ArgumentParser(prog="python -m training.reports", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with spider4sparql")
    parser.add_argument("--out", type=Path, required=True, help="folder for the examples")
    parser.add_argument("--each", type=int, default=30, help="examples of a graph (30)")
    options = parser.parse_args(arguments)
    examples: list[Example] = []
    schemas: dict[str, Names] = {}
    with tempfile.TemporaryDirectory() as folder:
        files = graph_files(read_written(), options.data, Path(folder))
        for name, file in tqdm(files.items(), unit=" graphs", disable=None):
            with closing(Endpoint(Settings.for_data([file]).endpoints[0])) as endpoint:
                endpoint.prepare()
                schemas[name] = names_of(endpoint.index)
                examples += reports(name, endpoint.index.schema, options.each)
    write_lines(options.out / f"{SOURCE}.examples.jsonl", (one.record() for one in examples))
    write_schemas(options.out / f"{SOURCE}.schemas.json", schemas)
    print("\n".join(told(examples)))


def reports(name: str, items: Sequence[SchemaItem], each: int) -> Iterator[Example]:
    """At most so many examples over a graph, the same each time."""
    random, schema = Random(name), Schema(items)
    for _ in range(TRIES * each):
        nodes = schema.chain(random)
        made = _made(nodes, random) if nodes else None
        if made is None:
            continue
        question, program = made
        if not any(issue.severity == "error" for issue in check(program)):
            yield Example(question, program, name, SOURCE)
            each -= 1
        if not each:
            return


def _made(nodes: Sequence[Node], random: Random) -> tuple[str, Program] | None:
    """The question and the program of a report or a verdict; None where the chain states too little."""
    if random.random() < VERDICTS:
        whole = verdict(nodes, random)
        if whole is None:
            return None
        return question_of(whole, Chance(random)), canonical(verdicts.program_of(whole))[0]
    one = report(nodes, random)
    if one is None:
        return None
    return Wording(one, Chance(random)).question(), canonical(program_of(one))[0]


if __name__ == "__main__":
    main()
