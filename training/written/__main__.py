"""Training examples from the written questions: `python -m training.written --data FOLDER --out FOLDER`.

Writes `written.examples.jsonl` and `written.schemas.json`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from compilers.kopl.program import Program
from training.canonical import canonical
from training.examples import MOST_STEPS, Example, names_in, told, write_lines, write_schemas
from training.opposites import as_compared, opposite
from training.value_nodes import Held, as_attributes
from training.written import graph_files, read_written

SOURCE = "written"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files, and print statistics."""
    parser = argparse.ArgumentParser(prog="python -m training.written", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with spider4sparql")
    parser.add_argument("--out", type=Path, required=True, help="folder for the examples")
    options = parser.parse_args(arguments)
    written = read_written()
    with tempfile.TemporaryDirectory() as folder:
        files = graph_files(written, options.data, Path(folder))
        read = {name: names_in(file) for name, file in tqdm(files.items(), unit=" graphs", disable=None)}
    examples = [
        Example(question, program, graph, SOURCE)
        for graph, found in written.items()
        for pair in found.questions()
        for question, program in ways(*pair, read[graph][1])
        if len(program) <= MOST_STEPS
    ]
    schemas = {name: names for name, (names, _) in read.items()}
    write_lines(options.out / f"{SOURCE}.examples.jsonl", (one.record() for one in examples))
    write_schemas(options.out / f"{SOURCE}.schemas.json", schemas)
    print("\n".join(told(examples)))


def ways(question: str, program: Program, held: Held) -> Iterator[tuple[str, Program]]:
    """A question with its program in canonical order, and the same with the opposite comparative."""
    meant = as_compared(canonical(as_attributes(program, held))[0], question)
    yield question, meant
    if (turned := opposite(meant, question)) is not None:
        yield turned


if __name__ == "__main__":
    main()
